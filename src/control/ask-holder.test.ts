import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { askHolder } from './ask-holder.ts'
import { type Held, holdFolder } from './folder-lock.ts'
import type { Serve } from './protocol.ts'

let dir: string
let held: Held | undefined

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'ask-test-'))
})

afterEach(async () => {
  vi.useRealTimers()
  await held?.release()
  held = undefined
  await rm(dir, { recursive: true, force: true })
})

const hold = async (serve: Serve) => {
  held = await holdFolder(dir, serve)
}

const ask = (input = {}) => askHolder(dir, { command: 'do it', input })

async function connectRaw(): Promise<Socket> {
  const { socket } = JSON.parse(await readFile(join(dir, 'tradepost.lock'), 'utf8'))
  const client = connect(join(dir, socket))
  await once(client, 'connect')
  return client
}

async function saying(bytes: string | Buffer): Promise<string> {
  const client = await connectRaw()
  client.write(bytes)
  let said = ''
  for await (const chunk of client) said += chunk
  return said
}

/** A holder that answers with these bytes and closes the connection. */
async function holdBadly(bytes: string) {
  const server = createServer((socket) => {
    socket.on('error', () => {}).once('data', () => socket.end(bytes))
  })
  server.listen(join(dir, 's'))
  await once(server, 'listening')
  await writeFile(join(dir, 'tradepost.lock'), '{"pid":1,"socket":"s","nonce":"n"}')
  return server
}

test('there is no answer if no process holds the folder, or it does not exist', async () => {
  expect(await ask()).toEqual({ answered: false })
  await rm(dir, { recursive: true })
  expect(await ask()).toEqual({ answered: false })
})

test('a request reaches the holder and its answer comes back', async () => {
  await hold(async ({ command, input }) => ({ command, input }))
  const input = { name: 'Zoë\n🛒', list: [1, null], none: null }

  expect(await ask(input)).toEqual({ answered: true, value: { command: 'do it', input } })
})

test('an answer without a value is an answer', async () => {
  await hold(async () => undefined)
  expect(await ask()).toEqual({ answered: true, value: undefined })
})

test('several clients are served at the same time', async () => {
  let arrived = 0
  const all = manual()
  await hold(async ({ input }) => {
    arrived += 1
    if (arrived === 20) all.open()
    await all.opened
    return input.n
  })
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => ask({ n })))

  expect(answers.map((answer) => answer.answered && answer.value)).toEqual([...Array(20).keys()])
})

test('a refusal keeps its message and its exit code', async () => {
  await hold(async () => {
    throw Object.assign(new Error('A live store keeps its clock.'), { exitCode: 2 })
  })
  await expect(ask()).rejects.toMatchObject({
    message: 'A live store keeps its clock.',
    exitCode: 2,
  })
})

test('an unexpected error is reported without details', async () => {
  await hold(async () => {
    throw new Error('password of postgres://secret')
  })
  const error = await ask().catch((error) => error)

  expect(error.message).toMatch(/^The server could not do this: /)
  expect(error.message).not.toMatch(/secret/)
  expect(error.exitCode).toBe(1)
})

test('an answer that JSON cannot represent is an unexpected error', async () => {
  await hold(async () => 1n)
  await expect(ask()).rejects.toThrow(/^The server could not do this: /)
})

test('lines arrive in order, each handled before the next, ahead of the answer', async () => {
  const seen: unknown[] = []
  await hold(async (_, emit) => {
    for (let n = 0; n < 500; n++) emit({ n })
    emit(undefined)
    return 'done'
  })
  const onLine = async (line: unknown) => {
    await turn()
    seen.push(line)
  }
  const answer = await askHolder(dir, { command: 'listen', input: {} }, { onLine })

  expect(answer).toEqual({ answered: true, value: 'done' })
  expect(seen).toEqual([...Array.from({ length: 500 }, (_, n) => ({ n })), null])
})

test('a listener that fails ends the request and aborts it in the holder', async () => {
  const left = manual()
  await hold(async (_, emit, signal) => {
    signal.addEventListener('abort', left.open)
    emit('first')
    await left.opened
  })
  const onLine = () => {
    throw new Error('The receiver is gone.')
  }
  await expect(askHolder(dir, { command: 'listen', input: {} }, { onLine })).rejects.toThrow(
    'The receiver is gone.',
  )
  await left.opened
})

test('the holder notices that a client left, and continues to serve', async () => {
  const started = manual()
  const left = manual()
  await hold(async ({ command }, emit, signal) => {
    if (command !== 'wait') return 'fine'
    started.open()
    signal.addEventListener('abort', left.open)
    await left.opened
    emit('into nothing')
    throw new Error('aborted')
  })
  const client = await connectRaw()
  client.write('{"command":"wait","input":{}}\n')
  await started.opened
  client.destroy()
  await left.opened

  expect(await ask()).toEqual({ answered: true, value: 'fine' })
})

