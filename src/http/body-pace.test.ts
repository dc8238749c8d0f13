import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import type { Refusal } from '../kernel/errors.ts'
import { setBodyDeadline, watchPace } from './body-pace.ts'
import { openServer } from './server.ts'

const render = ({ status, code, message }: Refusal) => ({
  status,
  body: JSON.stringify({ code, message }),
})
const PACE = { bytes: 100, tick_ms: 20, ticks: 5 }

/**
 * Opens a server and a connection to it. A body must arrive within 100 ms, and an upload must send 100 bytes
 * a tick on average.
 */
async function openConnection(): Promise<Socket> {
  const server = openServer(pino({ level: 'silent' }), [], render)
  server.post('/json', {
    onRequest: async (request, reply) => setBodyDeadline(request, reply, 100),
    handler: async () => 'read',
  })
  server.post('/refused', {
    onRequest: async (request, reply) => {
      setBodyDeadline(request, reply, 100)
      return reply.code(401).send('refused')
    },
    handler: async () => 'read',
  })
  server.post('/upload', async (request, reply) => {
    const pace = watchPace(request, reply, PACE)
    try {
      let bytes = 0
      await pipeline(request.body as Readable, async (chunks) => {
        for await (const chunk of chunks) bytes += chunk.length
      })
      return `${bytes} bytes`
    } finally {
      pace.end()
    }
  })
  await server.ready()
  const listener = createServer((request, response) => server.routing(request, response))
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const socket = connect((listener.address() as AddressInfo).port, '127.0.0.1')
  onTestFinished(async () => {
    socket.destroy()
    listener.closeAllConnections()
    listener.close()
    await server.close()
  })
  return socket
}

const head = (path: string, type: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: 100000\r\n\r\n`

/** Collects the answer until the server closes the connection. */
async function readToEnd(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (bytes) => {
    text += bytes
  })
  socket.on('error', () => undefined)
  await new Promise((resolve) => socket.on('close', resolve))
  return text
}

test('a body that does not arrive in time is answered with 408, and its connection ends (decision 120)', async () => {
  const socket = await openConnection()
  socket.write(`${head('/json', 'application/json')}{`)
  expect(await readToEnd(socket)).toMatch(
    /^HTTP\/1.1 408 [\s\S]*connection: close[\s\S]*"code":"INVALID_JSON"/i,
  )
})

test('the unread body of a refused call has the same deadline (decision 120)', async () => {
  const socket = await openConnection()
  socket.write(`${head('/refused', 'application/json')}{`)
  expect(await readToEnd(socket)).toMatch(/^HTTP\/1.1 401 /)
})

test('an upload that stops is answered with 408, and its connection ends (decision 120)', async () => {
  const socket = await openConnection()
  socket.write(`${head('/upload', 'application/octet-stream')}x`)
  expect(await readToEnd(socket)).toMatch(/^HTTP\/1.1 408 [\s\S]*Send a file at 100 bytes/)
})

test('an upload that is too slow is aborted, and its answer may be lost (decision 120)', async () => {
  const socket = await openConnection()
  socket.write(head('/upload', 'application/octet-stream'))
  const trickle = setInterval(() => socket.write('x'), 20)
  onTestFinished(() => clearInterval(trickle))
  expect(await readToEnd(socket)).toMatch(/^(HTTP\/1.1 408 |$)/)
})

test('an upload that is fast enough has no deadline (decision 120)', async () => {
  const socket = await openConnection()
  socket.write(head('/upload', 'application/octet-stream'))
  let sentBytes = 0
  // Each chunk is as large as the bytes required over the whole averaging window.
  const steady = setInterval(() => {
    if (sentBytes === 100_000) return clearInterval(steady)
    socket.write('x'.repeat(2_500))
    sentBytes += 2_500
  }, 10)
  onTestFinished(() => clearInterval(steady))
  const [bytes] = await once(socket, 'data')
  expect(String(bytes)).toMatch(/100000 bytes$/)
})
