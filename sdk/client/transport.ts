import type { ErrorDetails } from './api/codes.gen.ts'
import type { RawAnswer } from './call.ts'
import { errorOf, type Failure, TradepostError, type TradepostErrorCode } from './errors.ts'
import { randomKey } from './random-key.ts'
import { retryDelay } from './repeat.ts'
import type { Content, Operation } from './request.ts'

/** Options of one call, which override those of the client. */
export interface CallOptions {
  /** Aborts the call, its repeats and its waits. The call throws the reason of the signal. */
  signal?: AbortSignal | undefined
  /** The timeout of each attempt, to the end of the answer, in milliseconds. */
  timeout_ms?: number | undefined
  /** The maximum number of repeats; 0 for none. */
  retries?: number | undefined
}

/** Options of a POST. */
export interface PostOptions extends CallOptions {
  /** An idempotency key of 1 to 255 characters. Set it if another process may repeat the call. */
  idempotencyKey?: string | undefined
}

/** Options of a change of a record that has a `version`. */
export interface VersionOptions extends CallOptions {
  /** The version that you have read. If the record has a different version, the call throws a ConflictError (412). */
  version?: number | undefined
}

/** The options of every kind of call. */
export type AllOptions = PostOptions & VersionOptions

/** The report of an attempt that has ended. It never contains the API key. */
export interface AttemptReport {
  /** The called method of the client, such as `orders.create`. */
  operation: string
  method: string
  /** The address with its query. Queries may contain personal data, such as an email address. */
  url: string
  /** The number of the attempt, from 1. */
  attempt: number
  /** The HTTP status; 0 if there was no answer. */
  status: number
  /** The time to the end of the answer in milliseconds; for a file, to the end of its headers. */
  duration_ms: number
  /** The id of the call (`req_…`), if the server answered. */
  requestId: string | undefined
  /** The error code of a failed attempt. */
  code: string | undefined
}

export interface Connection {
  url: string
  headers: Record<string, string>
  timeout_ms: number
  retries: number
  debug: ((attempt: AttemptReport) => void) | undefined
  fetch: typeof fetch
}

export interface WireRequest {
  /** The method of the client, such as `orders.create`. */
  name: string
  operation: Operation
  url: string
  content: Content | undefined
}

/** Sends a call, repeats it if necessary, and returns the answer without `success`. */
export async function sendCall(
  connection: Connection,
  request: WireRequest,
  options: AllOptions,
): Promise<RawAnswer<unknown>> {
  const { retries = connection.retries } = options
  const headers = headersOf(connection, request, options)
  const { method } = request.operation
  // PATCH and DELETE are not safe to repeat: a PATCH may increment a number, and a second DELETE answers 404.
  const isRepeatable = method === 'GET' || method === 'PUT' || method === 'POST'
  for (let attempts = 1; ; attempts++) {
    const report = reporter(connection, request, attempts)
    try {
      const answer = await attempt(connection, request, headers, options)
      report(answer)
      return answer
    } catch (error) {
      if (!(error instanceof TradepostError)) throw error
      report(error)
      const wait_ms =
        attempts > retries
          ? undefined
          : retryDelay(error, { attempts, isRepeatable, randomFraction: Math.random() })
      if (wait_ms === undefined) throw error
      await pause(wait_ms, options.signal)
    }
  }
}

function headersOf(
  connection: Connection,
  { operation, content }: WireRequest,
  options: AllOptions,
): Headers {
  const isPost = operation.method === 'POST'
  const key = isPost ? (options.idempotencyKey ?? randomKey()) : undefined
  return new Headers({
    ...connection.headers,
    ...(content && { 'content-type': content.type }),
    ...(key !== undefined && { 'idempotency-key': key }),
    ...(options.version !== undefined && { 'if-match': `"${options.version}"` }),
  })
}

/** Starts the measurement of an attempt. Returns the function that reports its end. */
function reporter({ debug }: Connection, { name, operation, url }: WireRequest, attempt: number) {
  const started_ms = performance.now()
  return (outcome: { status: number; requestId: string | undefined; code?: string }) => {
    try {
      debug?.({
        operation: name,
        method: operation.method,
        url,
        attempt,
        status: outcome.status,
        duration_ms: performance.now() - started_ms,
        requestId: outcome.requestId,
        code: outcome.code,
      })
    } catch {
      // An error in `debug` must not fail a successful call.
    }
  }
}