test('a client that does not read a long stream is disconnected', async () => {
  const left = manual()
  let sent = 0
  await hold(async (_, emit, signal) => {
    signal.addEventListener('abort', left.open)
    for (; !signal.aborted && sent < 1_000; sent++) {
      emit('x'.repeat(100_000))
      await turn()
    }
  })
  const client = await connectRaw()
  client.on('error', () => {})
  client.pause().write('{"command":"listen","input":{}}\n')
  await left.opened

  expect(sent).toBeLessThan(200)
  client.destroy()
})

test('a silent client is disconnected after 10 s; one that waits for its answer is not', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const started = manual()
  const finish = manual()
  await hold(async () => {
    started.open()
    await finish.opened
    return 'at last'
  })
  const answer = ask()
  await started.opened
  const silent = await connectRaw()
  silent.resume()
  const closed = once(silent, 'close')
  // The disconnect of the silent client proves that the clock has advanced.
  while (vi.getTimerCount() === 0) await turn()
  await vi.advanceTimersByTimeAsync(9_999)
  expect(silent.destroyed).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await closed

  await vi.advanceTimersByTimeAsync(30 * 60_000)
  finish.open()
  expect(await answer).toEqual({ answered: true, value: 'at last' })
})

test.each([
  'hello',
  '[]',
  '{"command":1,"input":{}}',
  '{"command":"x"}',
  '{"command":"x","input":[]}',
])('a request of another shape (%s) is refused', async (line) => {
  await hold(async () => 'never')
  const answer = JSON.parse(await saying(`${line}\n`))
  expect(answer).toMatchObject({ ok: false, exit_code: 2 })
})

test('a request in pieces, cut inside a character, is read whole', async () => {
  await hold(async ({ input }) => input.name)
  const bytes = Buffer.from('{"command":"x","input":{"name":"é🛒"}}\n')
  const client = await connectRaw()
  for (const byte of bytes) {
    client.write(Buffer.of(byte))
    await turn()
  }
  const [answer] = await once(client, 'data')
  expect(JSON.parse(answer)).toEqual({ ok: true, value: 'é🛒' })
})

test('a line of more than 1 MiB is refused in requests, streams and answers', async () => {
  const long = 'x'.repeat(1024 * 1024)
  await hold(async ({ input }, emit) => {
    if (input.stream) emit(long)
    return long
  })
  const refusal = { message: expect.stringMatching(/longer than 1 MiB/), exitCode: 1 }

  await expect(ask({ long })).rejects.toMatchObject(refusal)
  await expect(ask({ stream: true })).rejects.toMatchObject(refusal)
  await expect(ask()).rejects.toMatchObject(refusal)
  expect(await saying(`${long}xx`)).toMatch(/longer than 1 MiB/)
})

test('an answer of nearly 1 MiB arrives', async () => {
  const long = 'x'.repeat(1024 * 1024 - 100)
  await hold(async () => long)
  expect(await ask()).toEqual({ answered: true, value: long })
})

test('a release during a request ends it on both sides', async () => {
  const started = manual()
  const left = manual()
  await hold(async (_, _emit, signal) => {
    signal.addEventListener('abort', left.open)
    started.open()
    await left.opened
  })
  const answer = ask().catch((error) => error)
  await started.opened
  await held?.release()
  await left.opened

  expect(await answer).toMatchObject({
    message: expect.stringMatching(/^The server stopped before it answered/),
    exitCode: 1,
  })
})

test.each([
  ['', /stopped before it answered/],
  ['{"ok":true', /stopped before it answered/],
  ['<html>\n', /does not understand/],
  ['7\n', /does not understand/],
])('an invalid answer %j is refused', async (bytes, message) => {
  const server = await holdBadly(bytes)
  await expect(ask()).rejects.toMatchObject({
    message: expect.stringMatching(message),
    exitCode: 1,
  })
  server.close()
})

/** A gate that a test opens. */
function manual() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

test('a client may leave without waiting, which aborts the request in the holder', async () => {
  let resolveAborted: () => void = () => {}
  const left = new Promise<void>((resolve) => {
    resolveAborted = resolve
  })
  const leaving = new AbortController()
  await hold(async (_request, _emit, signal) => {
    signal.addEventListener('abort', resolveAborted)
    leaving.abort()
    await left
    return 'too late'
  })
  const request = { command: 'do it', input: {} }
  await expect(askHolder(dir, request, { signal: leaving.signal })).rejects.toThrow(
    'stopped before',
  )
  await left
  await expect(askHolder(dir, request, { signal: leaving.signal })).rejects.toThrow(
    'stopped before',
  )
})
