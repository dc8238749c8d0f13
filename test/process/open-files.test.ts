import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'

import { buildOnce, ROOT } from './build-once.ts'
import { call, targetOf } from './client.ts'
import { createMigratedInstallation } from './spawn-server.ts'

const FILES_MAX = 512
const IDLE_SOCKETS = 700
const WAIT = { timeout: 60_000 }

test('more idle connections than allowed open files do not stop the embedded database', async () => {
  const installation = await createMigratedInstallation()
  const idleSockets: Socket[] = []
  try {
    const env = { TRADEPOST_MAX_CONNECTIONS_PER_ADDRESS: '0' }
    const server = await installation.start(env, `ulimit -n ${FILES_MAX}`)
    const { origin } = server
    const { port } = new URL(origin)
    for (let n = 0; n < IDLE_SOCKETS; n++) {
      const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
      idleSockets.push(socket)
      await once(socket, 'connect')
    }
    const checkHealth = () => fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(5_000) })
    expect((await vi.waitFor(checkHealth, WAIT)).status).toBe(200)
    for (const socket of idleSockets) socket.destroy()
    const body = { name: 'Editor', price_cents: 1999 }
    // The server detects the disconnects a moment later.
    const createProduct = () => call(targetOf(server), 'POST', '/products', { body })
    expect((await vi.waitFor(createProduct, WAIT)).status).toBe(201)
    expect((await fetch(`${origin}/readyz`)).status).toBe(200)
  } finally {
    for (const socket of idleSockets) socket.destroy()
    await installation.close()
  }
})

test('an attempt without a free file descriptor is reported as unsent, not as a failure of the receiver', async () => {
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
    const outcomeWithoutDescriptors = await post()
    files.forEach((file) => closeSync(file))
    const outcomeWithDescriptors = await post()
    await close()
    receiver.close()
    console.log(JSON.stringify([outcomeWithoutDescriptors, outcomeWithDescriptors]))`
  const limited = ['-c', 'ulimit -n 64; exec "$@"', 'sh', process.execPath]
  const args = [...limited, '--input-type=module', '--eval', program]
  const { stdout, stderr } = spawnSync('sh', args, { encoding: 'utf8', timeout: 60_000 })
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

test('a start with fewer than 1024 allowed open files exits 2 and names the remedy', async () => {
  const installation = await createMigratedInstallation()
  try {
    const { code, stdout, stderr } = await installation.run(['start'], {}, 'ulimit -n 256')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toBe('Only 256 files may be open at once. Raise the limit: ulimit -n 1024\n')
  } finally {
    await installation.close()
  }
})
