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
import { type Code, notFound, Refusal, unavailable } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import { forwardedAddresses } from '../kernel/net.ts'
import { BODY_DEADLINE_MS, setBodyDeadline } from './body-pace.ts'
import type { Answer } from './idempotency.ts'
import { send } from './pipeline.ts'

const JSON_BODY_MAX = 1024 * 1024
export const HEADERS_BYTES_MAX = 16 * 1024

/** `url` is the requested path, if known; surfaces have different refusals. */
export type Render = (error: Refusal, requestId: string, url?: string) => Answer

/** The server that all surfaces are mounted on. Fastify's own errors are rendered as ours. */
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
      // Long ids are refused by their shape, after authentication.
      maxParamLength: HEADERS_BYTES_MAX,
      ignoreDuplicateSlashes: false,
    },
    rewriteUrl: ({ url = '/' }) => decodable(url),
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id)
      send(reply, render(asRefusal(error), request.id, request.url))
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
    const forwarded = request.headers['x-forwarded-for']
    // Fastify keeps the port of an entry, so each new port would count as a new caller (decision
    // 129).
    if (typeof forwarded === 'string') {
      request.raw.headers['x-forwarded-for'] = forwardedAddresses(forwarded).join(', ')
    }
    reply.header('x-request-id', request.id)
    reply.header('cache-control', 'no-store')
    setBodyDeadline(request, reply, BODY_DEADLINE_MS)
  })
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
    const failure = isTooLarge(error) ? tooLarge(request) : asRefusal(error)
    logFailure(request, failure, error)
    send(reply, render(failure, request.id, request.url))
  })
  return server
}

/**
 * Logs an internal error with its stack; an unavailable database or disk takes one line, because
 * every request reports it.
 */
function logFailure({ log }: FastifyRequest, { status, code }: Refusal, error: unknown): void {
  if (status < 500) return
  const err = errorForLog(error)
  const { message, code: failed } = (err.cause ?? err) as typeof err
  if (code === 'SERVICE_UNAVAILABLE') log.warn({ reason: message, failed }, code)
  else log.error({ err }, code)
}

/**
 * For `Expect: 100-continue`, sends 100 when the body is read and not before. If the request is
 * refused earlier, the connection closes, because the client may or may not send the body.
 */
export function answerBeforeBody(this: Server, request: IncomingMessage, response: ServerResponse) {
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
 * Escapes a path that does not decode, so that it is routed and refused after authentication.
 * Fastify would refuse it first.
 */
function decodable(url: string): string {
  const [path = '', ...query] = url.split('?')
  try {
    decodeURIComponent(path)
    return url
  } catch {
    return [path.replaceAll('%', '%25'), ...query].join('?')
  }
}

/** Fastify's own errors, as our codes and texts. */
const REFUSALS: Record<string, [Code, string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'INVALID_JSON',
    'The length of the body differs from Content-Length.',
  ],
  FST_ERR_ASYNC_CONSTRAINT: ['NOT_FOUND', 'The path was not found.'],
}

/** Other errors of Fastify, now or in a later version. */
const BY_STATUS: Record<number, [Code, string]> = {
  400: ['INVALID_JSON', 'The request is not valid.'],
  404: ['NOT_FOUND', 'The path was not found.'],
  405: ['METHOD_NOT_ALLOWED', 'This method is not allowed here.'],
  413: ['PAYLOAD_TOO_LARGE', `Send at most ${JSON_BODY_MAX} bytes.`],
  415: ['UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json.'],
}

const isTooLarge = (error: unknown): boolean =>
  (error as FastifyError).code === 'FST_ERR_CTP_BODY_TOO_LARGE'

/** Names the limit of the called path. */
const tooLarge = ({ routeOptions: { bodyLimit = JSON_BODY_MAX } }: FastifyRequest) =>
  new Refusal('PAYLOAD_TOO_LARGE', `Send at most ${bodyLimit} bytes.`)
const LOCK_TIMED_OUT = '55P03'
const LOCK_TEXT = 'Too many calls change the same record at once. Repeat the call.'

/** The error that callers see; unexpected errors are reported without details. */
function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const refusal = REFUSALS[(error as FastifyError).code ?? '']
  if (refusal) return new Refusal(...refusal)
  const byStatus = BY_STATUS[(error as FastifyError).statusCode ?? 500]
  if (byStatus) return new Refusal(...byStatus)
  if (error instanceof DatabaseBusyError) return unavailable(error.message, error.retryAfter_s)
  if ((error as { code?: string }).code === LOCK_TIMED_OUT) return unavailable(LOCK_TEXT)
  if (isUnavailable(error))
    return unavailable('The service is busy or restarting; repeat the call.')
  return new Refusal('INTERNAL_ERROR', 'Something went wrong on our side.')
}

/** Errors of Node's HTTP parser, before a request exists. */
const SOCKET_REFUSALS: Record<string, [Code, string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [
    'INVALID_JSON',
    'The request did not arrive in time. Repeat the call.',
  ],
  HPE_HEADER_OVERFLOW: ['HEADERS_TOO_LARGE', `Send at most ${HEADERS_BYTES_MAX} bytes of headers.`],
}
const REASONS: Record<number, string> = {
  400: 'Bad Request',
  431: 'Request Header Fields Too Large',
  503: 'Service Unavailable',
}

/** The requested path, if the unparsed bytes begin with a request line. */
const pathIn = (packet: Buffer | undefined): string | undefined =>
  /^[A-Z]+ (\S+)/.exec(packet?.toString('latin1', 0, 200) ?? '')?.[1]

export function refuseOnSocket(error: Error, socket: Duplex, render: Render) {
  const { code = '', rawPacket } = error as { code?: string; rawPacket?: Buffer }
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [why, message] = SOCKET_REFUSALS[code] ?? ['INVALID_JSON', 'The request is not valid HTTP.']
  endWith(socket, new Refusal(why, message), render, pathIn(rawPacket))
}

/** Writes an answer directly to a socket, and ends it. */
export function endWith(socket: Duplex, error: Refusal, render: Render, url?: string) {
  const requestId = newId('req_')
  const { status, body, headers } = render(error, requestId, url)
  socket.end(
    [
      `HTTP/1.1 ${status} ${REASONS[status] ?? 'Error'}`,
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
