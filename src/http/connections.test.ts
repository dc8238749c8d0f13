import { spawnSync } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { pino } from 'pino'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { elapse } from '../../test/until.ts'
import type { Refusal } from '../kernel/errors.ts'
import { ANSWERED_REFUSALS_MAX, type ConnectionLimits, HEALTH_RESERVE } from './connections.ts'
import { type EarlyListener, openEarlyListener } from './early-listener.ts'
import { openServer } from './server.ts'

/** Limits of a few milliseconds, applied to real sockets. */
const SHORT = { firstByte_ms: 100, head_ms: 150, stall_ms: 200, linger_ms: 50, sweep_ms: 10 }
const FOR_EVER_MS = 3_600_000
const PATIENT = {
  ...SHORT,
  firstByte_ms: FOR_EVER_MS,
  head_ms: FOR_EVER_MS,
  healthHead_ms: FOR_EVER_MS,
  stall_ms: FOR_EVER_MS,
}
const WAIT = { timeout: 60_000 }
const FLOOD = 64
const LARGE = 'x'.repeat(8 * 1024 * 1024)

const render = ({ status, code, message }: Refusal) => ({
  status,
  body: JSON.stringify({ code, message }),
})

const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

interface OpenedListener extends EarlyListener {
  /** The server's side of each connection, in the order they were accepted. */
  accepted: Socket[]
  warnings: unknown[]
}

async function open(limits: Partial<ConnectionLimits>): Promise<OpenedListener> {
  const warnings: unknown[] = []
  const log = { warn: (fields: unknown) => void warnings.push(fields) }
  const listener = await openEarlyListener({ host: '127.0.0.1', port: 0, limits, log }, render)
  const server = openServer(pino({ level: 'silent' }), [], render)
  server.get('/healthz', async () => 'alive')
  server.get('/slow', async () => {
    await elapse(5 * SHORT.stall_ms)
    return 'slow'
  })
  server.get('/large', async () => LARGE)
  server.post('/upload', async (request) => String((request.body as Buffer).length))
  await listener.open(server)
  const accepted: Socket[] = []
  const recordAccepted = (message: unknown) => {
    const { socket } = message as { socket: Socket }
    // A socket that was closed on accept no longer has a local port.
    if ([listener.port, undefined].includes(socket.localPort)) accepted.push(socket)
  }
  subscribe('net.server.socket', recordAccepted)
  onTestFinished(async () => {
    unsubscribe('net.server.socket', recordAccepted)
    for (const socket of [...sockets, ...accepted]) socket.destroy()
    await listener.close()
    await server.close()
  })
  return { ...listener, accepted, warnings }
}

interface Client extends Socket {
  received: string
}

/** Opens a client that keeps its half of the connection open, whatever the server does. */
async function openClient(
  port: number,
  firstBytes = '',
  localAddress = '127.0.0.1',
): Promise<Client> {
  const target = { port, host: '127.0.0.1', localAddress, allowHalfOpen: true }
  const socket = Object.assign(connect(target), { received: '' })
  sockets.push(socket)
  socket.on('error', () => {})
  await once(socket, 'connect')
  if (firstBytes) socket.write(firstBytes)
  return socket
}

