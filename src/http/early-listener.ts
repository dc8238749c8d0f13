import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket, Server as SocketServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { Refusal, unavailable } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import { MINUTE_MS, SECOND_MS, steadyClock } from '../kernel/time.ts'
import { type ConnectionLimits, Connections, LIMITS } from './connections.ts'
import { refusalOfHost } from './host-header.rules.ts'
import { HANDLES, openMoreHandles } from './more-handles.ts'
import {
  answerExpectContinue,
  endWith,
  HEADERS_BYTES_MAX,
  type Render,
  refuseOnSocket,
} from './server.ts'

/** The server's socket. It listens before the database is open, and answers 503 until then. */
export interface EarlyListener {
  /** The port on which the server listens. It is chosen by the system if the configured port is 0. */
  port: number
  /** Starts serving requests. */
  open(server: FastifyInstance): Promise<void>
  /** Makes readiness fail; requests are still served. */
  failReadiness(): void
  isStopping(): boolean
  /** Accepts no further connections, and waits until running requests end. */
  close(): Promise<void>
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void

interface EarlyListenerOptions {
  host: string
  port: number
  /** Overrides of the default connection limits. */
  limits?: Partial<ConnectionLimits>
  log?: Pick<Logger, 'warn'>
}

/**
 * The connections that may wait to be accepted; the system may allow fewer. With Node's default of 511,
 * the system would drop connections in a flood, and their clients would retry a second later.
 */
const BACKLOG = 4_096
/** 0 disables Node's timeout, because body-pace.ts and connections.ts set deadlines for bodies and heads. */
const REQUEST_TIMEOUT_MS = 0
const KEEP_ALIVE_MS = 72 * SECOND_MS
const DRAIN_MS = 10 * SECOND_MS
/** The share of the open file limit for connections. The embedded database needs the rest. */
const CONNECTIONS_SHARE = 0.5
/** The paths that may be requested on a connection reserved for health checks. */
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
  let handler: Handler = (request, response) => answerWhileOpening(request, response, render)
  let isStopping = false
  let moreHandles: Promise<SocketServer[]> = Promise.resolve([])
  const closing = new AbortController()
  const serve: Handler = (request, response) => {
    const isHealthOnly = connections.isReserved(request.socket)
    if (isHealthOnly || isStopping) response.setHeader('connection', 'close')
    if (isHealthOnly && !HEALTH_PATHS.includes(request.url ?? '')) {
      return endResponse(response, tooManyConnections(), render, request.url)
    }
    const refusal = refusalOfHost(request.httpVersion, request.rawHeaders)
    if (refusal) {
      // A proxy may have parsed the head differently, so this connection is not read any further.
      response.setHeader('connection', 'close')
      return endResponse(response, refusal, render, request.url)
    }
    handler(request, response)
  }
  // Node would otherwise answer a missing Host itself, in another format.
  const server = createServer({ maxHeaderSize: HEADERS_BYTES_MAX, requireHostHeader: false })
  const connections = new Connections(
    server,
    { ...LIMITS, total: connectionsMax(), ...options.limits },
    {
      refuse: (socket) => endWith(socket, tooManyConnections(), render),
      expire: (socket) => endWith(socket, headTooLateRefusal(), render),
      onRefused: createRefusalWarning(options.log),
    },
  )
  server.on('request', serve)
  server.on('checkContinue', answerExpectContinue)
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
      moreHandles = openMoreHandles(server, HANDLES - 1, closing.signal)
    },
    failReadiness() {
      isStopping = true
    },
    isStopping: () => isStopping,
    async close() {
      isStopping = true
      closing.abort()
      const allClosed = Promise.all([server, ...(await moreHandles)].map(closeServer))
      server.closeIdleConnections()
      const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
      await allClosed
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

const tooManyConnections = () =>
  unavailable(
    'Too many connections are open from this address. Close some, or raise TRADEPOST_MAX_CONNECTIONS_PER_ADDRESS.',
  )

const headTooLateRefusal = () =>
  new Refusal('INVALID_JSON', 'The head of the request did not arrive in time; repeat the call.')

/** Limits warnings to one a minute, so that an attack cannot fill the log. */
function createRefusalWarning(log: EarlyListenerOptions['log']) {
  let nextWarningAt = 0
  return (limit: 'total' | 'address', address: string) => {
    const now = steadyClock.now()
    if (now < nextWarningAt) return
    nextWarningAt = now + WARN_EVERY_MS
    log?.warn({ limit, address }, 'Refused a connection because too many are open')
  }
}

/** Answers requests until the database is open: health checks with 200, others with 503. */
function answerWhileOpening(request: IncomingMessage, response: ServerResponse, render: Render) {
  if (request.url !== '/healthz') {
    const refusal = unavailable('The service is starting; repeat the call.')
    return endResponse(response, refusal, render, request.url)
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
