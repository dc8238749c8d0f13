import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { askHolder } from './ask-holder.ts'
import { type FolderLock, lockFolder } from './folder-lock.ts'
import type { RequestHandler } from './protocol.ts'

let dir: string
let lock: FolderLock | undefined

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'ask-test-'))
})

afterEach(async () => {
  vi.useRealTimers()
  await lock?.release()
  lock = undefined
  await rm(dir, { recursive: true, force: true })
})

const startHolder = async (serve: RequestHandler) => {
  lock = await lockFolder(dir, serve)
}

const ask = (input = {}) => askHolder(dir, { command: 'do it', input })

async function connectRaw(): Promise<Socket> {
  const { socket } = JSON.parse(await readFile(join(dir, 'tradepost.lock'), 'utf8'))
  const client = connect(join(dir, socket))
  await once(client, 'connect')
  return client
}

async function sendRaw(bytes: string | Buffer): Promise<string> {
  const client = await connectRaw()
  client.write(bytes)
  let output = ''
  for await (const chunk of client) output += chunk
  return output
}

/** A promise that a test resolves. */
function deferred() {
  let resolve = () => {}
  const promise = new Promise<void>((resolvePromise) => {
    resolve = resolvePromise
  })
  return { resolve, promise }
}

/** A holder of an earlier release that answers with these bytes and closes the connection. */
async function startEarlierHolder(bytes: string) {
  const server = createServer((socket) => {
    socket.on('error', () => {}).once('data', () => socket.end(bytes))
  })
  server.listen(join(dir, 's'))
  await once(server, 'listening')
  await writeFile(join(dir, 'tradepost.lock'), '{"pid":1,"socket":"s","nonce":"n"}')
  return server
}

test('a request is not answered if no process holds the folder or the folder does not exist', async () => {
  expect(await ask()).toEqual({ answered: false })
  await rm(dir, { recursive: true })
  expect(await ask()).toEqual({ answered: false })
})

test('the holder receives the request, and the client receives the answer', async () => {
  await startHolder(async ({ command, input }) => ({ command, input }))
  const input = { name: 'Zoë\n🛒', list: [1, null], none: null }

  expect(await ask(input)).toEqual({ answered: true, value: { command: 'do it', input } })
})

test('an answer may have no value', async () => {
  await startHolder(async () => undefined)
  expect(await ask()).toEqual({ answered: true, value: undefined })
})

test('several clients are served at the same time', async () => {
  let arrived = 0
  const allArrived = deferred()
  await startHolder(async ({ input }) => {
    arrived += 1
    if (arrived === 20) allArrived.resolve()
    await allArrived.promise
    return input.n
  })
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => ask({ n })))

  expect(answers.map((answer) => answer.answered && answer.value)).toEqual([...Array(20).keys()])
})

test('a refusal keeps its message and its exit code', async () => {
  await startHolder(async () => {
    throw Object.assign(new Error('A live store keeps its clock.'), { exitCode: 2 })
  })
  await expect(ask()).rejects.toMatchObject({
    message: 'A live store keeps its clock.',
    exitCode: 2,
  })
})

test('an unexpected error is reported without details', async () => {
  await startHolder(async () => {
    throw new Error('password of postgres://secret')
  })
  const error = await ask().catch((error) => error)

  expect(error.message).toMatch(/^The command failed with an unexpected error\. /)
  expect(error.message).not.toMatch(/secret/)
  expect(error.exitCode).toBe(1)
})

test('an answer that JSON cannot represent is reported as an unexpected error', async () => {
  await startHolder(async () => 1n)
  await expect(ask()).rejects.toThrow(/^The command failed with an unexpected error\. /)
})

test('lines arrive in order and before the answer, one at a time', async () => {
  const lines: unknown[] = []
  let isHandling = false
  await startHolder(async (_, emit) => {
    for (let n = 0; n < 500; n++) emit({ n })
    emit(undefined)
    return 'done'
  })
  const onLine = async (line: unknown) => {
    if (isHandling) throw new Error('The previous line is still handled.')
    isHandling = true
    await turn()
    isHandling = false
    lines.push(line)
  }
  const answer = await askHolder(dir, { command: 'listen', input: {} }, { onLine })

  expect(answer).toEqual({ answered: true, value: 'done' })
  expect(lines).toEqual([...Array.from({ length: 500 }, (_, n) => ({ n })), null])
})

test('a failing callback for lines ends the request and aborts it in the holder', async () => {
  const aborted = deferred()
  await startHolder(async (_, emit, signal) => {
    signal.addEventListener('abort', aborted.resolve)
    emit('first')
    await aborted.promise
  })
  const onLine = () => {
    throw new Error('The receiver is gone.')
  }
  await expect(askHolder(dir, { command: 'listen', input: {} }, { onLine })).rejects.toThrow(
    'The receiver is gone.',
  )
  await aborted.promise
})

