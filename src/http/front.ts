import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { unavailable } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import { SECOND_MS } from '../kernel/time.ts'
import { answerBeforeBody, HEADERS_BYTES_MAX, type Render, refuseOnSocket } from './server.ts'

/** The server's socket: it listens before the database is open, and says so until it is. */
export interface Front {
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

/** None: bodies have deadlines of their own (body-pace.ts), and headers have Node's 60 s. */
const REQUEST_TIMEOUT_MS = 0
const KEEP_ALIVE_MS = 72 * SECOND_MS
const DRAIN_MS = 10 * SECOND_MS
/** Of the files that this process may have open. Who holds many connections leaves the database its own. */
const CONNECTIONS_SHARE = 0.5

function connectionsMax(): number {
  const { userLimits } = process.report.getReport() as {
    userLimits?: { open_files?: { soft: number | 'unlimited' } }
  }
  const files = userLimits?.open_files?.soft
  return typeof files === 'number' ? Math.floor(files * CONNECTIONS_SHARE) : Number.MAX_SAFE_INTEGER
}

export async function openFront(
  { host, port }: { host: string; port: number },
  render: Render,
): Promise<Front> {
  let handler: Handler = (request, response) => notReady(request, response, render)
  let leaving = false
  // Without a Host, or with an Expect of its own, Node would answer by itself, in other words.
  const options = { maxHeaderSize: HEADERS_BYTES_MAX, requireHostHeader: false }
  const server = createServer(options, (request, response) => handler(request, response))
  server.on('checkContinue', answerBeforeBody)
  server.on('checkExpectation', (request, response) => handler(request, response))
  server.maxConnections = connectionsMax()
  server.requestTimeout = REQUEST_TIMEOUT_MS
  server.keepAliveTimeout = KEEP_ALIVE_MS
  server.on('clientError', (error, socket) => refuseOnSocket(error, socket, render))
  await listen(server, host, port)

  return {
    port: (server.address() as AddressInfo).port,
    async open(fastify) {
      await fastify.ready()
      handler = (request, response) => {
        if (leaving) response.setHeader('connection', 'close')
        fastify.routing(request, response)
      }
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

/** Alive, but the database is not there yet. */
function notReady(request: IncomingMessage, response: ServerResponse, render: Render) {
  const alive = request.url === '/healthz'
  const requestId = newId('req_')
  const starting = unavailable('The service is starting; repeat the call.')
  const refusal = render(starting, requestId, request.url)
  response.writeHead(alive ? 200 : refusal.status, {
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': requestId,
    ...(alive ? {} : refusal.headers),
  })
  response.end(alive ? JSON.stringify({ status: 'ok' }) : refusal.body)
}
