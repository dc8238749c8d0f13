import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Logger } from 'pino'
import { DatabaseBusyError } from '../db/connection-queue.ts'
import { isUnavailable } from '../db/failure.ts'
import { errorForLog } from '../kernel/error-for-log.ts'
import { type Code, notFound, Refusal, tooLarge, unavailable } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import { forwardedAddresses } from '../kernel/net.ts'
import { BODY_DEADLINE_MS, setBodyDeadline } from './body-pace.ts'
import { hasDotSegment } from './call-path.rules.ts'
import type { Answer } from './idempotency.ts'
import { sendAnswer } from './pipeline.ts'
import { dropRestOfBody } from './rest-of-body.ts'

const JSON_BODY_MAX = 1024 * 1024
export const HEADERS_BYTES_MAX = 16 * 1024

/** Renders a refusal. `url` is the requested path, if known: surfaces have different forms of refusals. */
export type Render = (error: Refusal, requestId: string, url?: string) => Answer

/** Opens the server for all surfaces. Errors of Fastify are rendered as our refusals. */
export function openServer(
  log: Logger,
  trustedProxies: readonly string[],
  render: Render,
): FastifyInstance {
  const server = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => newId('req_'),
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    bodyLimit: JSON_BODY_MAX,
    routerOptions: {
      // The shape of the endpoint refuses long ids, after authentication.
      maxParamLength: HEADERS_BYTES_MAX,
      ignoreDuplicateSlashes: false,
    },
    rewriteUrl: ({ url = '/' }) => escapeInvalidPath(url),
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id)
      sendAnswer(reply, render(asRefusal(error), request.id, request.url))
    },
  }) as unknown as FastifyInstance

  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )
  // Uploads are streamed; upload.ts counts their bytes.
  server.addContentTypeParser(
    ['multipart/form-data', 'application/octet-stream'],
    (_request, body, done) => done(null, body),
  )
  server.addHook('onRequest', async (request, reply) => {
    const forwardedFor = request.headers['x-forwarded-for']
    // Fastify keeps the port of an entry, so each port would count as another caller (decision 129).
    if (typeof forwardedFor === 'string') {
      request.raw.headers['x-forwarded-for'] = forwardedAddresses(forwardedFor).join(', ')
    }
    reply.header('x-request-id', request.id)
    reply.header('cache-control', 'no-store')
    if (hasDotSegment(request.originalUrl)) throw notFound('The path')
    setBodyDeadline(request, reply, BODY_DEADLINE_MS)
  })
  server.addHook('onSend', async (request, reply) => dropRestOfBody(request, reply))
  server.addHook('onResponse', async (request, reply) => {
    // Logs the route, because the path of a link contains its secret.
    const { method, routeOptions } = request
    const path = routeOptions.url ?? null
    const duration_ms = Math.round(reply.elapsedTime)
    request.log.debug({ method, path, status: reply.statusCode, duration_ms }, 'request')
  })
  server.setNotFoundHandler(() => {
    throw notFound('The path')
  })
  server.setErrorHandler((error, request, reply) => {
    sendAnswer(reply, render(refusalFor(request, error), request.id, request.url))
  })
  return server
}

/** Returns the refusal to answer with. Logs internal errors. */
export function refusalFor(request: FastifyRequest, error: unknown): Refusal {
  const failure = isBodyTooLarge(error) ? bodyTooLarge(request) : asRefusal(error)
  logFailure(request, failure, error)
  return failure
}

/**
 * Logs an internal error with its stack. An unavailable database or disk is logged as one line, because
 * every request fails with it.
 */
function logFailure({ log }: FastifyRequest, { status, code }: Refusal, error: unknown): void {
  if (status < 500) return
  const err = errorForLog(error)
  const { message, code: causeCode } = (err.cause ?? err) as typeof err
  if (code === 'SERVICE_UNAVAILABLE') log.warn({ reason: message, failed: causeCode }, code)
  else log.error({ err }, code)
}

/**
 * Handles `Expect: 100-continue`: sends 100 when the body is read. If the request is refused before
 * that, the connection closes, because the client may or may not send the body.
 */
export function answerExpectContinue(
  this: Server,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const read = request._read
  const { shouldKeepAlive } = response
  response.shouldKeepAlive = false
  request._read = (bytes) => {
    request._read = read
    if (!response.headersSent) {
      response.writeContinue()
      response.shouldKeepAlive = shouldKeepAlive
    }
    read.call(request, bytes)
  }
  this.emit('request', request, response)
}

/**
 * Escapes a path that cannot be decoded, so that it is refused after authentication. Fastify would
 * refuse it before.
 */
