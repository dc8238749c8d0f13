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

async function openServer(): Promise<{ server: Server; port: number }> {
  const server = createServer()
  servers.push(server)
  server.listen({ port: 0, host: '127.0.0.1', backlog: 512 })
  await once(server, 'listening')
  return { server, port: (server.address() as AddressInfo).port }
}

const neverAborted = () => new AbortController().signal

/** Resolves to the number of accepted connections in each turn of the event loop. */
async function acceptedByTurn(server: Server, port: number): Promise<number[]> {
  let accepted = 0
  server.on('connection', (socket) => {
    accepted++
    socket.on('error', () => undefined).resume()
  })
  // The system completes the connections while this process waits for the client process.
  const { status } = spawnSync(process.execPath, ['--eval', CALLER, String(port)])
  expect(status).toBe(0)
  const turns: number[] = []
  for (let acceptedBefore = accepted; accepted < CONNECTIONS; acceptedBefore = accepted) {
    await new Promise((resolve) => setImmediate(resolve))
    turns.push(accepted - acceptedBefore)
  }
  return turns
}

test('sixteen handles accept a flood of connections in a sixteenth of the turns of the event loop (decision 121)', async () => {
  const { server, port } = await openServer()
  servers.push(...(await openMoreHandles(server, HANDLES - 1, neverAborted())))

  const turns = (await acceptedByTurn(server, port)).filter((count) => count > 0)
  // The system need not spread the connections evenly over the handles.
  expect(turns.length).toBeLessThanOrEqual(CONNECTIONS / HANDLES + 2)
})

test('a port is free again once its server and its further handles are closed', async () => {
  const { server, port } = await openServer()
  const furtherHandles = await openMoreHandles(server, 2, neverAborted())
  expect(furtherHandles).toHaveLength(2)
  for (const handle of [server, ...furtherHandles]) {
    handle.close()
    await once(handle, 'close')
  }
  const nextServer = createServer()
  servers.push(nextServer)
  nextServer.listen(port, '127.0.0.1')
  await once(nextServer, 'listening')
})

test('a process that stops opens no further handles', async () => {
  const { server } = await openServer()
  const stopped = AbortSignal.abort()
  expect(await openMoreHandles(server, HANDLES, stopped)).toEqual([])
})
