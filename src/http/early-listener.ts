import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket, Server as SocketServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { Refusal, unavailable } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import { MINUTE_MS, SECOND_MS, steadyClock } from '../kernel/time.ts'
import { type ConnectionLimits, Connections, LIMITS } from './connections.ts'
import { HANDLES, openMoreHandles } from './more-handles.ts'
import {
  answerBeforeBody,
  endWith,
  HEADERS_BYTES_MAX,
  type Render,
  refuseOnSocket,
} from './server.ts'

/** The server's socket. It listens before the database is open, and answers 503 until then. */
export interface EarlyListener {
  /** The actual port, if the configured port is 0. */
  port: number
  /** Starts serving requests. */
  open(server: FastifyInstance): Promise<void>
  /** Makes readiness fail; requests are still served. */
  leave(): void
  leaving(): boolean
  /** Accepts no further connections, and waits until running requests end. */
  close(): Promise<void>
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void

export interface EarlyListenerOptions {
  host: string
  port: number
  /** Overrides of the default connection limits. */
  limits?: Partial<ConnectionLimits>
  log?: Pick<Logger, 'warn'>
}

/**
 * Connections that wait to be accepted; the system may allow fewer. With Node's 511, a flood of
 * connections makes the system drop further ones, and their clients try again a second later.
 */
const BACKLOG = 4_096
/** Disabled: bodies (body-pace.ts) and heads (connections.ts) have their own deadlines. */
const REQUEST_TIMEOUT_MS = 0
const KEEP_ALIVE_MS = 72 * SECOND_MS
const DRAIN_MS = 10 * SECOND_MS
/** The share of the open file limit for connections. The embedded database needs the rest. */
const CONNECTIONS_SHARE = 0.5
/** Paths that connections from the health check reserve may request. */
const HEALTH_PATHS = ['/healthz', '/readyz']
const WARN_EVERY_MS = MINUTE_MS
const JSON_TYPE = 'application/json; charset=utf-8'

function connectionsMax(): number {
  const { userLimits } = process.report.getReport() as {
    userLimits?: { open_files?: { soft: number | 'unlimited' } }
  }
  const files = userLimits?.open_files?.soft
  return typeof files === 'number' ? Math.floor(files * CONNECTIONS_SHARE) : Number.MAX_SAFE_INTEGER
}

export async function openEarlyListener(
  options: EarlyListenerOptions,
  render: Render,
): Promise<EarlyListener> {
  let handler: Handler = (request, response) => notReady(request, response, render)
  let leaving = false
  let moreHandles: Promise<SocketServer[]> = Promise.resolve([])
  const stopped = new AbortController()
  const serve: Handler = (request, response) => {
    const onlyHealth = connections.isReserved(request.socket)
    if (onlyHealth || leaving) response.setHeader('connection', 'close')
    if (onlyHealth && !HEALTH_PATHS.includes(request.url ?? '')) {
      return endResponse(response, tooMany(), render, request.url)
    }
    handler(request, response)
  }
  // Node would otherwise answer a missing Host or an unknown Expect itself, in another format.
  const server = createServer({ maxHeaderSize: HEADERS_BYTES_MAX, requireHostHeader: false })
  const connections = new Connections(
    server,
    { ...LIMITS, total: connectionsMax(), ...options.limits },
    {
      refuse: (socket) => endWith(socket, tooMany(), render),
      expire: (socket) => endWith(socket, headTooLate(), render),
      onRefused: createRefusalWarning(options.log),
    },
  )
  server.on('request', serve)
  server.on('checkContinue', answerBeforeBody)
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.requestTimeout = REQUEST_TIMEOUT_MS
  server.keepAliveTimeout = KEEP_ALIVE_MS
  server.on('clientError', (error, socket) => {
    refuseOnSocket(error, socket, render)
    connections.close(socket as Socket)
  })
  await listen(server, options.host, options.port)

  return {
    port: (server.address() as AddressInfo).port,
    async open(fastify) {
      await fastify.ready()
      handler = (request, response) => fastify.routing(request, response)
      moreHandles = openMoreHandles(server, HANDLES - 1, stopped.signal)
    },
    leave() {
      leaving = true
    },
    leaving: () => leaving,
    async close() {
      leaving = true
      stopped.abort()
      const closed = Promise.all([server, ...(await moreHandles)].map(closeServer))
      server.closeIdleConnections()
      const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
      await closed
      clearTimeout(timer)
      connections.stop()
    },
  }
}

const closeServer = (server: SocketServer) =>
  new Promise<void>((resolve) => void server.close(() => resolve()))

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, backlog: BACKLOG }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

const tooMany = () =>
  unavailable(
    'Too many connections are open from this address. Close some, or raise TRADEPOST_MAX_CONNECTIONS_PER_ADDRESS.',
  )

const headTooLate = () =>
  new Refusal('INVALID_JSON', 'The head of the request did not arrive in time; repeat the call.')

/** Limits warnings to one a minute, so that an attack cannot fill the log. */
function createRefusalWarning(log: EarlyListenerOptions['log']) {
  let next = 0
  return (limit: 'total' | 'address', address: string) => {
    const now = steadyClock.now()
    if (now < next) return
    next = now + WARN_EVERY_MS
    log?.warn({ limit, address }, 'Refused a connection because too many are open')
  }
}

/** Answers requests until the database is open: alive, but not ready. */
function notReady(request: IncomingMessage, response: ServerResponse, render: Render) {
  if (request.url !== '/healthz') {
    const starting = unavailable('The service is starting; repeat the call.')
    return endResponse(response, starting, render, request.url)
  }
  response.writeHead(200, { 'content-type': JSON_TYPE, 'x-request-id': newId('req_') })
  response.end(JSON.stringify({ status: 'ok' }))
}

function endResponse(response: ServerResponse, error: Refusal, render: Render, url?: string) {
  const requestId = newId('req_')
  const { status, headers, body } = render(error, requestId, url)
  response.writeHead(status, { 'content-type': JSON_TYPE, 'x-request-id': requestId, ...headers })
  response.end(body)
}