function escapeInvalidPath(url: string): string {
  const [path = '', ...query] = url.split('?')
  return isDecodable(path) ? url : [path.replaceAll('%', '%25'), ...query].join('?')
}

/** Why not ignore the result? The bundler removes calls whose result is not used. */
function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== undefined
  } catch {
    return false
  }
}

const PATH_NOT_FOUND: [Code, string] = [
  'NOT_FOUND',
  'The path was not found. The API reference at /docs lists the paths.',
]

/** The codes and texts for errors of Fastify. */
const REFUSALS_BY_CODE: Record<string, [Code, string]> = {
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'INVALID_JSON',
    'The length of the body differs from Content-Length. Send the exact length.',
  ],
  FST_ERR_ASYNC_CONSTRAINT: PATH_NOT_FOUND,
}

/** The codes and texts for all other errors of Fastify, by status. */
const REFUSALS_BY_STATUS: Record<number, [Code, string]> = {
  400: ['INVALID_JSON', 'The request is not valid.'],
  404: PATH_NOT_FOUND,
  405: ['METHOD_NOT_ALLOWED', 'This method is not allowed here.'],
  413: ['PAYLOAD_TOO_LARGE', `Send at most ${JSON_BODY_MAX} bytes.`],
  415: ['UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json.'],
}

const isBodyTooLarge = (error: unknown): boolean =>
  (error as FastifyError).code === 'FST_ERR_CTP_BODY_TOO_LARGE'

/** Returns the refusal of a large body. It names the limit of the called path. */
const bodyTooLarge = ({ routeOptions: { bodyLimit = JSON_BODY_MAX } }: FastifyRequest) =>
  tooLarge(bodyLimit)

const LOCK_TIMED_OUT = '55P03'
const LOCK_TEXT = 'Too many calls change the same record at once. Repeat the call.'

/** Returns the refusal that is sent to the caller. It has no details of unexpected errors. */
function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const refusal = REFUSALS_BY_CODE[(error as FastifyError).code ?? '']
  if (refusal) return new Refusal(...refusal)
  const byStatus = REFUSALS_BY_STATUS[(error as FastifyError).statusCode ?? 500]
  if (byStatus) return new Refusal(...byStatus)
  if (error instanceof DatabaseBusyError) return unavailable(error.message, error.retryAfter_s)
  if ((error as { code?: string }).code === LOCK_TIMED_OUT) return unavailable(LOCK_TEXT)
  if (isUnavailable(error))
    return unavailable('The service is busy or restarting; repeat the call.')
  return new Refusal(
    'INTERNAL_ERROR',
    'An internal error occurred. Repeat the call, and report the request id if it fails again.',
  )
}

/** The codes and texts for errors of Node's HTTP parser, before a request exists. */
const SOCKET_REFUSALS: Record<string, [Code, string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [
    'INVALID_JSON',
    'The request did not arrive in time. Repeat the call.',
  ],
  // Such as a byte that is no ASCII. Other invalid paths are 404 too.
  HPE_INVALID_URL: [
    'NOT_FOUND',
    'The path or the query has a character that no URL may have. Percent-encode it as UTF-8.',
  ],
  HPE_HEADER_OVERFLOW: ['HEADERS_TOO_LARGE', `Send at most ${HEADERS_BYTES_MAX} bytes of headers.`],
}
const REASON_PHRASES: Record<number, string> = {
  400: 'Bad Request',
  404: 'Not Found',
  431: 'Request Header Fields Too Large',
  503: 'Service Unavailable',
}

/** Returns the requested path if the unparsed bytes begin with a request line. */
const pathIn = (packet: Buffer | undefined): string | undefined =>
  /^[A-Z]+ (\S+)/.exec(packet?.toString('latin1', 0, 200) ?? '')?.[1]

export function refuseOnSocket(error: Error, socket: Duplex, render: Render) {
  const { code = '', rawPacket } = error as { code?: string; rawPacket?: Buffer }
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [refusalCode, message] = SOCKET_REFUSALS[code] ?? [
    'INVALID_JSON',
    'The request is not valid HTTP.',
  ]
  endWith(socket, new Refusal(refusalCode, message), render, pathIn(rawPacket))
}

/** Writes an answer directly to a socket, and ends it. */
export function endWith(socket: Duplex, error: Refusal, render: Render, url?: string) {
  const requestId = newId('req_')
  const { status, body, headers } = render(error, requestId, url)
  socket.end(
    [
      `HTTP/1.1 ${status} ${REASON_PHRASES[status] ?? 'Error'}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${requestId}`,
      ...Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`),
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}