async function attempt(
  connection: Connection,
  { name, operation, url, content }: WireRequest,
  headers: Headers,
  { signal, timeout_ms = connection.timeout_ms }: CallOptions,
): Promise<RawAnswer<unknown>> {
  const call = { operation: name, idempotencyKey: headers.get('idempotency-key') ?? undefined }
  // In browsers and workers, fetch must not be called as a method of another object.
  const { fetch } = connection
  const timeout = startTimeout(timeout_ms, signal)
  try {
    const response = await fetch(url, {
      method: operation.method,
      headers,
      body: content?.bytes ?? null,
      // A followed redirect would send the API key to another address.
      redirect: 'manual',
      signal: timeout.signal,
    })
    if (operation.raw && response.ok) return rawOf(response, '', timeout.keepSignal(response))
    return read(response, await response.text(), call)
  } catch (error) {
    if (error instanceof TradepostError) throw error
    signal?.throwIfAborted()
    throw errorOf({
      ...call,
      ...(timeout.isTimedOut() ? timeoutFailure(timeout_ms) : connectionFailure(error)),
    })
  } finally {
    timeout.end()
  }
}

/** Returns a signal that the caller's signal or the timeout aborts. `end` removes the listener and the timer. */
function startTimeout(timeout_ms: number, caller: AbortSignal | undefined) {
  const controller = new AbortController()
  const follow = () => controller.abort(caller?.reason)
  let isTimedOut = false
  let isSignalKept = false
  const timer = setTimeout(() => {
    isTimedOut = true
    controller.abort()
  }, timeout_ms)
  if (caller?.aborted) follow()
  else caller?.addEventListener('abort', follow)
  return {
    signal: controller.signal,
    isTimedOut: () => isTimedOut,
    /** Lets the caller's signal abort the body after `end`, because the caller reads the body later. */
    keepSignal<T>(response: T): T {
      isSignalKept = true
      return response
    },
    end() {
      clearTimeout(timer)
      if (!isSignalKept) caller?.removeEventListener('abort', follow)
    },
  }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}

interface Answer {
  success?: unknown
  code?: unknown
  error?: unknown
  details?: ErrorDetails
  request_id?: string
}

function read(
  response: Response,
  text: string,
  call: Pick<Failure, 'operation' | 'idempotencyKey'>,
): RawAnswer<unknown> {
  const { success, ...answer } = parse(text)
  if (response.ok && success === true) return rawOf(response, text, answer)
  const { code, error, details, request_id } = answer
  const isRefusal = success === false && typeof error === 'string'
  throw errorOf({
    ...call,
    status: response.status,
    code: isRefusal ? ((code ?? 'REFUSED') as TradepostErrorCode) : 'UNREADABLE_ANSWER',
    message: isRefusal ? error : unreadableReason(response),
    details,
    requestId: request_id ?? requestIdOf(response),
    retryAfter_s: secondsOf(response.headers.get('retry-after')),
  })
}

const rawOf = (response: Response, text: string, data: unknown): RawAnswer<unknown> => ({
  data,
  status: response.status,
  headers: response.headers,
  text,
  requestId: requestIdOf(response),
})

const requestIdOf = ({ headers }: Response) => headers.get('x-request-id') ?? undefined

function parse(text: string): Answer {
  try {
    const value: unknown = JSON.parse(text)
    return value !== null && typeof value === 'object' ? value : {}
  } catch {
    return {}
  }
}

function unreadableReason({ status, type, headers }: Response): string {
  if (type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    const target = headers.get('location') ?? 'another address'
    return `The url redirects to ${target}. Create the client with that address.`
  }
  return `The answer (HTTP ${status}) is not from Tradepost. Check the url and any proxy in between.`
}

const secondsOf = (header: string | null) =>
  header !== null && /^\d{1,9}$/.test(header) ? Number(header) : undefined

type MissingAnswer = Pick<Failure, 'status' | 'code' | 'message' | 'cause'>

const timeoutFailure = (timeout_ms: number): MissingAnswer => ({
  status: 0,
  code: 'TIMED_OUT',
  message: `No answer arrived within ${timeout_ms} ms.`,
})

const connectionFailure = (cause: unknown): MissingAnswer => ({
  status: 0,
  code: 'NO_ANSWER',
  message: `No answer arrived: ${reasonOf(cause)}`,
  cause,
})

/** The message of Node's error is only "fetch failed". The reason is in `cause`. */
function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: unknown }
  const { message, code } = (cause ?? error) as { message?: string; code?: string }
  return message || code || String(error)
}
