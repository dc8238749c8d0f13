import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { HANDLES, openMoreHandles } from './more-handles.ts'

const CONNECTIONS = 64
const CALLER = `
  const { connect } = require('node:net')
  let open = 0
  for (let number = 0; number < ${CONNECTIONS}; number++) {
    connect(Number(process.argv[1]), '127.0.0.1', () => {
      if (++open === ${CONNECTIONS}) process.exit()
    })
  }`

const servers: Server[] = []

afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

async function listening(): Promise<{ server: Server; port: number }> {
  const server = createServer()
  servers.push(server)
  server.listen({ port: 0, host: '127.0.0.1', backlog: 512 })
  await once(server, 'listening')
  return { server, port: (server.address() as AddressInfo).port }
}

const running = () => new AbortController().signal

/** Resolves to how many connections were accepted in each turn of the event loop. */
async function acceptedByTurn(server: Server, port: number): Promise<number[]> {
  let accepted = 0
  server.on('connection', (socket) => {
    accepted++
    socket.on('error', () => undefined).resume()
  })
  // The system completes the connections while this process waits for the caller's end.
  const { status } = spawnSync(process.execPath, ['--eval', CALLER, String(port)])
  expect(status).toBe(0)
  const turns: number[] = []
  for (let before = accepted; accepted < CONNECTIONS; before = accepted) {
    await new Promise((resolve) => setImmediate(resolve))
    turns.push(accepted - before)
  }
  return turns
}

test('a flood of connections is accepted in a sixteenth of the turns of the event loop (319)', async () => {
  const { server, port } = await listening()
  servers.push(...(await openMoreHandles(server, HANDLES - 1, running())))

  const turns = (await acceptedByTurn(server, port)).filter((count) => count > 0)
  expect(turns.length).toBeLessThanOrEqual(CONNECTIONS / HANDLES + 2)
})

test('a socket is free again once its server and its further handles are closed', async () => {
  const { server, port } = await listening()
  const more = await openMoreHandles(server, 2, running())
  expect(more).toHaveLength(2)
  for (const each of [server, ...more]) {
    each.close()
    await once(each, 'close')
  }
  const next = createServer()
  servers.push(next)
  next.listen(port, '127.0.0.1')
  await once(next, 'listening')
})

test('a process that stops does not wait for further handles', async () => {
  const { server } = await listening()
  const stopped = AbortSignal.abort()
  expect(await openMoreHandles(server, HANDLES, stopped)).toEqual([])
})