function collect(socket: Client): Client {
  socket.on('data', (chunk) => {
    socket.received += chunk
  })
  return socket
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`

const untilDestroyed = ({ accepted }: OpenedListener, count: number) =>
  vi.waitFor(() => {
    expect(accepted.map((socket) => socket.destroyed)).toEqual(Array(count).fill(true))
  }, WAIT)

test('a socket that sends nothing is destroyed, even if the client keeps it open (decision 121)', async () => {
  const listener = await open({ ...SHORT, head_ms: FOR_EVER_MS })
  await openClient(listener.port)
  await untilDestroyed(listener, 1)
})

test('a head that does not end is answered 400 and its socket destroyed (decision 121)', async () => {
  const listener = await open({ ...SHORT, firstByte_ms: FOR_EVER_MS })
  const client = collect(await openClient(listener.port, 'GET / HTTP/1.1\r\nhost: '))
  await untilDestroyed(listener, 1)
  await vi.waitFor(() => expect(client.received).toContain('did not arrive in time'), WAIT)
  expect(client.received).toMatch(/^HTTP\/1\.1 400 /)
})

test('a head that arrives slowly has the same deadline as one that stops (decision 121)', async () => {
  const listener = await open(SHORT)
  const client = await openClient(listener.port, 'GET / HTTP/1.1\r\n')
  const slowWrites = setInterval(() => client.write('a: b\r\n'), 10)
  onTestFinished(() => clearInterval(slowWrites))
  await untilDestroyed(listener, 1)
})

test('blank lines after a response count as an unfinished head (decision 121)', async () => {
  const listener = await open(SHORT)
  const client = collect(await openClient(listener.port, get('/healthz')))
  await vi.waitFor(() => expect(client.received).toContain('alive'), WAIT)
  const slowWrites = setInterval(() => client.write('\r\n'), 10)
  onTestFinished(() => clearInterval(slowWrites))
  await untilDestroyed(listener, 1)
})

test('a refused socket is destroyed, even if the client never closes it (decision 121)', async () => {
  const listener = await open(PATIENT)
  const client = collect(await openClient(listener.port, 'HELLO\r\n\r\n'))
  await untilDestroyed(listener, 1)
  await vi.waitFor(() => expect(client.received).toContain('not valid HTTP'), WAIT)
})

test('a socket is destroyed as soon as the client closes its half (decision 121)', async () => {
  const listener = await open(PATIENT)
  const client = await openClient(listener.port)
  client.end()
  await untilDestroyed(listener, 1)
})

test('a socket whose client never reads the response is destroyed (decision 121)', async () => {
  const listener = await open({ ...PATIENT, stall_ms: SHORT.stall_ms })
  const client = await openClient(listener.port, get('/large').repeat(8))
  client.pause()
  await untilDestroyed(listener, 1)
})

test('a slow answer, a slow body and a pause between requests end no connection', async () => {
  const listener = await open({ ...SHORT, firstByte_ms: FOR_EVER_MS })
  const upload = 'POST /upload HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'
  const slowClient = collect(await openClient(listener.port, get('/slow')))
  const client = collect(await openClient(listener.port, `${upload}content-length: 20\r\n\r\n`))
  for (let n = 0; n < 20; n++) {
    await elapse(20)
    client.write('1')
  }
  await vi.waitFor(() => expect(client.received).toMatch(/^HTTP\/1\.1 200 .*\r\n20$/s), WAIT)
  await vi.waitFor(() => expect(slowClient.received).toContain('slow'), WAIT)
  await elapse(2 * SHORT.stall_ms)
  client.write(get('/healthz'))
  await vi.waitFor(() => expect(client.received).toContain('alive'), WAIT)
})

test('other clients are served after silent sockets have reached the first-byte deadline (decision 121)', async () => {
  const total = HEALTH_RESERVE + 4
  const listener = await open({ ...SHORT, total })
  for (let n = 0; n < 30; n++) await openClient(listener.port)
  await vi.waitFor(async () => {
    const client = collect(await openClient(listener.port, get('/slow'), '127.0.0.2'))
    await vi.waitFor(() => expect(client.received).toContain('slow'), { timeout: 2_000 })
  }, WAIT)
})

test('a silent socket is destroyed also after the listener was idle', async () => {
  const listener = await open(SHORT)
  for (let round = 1; round <= 2; round++) {
    await openClient(listener.port)
    await untilDestroyed(listener, round)
    await elapse(5 * SHORT.sweep_ms)
  }
})

test('only health checks from this machine are answered at the connection limit (decision 121)', async () => {
  const listener = await open({ ...PATIENT, total: HEALTH_RESERVE + 2 })
  for (let n = 0; n < 2; n++) await openClient(listener.port)
  for (let n = 0; n < 2 * HEALTH_RESERVE; n++) {
    const client = collect(await openClient(listener.port, get('/healthz')))
    await vi.waitFor(() => expect(client.received).toMatch(/^HTTP\/1\.1 200 .*alive$/s), WAIT)
    expect(client.received).toContain('connection: close')
    client.destroy()
  }
  const otherClient = collect(await openClient(listener.port, get('/slow')))
  await vi.waitFor(() => expect(otherClient.received).toMatch(/^HTTP\/1\.1 503 /), WAIT)
  expect(listener.warnings).toEqual([])
})

test('a connection is closed without an answer if the reserve for health checks is full too (decision 121)', async () => {
  const listener = await open({ ...PATIENT, total: HEALTH_RESERVE })
  for (let n = 0; n < HEALTH_RESERVE; n++) await openClient(listener.port)
  await openClient(listener.port)
  await vi.waitFor(() => expect(listener.accepted[HEALTH_RESERVE]?.destroyed).toBe(true), WAIT)
  expect(listener.accepted.filter((socket) => socket.destroyed)).toHaveLength(1)
  expect(listener.warnings).toEqual([{ limit: 'total', address: '127.0.0.1' }])
})

test('health checks are answered after silent sockets from this machine have reached their deadline (decision 121)', async () => {
  const listener = await open({ ...PATIENT, healthHead_ms: SHORT.head_ms, total: HEALTH_RESERVE })
  for (let n = 0; n < HEALTH_RESERVE; n++) await openClient(listener.port)
  await untilDestroyed(listener, HEALTH_RESERVE)
  const client = collect(await openClient(listener.port, get('/healthz')))
  await vi.waitFor(() => expect(client.received).toContain('alive'), WAIT)
})

test('an address with too many connections is refused, and others are not (decision 121)', async () => {
  const listener = await open({ ...PATIENT, perAddress: HEALTH_RESERVE + 2 })
  const clients: Client[] = []
  // Loopback may use the health check reserve in addition to its own limit.
  for (let n = 0; n < 2 * HEALTH_RESERVE + 2; n++) clients.push(await openClient(listener.port))
  const refusedClient = collect(await openClient(listener.port))
  await vi.waitFor(() => expect(refusedClient.received).toContain('Too many connections'), WAIT)
  expect(refusedClient.received).toMatch(/^HTTP\/1\.1 503 .*connection: close/s)
  await vi.waitFor(() => expect(listener.accepted.at(-1)?.destroyed).toBe(true), WAIT)
  const otherClient = collect(await openClient(listener.port, get('/slow'), '127.0.0.2'))
  await vi.waitFor(() => expect(otherClient.received).toContain('slow'), WAIT)
  expect(listener.warnings).toEqual([{ limit: 'address', address: '127.0.0.1' }])
  for (const socket of clients) socket.destroy()
  await vi.waitFor(async () => {
    const reopened = collect(await openClient(listener.port, get('/slow')))
    await vi.waitFor(() => expect(reopened.received).toMatch(/^HTTP\/1\.1 200 /), {
      timeout: 2_000,
    })
  }, WAIT)
})

test('a flood of refused connections is answered 64 times between two sweeps, then closed (decision 121)', async () => {
  const listener = await open({ ...PATIENT, perAddress: 1, sweep_ms: FOR_EVER_MS })
  for (let n = 0; n <= HEALTH_RESERVE; n++) await openClient(listener.port)
  const flood: Client[] = []
  for (let n = 0; n < ANSWERED_REFUSALS_MAX + 3; n++)
    flood.push(collect(await openClient(listener.port)))
  const isClosed = () => listener.accepted.slice(-3).every((socket) => socket.destroyed)
  await vi.waitFor(() => expect(isClosed()).toBe(true), WAIT)
  const last = flood.at(ANSWERED_REFUSALS_MAX - 1)
  await vi.waitFor(() => expect(last?.received).toContain('Too many connections'), WAIT)
  expect(flood.filter(({ received }) => received !== '')).toHaveLength(ANSWERED_REFUSALS_MAX)
})

test.each([
  ['a trusted proxy', { perAddress: 1, exempt: ['127.0.0.0/8'] }],
  ['any address with the limit 0', { perAddress: 0 }],
])('%s has no connection limit (decision 121)', async (_, limits) => {
  const listener = await open({ ...PATIENT, ...limits })
  for (let n = 0; n < 300; n++) await openClient(listener.port)
  const client = collect(await openClient(listener.port, get('/slow')))
  await vi.waitFor(() => expect(client.received).toContain('slow'), WAIT)
})

test('by default an address may have 256 connections (decision 121)', async () => {
  const listener = await open(PATIENT)
  for (let n = 0; n < 256 + HEALTH_RESERVE; n++) await openClient(listener.port)
  const refusedClient = collect(await openClient(listener.port))
  await vi.waitFor(() => expect(refusedClient.received).toContain('Too many connections'), WAIT)
})

test('an open server accepts several connections of a flood in one turn of the event loop (decision 121)', async () => {
  const { port, accepted } = await open({ perAddress: 0 })
  const opener = `let open = 0
  for (let number = 0; number < ${FLOOD}; number++) {
    require('node:net').connect(${port}, '127.0.0.1').on('connect', () => ++open === ${FLOOD} && process.exit())
  }`
  // The server opens its further handles some time after it is open.
  await vi.waitFor(async () => {
    const acceptedBefore = accepted.length
    expect(spawnSync(process.execPath, ['--eval', opener]).status).toBe(0)
    const turns: number[] = []
    while (accepted.length < acceptedBefore + FLOOD) {
      const acceptedEarlier = accepted.length
      await new Promise((resolve) => setImmediate(resolve))
      turns.push(accepted.length - acceptedEarlier)
    }
    expect(Math.max(...turns)).toBeGreaterThan(1)
  }, WAIT)
})