test('the request of a client that disconnects is aborted in the holder, which continues to serve', async () => {
  const started = deferred()
  const aborted = deferred()
  await startHolder(async ({ command }, emit, signal) => {
    if (command !== 'wait') return 'fine'
    started.resolve()
    signal.addEventListener('abort', aborted.resolve)
    await aborted.promise
    emit('into nothing')
    throw new Error('aborted')
  })
  const client = await connectRaw()
  client.write('{"command":"wait","input":{}}\n')
  await started.promise
  client.destroy()
  await aborted.promise

  expect(await ask()).toEqual({ answered: true, value: 'fine' })
})

test('a client that does not read a long stream is disconnected', async () => {
  const aborted = deferred()
  let emitted = 0
  await startHolder(async (_, emit, signal) => {
    signal.addEventListener('abort', aborted.resolve)
    for (; !signal.aborted && emitted < 1_000; emitted++) {
      emit('x'.repeat(100_000))
      await turn()
    }
  })
  const client = await connectRaw()
  client.on('error', () => {})
  client.pause().write('{"command":"listen","input":{}}\n')
  await aborted.promise

  expect(emitted).toBeLessThan(200)
  client.destroy()
})

test('a client that sends no request is disconnected after 10 s, and one that waits for its answer is not', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const started = deferred()
  const finish = deferred()
  await startHolder(async () => {
    started.resolve()
    await finish.promise
    return 'at last'
  })
  const answer = ask()
  await started.promise
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
  finish.resolve()
  expect(await answer).toEqual({ answered: true, value: 'at last' })
})

test.each([
  'hello',
  '[]',
  '{"command":1,"input":{}}',
  '{"command":"x"}',
  '{"command":"x","input":[]}',
])('a request of another shape (%s) is refused', async (line) => {
  await startHolder(async () => 'never')
  const answer = JSON.parse(await sendRaw(`${line}\n`))
  expect(answer).toMatchObject({ ok: false, exit_code: 2 })
})

test('a request that arrives in parts, split within a character, is read correctly', async () => {
  await startHolder(async ({ input }) => input.name)
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
  const longText = 'x'.repeat(1024 * 1024)
  await startHolder(async ({ input }, emit) => {
    if (input.stream) emit(longText)
    return longText
  })
  const refusal = { message: expect.stringMatching(/longer than 1 MiB/), exitCode: 1 }

  await expect(ask({ longText })).rejects.toMatchObject(refusal)
  await expect(ask({ stream: true })).rejects.toMatchObject(refusal)
  await expect(ask()).rejects.toMatchObject(refusal)
  expect(await sendRaw(`${longText}xx`)).toMatch(/longer than 1 MiB/)
})

test('an answer of nearly 1 MiB arrives', async () => {
  const value = 'x'.repeat(1024 * 1024 - 100)
  await startHolder(async () => value)
  expect(await ask()).toEqual({ answered: true, value })
})

test('a release of the lock ends a running request for its client and in the holder', async () => {
  const started = deferred()
  const aborted = deferred()
  await startHolder(async (_, _emit, signal) => {
    signal.addEventListener('abort', aborted.resolve)
    started.resolve()
    await aborted.promise
  })
  const answer = ask().catch((error) => error)
  await started.promise
  await lock?.release()
  await aborted.promise

  expect(await answer).toMatchObject({
    message: expect.stringMatching(/^The server stopped before it answered/),
    exitCode: 1,
  })
})

test.each([
  ['', /stopped before it answered/],
  ['{"ok":true', /stopped before it answered/],
  ['<html>\n', /is not valid for this version/],
  ['7\n', /is not valid for this version/],
])('an invalid answer %j is refused', async (bytes, message) => {
  const server = await startEarlierHolder(bytes)
  await expect(ask()).rejects.toMatchObject({
    message: expect.stringMatching(message),
    exitCode: 1,
  })
  server.close()
})

test('a holder of an earlier release is not asked to use an option that it would ignore', async () => {
  const server = await startEarlierHolder('{"ok":true,"value":"done"}\n')
  const request = { command: 'do it', input: { endpoint: 'whe_1' } }
  const askWith = (newOptions: string[]) => askHolder(dir, request, { newOptions })
  await expect(askWith(['--endpoint <id>'])).rejects.toMatchObject({
    message: expect.stringMatching(
      /earlier release, which does not have --endpoint <id>\. Restart it/,
    ),
    exitCode: 1,
  })
  expect(await askWith([])).toEqual({ answered: true, value: 'done' })
  server.close()
})

test('a holder of this release is asked to use a new option', async () => {
  await startHolder(async ({ input }) => input)
  const request = { command: 'do it', input: { endpoint: 'whe_1' } }
  const newOptions = ['--endpoint <id>']
  expect(await askHolder(dir, request, { newOptions })).toEqual({
    answered: true,
    value: { endpoint: 'whe_1' },
  })
})

test('an abort by the client rejects its call and aborts the request in the holder', async () => {
  const aborted = deferred()
  const leaving = new AbortController()
  await startHolder(async (_request, _emit, signal) => {
    signal.addEventListener('abort', aborted.resolve)
    leaving.abort()
    await aborted.promise
    return 'too late'
  })
  const askAborted = () =>
    askHolder(dir, { command: 'do it', input: {} }, { signal: leaving.signal })
  await expect(askAborted()).rejects.toThrow('stopped before')
  await aborted.promise
  await expect(askAborted()).rejects.toThrow('stopped before')
})
