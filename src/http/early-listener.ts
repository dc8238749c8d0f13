import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { StoreError, unavailable } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import { MINUTE_MS, SECOND_MS, steadyClock } from '../kernel/time.ts'
import { type ConnectionLimits, Connections, LIMITS } from './connections.ts'
import {
  answerBeforeBody,
  endWith,
  HEADERS_BYTES_MAX,
  type Render,
  refuseOnSocket,
} from './server.ts'

/** The server's socket: it listens before the database is open, and says so until it is. */
export interface EarlyListener {
  /** Where it listens, which matters for port 0. */
  port: number
  /** From now on requests are served. */
  open(server: FastifyInstance): Promise<void>
  /** Readiness fails from now on; requests are still served. */
  leave(): void
  leaving(): boolean
  /** Takes no connection more, and waits for the requests that are being served. */
  close(): Promise<void>
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void

export interface FrontOptions {
  host: string
  port: number
  /** What differs from the usual limits of connections. */
  limits?: Partial<ConnectionLimits>
  log?: Pick<Logger, 'warn'>
}

/** No limit: bodies have deadlines of their own (body-pace.ts), and heads too (connections.ts). */
const REQUEST_TIMEOUT_MS = 0
const KEEP_ALIVE_MS = 72 * SECOND_MS
const DRAIN_MS = 10 * SECOND_MS
/** Of the files that this process may have open. The embedded database needs the others. */
const CONNECTIONS_SHARE = 0.5
/** What a connection may ask for that was accepted over the limit, from this machine. */
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
  options: FrontOptions,
  render: Render,
): Promise<EarlyListener> {
  let handler: Handler = (request, response) => notReady(request, response, render)
  let leaving = false
  const serve: Handler = (request, response) => {
    const onlyHealth = connections.isReserved(request.socket)
    if (onlyHealth || leaving) response.setHeader('connection', 'close')
    if (onlyHealth && !HEALTH_PATHS.includes(request.url ?? '')) {
      return endResponse(response, tooMany(), render, request.url)
    }
    handler(request, response)
  }
  // Without a Host, or with an Expect of its own, Node would answer by itself, in other words.
  const server = createServer({ maxHeaderSize: HEADERS_BYTES_MAX, requireHostHeader: false })
  const connections = new Connections(
    server,
    { ...LIMITS, total: connectionsMax(), ...options.limits },
    {
      refuse: (socket) => endWith(socket, tooMany(), render),
      expire: (socket) => endWith(socket, headTooLate(), render),
      onRefused: warnAtTimes(options.log),
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
    },
    leave() {
      leaving = true
    },
    leaving: () => leaving,
    async close() {
      leaving = true
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeIdleConnections()
      const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
      await closed
      clearTimeout(timer)
      connections.stop()
    },
  }
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
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
  new StoreError('INVALID_JSON', 'The head of the request did not arrive in time; repeat the call.')

/** An attack must not fill the log. */
function warnAtTimes(log: FrontOptions['log']) {
  let next = 0
  return (limit: 'total' | 'address', address: string) => {
    const now = steadyClock.now()
    if (now < next) return
    next = now + WARN_EVERY_MS
    log?.warn({ limit, address }, 'connections are refused: too many are open')
  }
}

/** Alive, but the database is not there yet. */
function notReady(request: IncomingMessage, response: ServerResponse, render: Render) {
  if (request.url !== '/healthz') {
    const starting = unavailable('The service is starting; repeat the call.')
    return endResponse(response, starting, render, request.url)
  }
  response.writeHead(200, { 'content-type': JSON_TYPE, 'x-request-id': newId('req_') })
  response.end(JSON.stringify({ status: 'ok' }))
}

function endResponse(response: ServerResponse, error: StoreError, render: Render, url?: string) {
  const requestId = newId('req_')
  const { status, headers, body } = render(error, requestId, url)
  response.writeHead(status, { 'content-type': JSON_TYPE, 'x-request-id': requestId, ...headers })
  response.end(body)
}
