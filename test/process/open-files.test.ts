import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'

import { buildOnce, ROOT } from './build-once.ts'
import { call } from './client.ts'
import { createMigratedInstallation } from './spawn-server.ts'

const FILES_MAX = 512
const IDLE = 700

test('many idle connections do not harm the embedded database, which shares the limit of open files', async () => {
  const installation = await createMigratedInstallation()
  const idle: Socket[] = []
  try {
    const env = { TRADEPOST_MAX_CONNECTIONS_PER_ADDRESS: '0' }
    const { origin, live } = await installation.start(env, `ulimit -n ${FILES_MAX}`)
    const target = { origin, store: live.id, key: live.api_key ?? '' }
    const { port } = new URL(origin)
    for (let n = 0; n < IDLE; n++) {
      const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
      idle.push(socket)
      await once(socket, 'connect')
    }
    const health = () => fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(5_000) })
    expect((await vi.waitFor(health, { timeout: 60_000 })).status).toBe(200)
    for (const socket of idle) socket.destroy()
    const body = { name: 'Editor', price_cents: 1999 }
    // The server notices a moment later that they are gone.
    const made = () => call(target, 'POST', '/products', { body })
    expect((await vi.waitFor(made, { timeout: 60_000 })).status).toBe(201)
    expect((await fetch(`${origin}/readyz`)).status).toBe(200)
  } finally {
    for (const socket of idle) socket.destroy()
    await installation.close()
  }
})

test('a webhook that no file is left for was not sent, and its receiver is not to blame', async () => {
  await buildOnce()
  const sender = join(ROOT, 'dist/sender/sender.js')
  const program = `
    import { closeSync, openSync } from 'node:fs'
    import { createServer } from 'node:http'
    import { createSender } from ${JSON.stringify(sender)}
    const receiver = createServer((_, answer) => answer.end('ok')).listen(0, '127.0.0.1')
    await new Promise((resolve) => receiver.once('listening', resolve))
    const { send, close } = createSender({ allowedHosts: new Set(['127.0.0.1']) })
    const url = 'http://127.0.0.1:' + receiver.address().port + '/hook'
    const post = () => send({ url, headers: {}, body: Buffer.from('{}') })
    const files = []
    for (;;) try { files.push(openSync('/dev/null')) } catch { break }
    const none = await post()
    files.forEach((file) => closeSync(file))
    const some = await post()
    await close()
    receiver.close()
    console.log(JSON.stringify([none, some]))`
  const line = ['sh', '-c', 'ulimit -n 64; exec "$@"', 'sh', process.execPath]
  const [shell = '', ...words] = [...line, '--input-type=module', '--eval', program]
  const { stdout, stderr } = spawnSync(shell, words, { encoding: 'utf8', timeout: 30_000 })
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toMatchObject([
    {
      unsent: true,
      error:
        'connection_refused: This server has no file descriptor or memory left for a connection.',
    },
    { ok: true, status_code: 200 },
  ])
})

test('where too few files may be open it says so, instead of ending in the midst of loading', async () => {
  const installation = await createMigratedInstallation()
  try {
    const { code, stdout, stderr } = await installation.run(['start'], {}, 'ulimit -n 256')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toBe('Only 256 files may be open at once. Allow more: ulimit -n 1024\n')
  } finally {
    await installation.close()
  }
})
