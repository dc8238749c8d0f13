import type { ErrorDetails } from './api/codes.gen.ts'
import type { RawAnswer } from './call.ts'
import { errorOf, type Failure, TradepostError, type TradepostErrorCode } from './errors.ts'
import { randomKey } from './random-key.ts'
import { waitBefore } from './repeat.ts'
import type { Content, Operation } from './request.ts'

/** Options of one call, which override those of the client. */
export interface CallOptions {
  /** Aborts the call, its repeats and its waits. The call throws the reason of the signal. */
  signal?: AbortSignal | undefined
  /** Timeout of each attempt, to the end of the answer, in milliseconds. */
  timeout_ms?: number | undefined
  /** Maximum number of repeats; 0 for none. */
  retries?: number | undefined
}

/** Options of a POST. */
export interface PostOptions extends CallOptions {
  /** Your own key of 1 to 255 characters, so that a repeat by another process is recognised too. */
  idempotencyKey?: string | undefined
}

/** Options of a change of a record that has a `version`. */
export interface VersionOptions extends CallOptions {
  /** The version that you have read. If the record has another one, the call throws a ConflictError (412). */
  version?: number | undefined
}

/** The options of every kind of call. */
export type AllOptions = PostOptions & VersionOptions

/** An attempt of a call that has ended. It never contains the API key. */
export interface AttemptReport {
  /** The called method of the client, such as `orders.create`. */
  operation: string
  method: string
  /** The address with its query. Queries may contain personal data, such as an e-mail address. */
  url: string
  /** 1 for the first attempt of a call. */
  attempt: number
  /** The HTTP status; 0 if no answer came. */
  status: number
  /** The time to the end of the answer in milliseconds; for a file, to the end of its headers. */
  duration_ms: number
  /** The id of the call (`req_…`), if the server answered. */
  requestId: string | undefined
  /** The error code of a failed attempt. */
  code: string | undefined
}

export interface Line {
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

/** Sends a call, with repeats, and returns the answer without `success`. */
export async function transport(
  line: Line,
  request: WireRequest,
  options: AllOptions,
): Promise<RawAnswer<unknown>> {
  const { retries = line.retries } = options
  const headers = headersOf(line, request, options)
  const { method } = request.operation
  // A PATCH may increment a number, and a second DELETE is not found: neither is safe to repeat.
  const isRepeatable = method === 'GET' || method === 'PUT' || method === 'POST'
  for (let tries = 1; ; tries++) {
    const report = reporter(line, request, tries)
    try {
      const answer = await attempt(line, request, headers, options)
      report(answer)
      return answer
    } catch (error) {
      if (!(error instanceof TradepostError)) throw error
      report(error)
      const wait_ms =
        tries > retries
          ? undefined
          : waitBefore(error, { tries, isRepeatable, chance: Math.random() })
      if (wait_ms === undefined) throw error
      await pause(wait_ms, options.signal)
    }
  }
}

function headersOf(line: Line, { operation, content }: WireRequest, options: AllOptions): Headers {
  const isPost = operation.method === 'POST'
  const key = isPost ? (options.idempotencyKey ?? randomKey()) : undefined
  return new Headers({
    ...line.headers,
    ...(content && { 'content-type': content.type }),
    ...(key !== undefined && { 'idempotency-key': key }),
    ...(options.version !== undefined && { 'if-match': `"${options.version}"` }),
  })
}

/** Reports the end of an attempt that begins now. */
function reporter({ debug }: Line, { name, operation, url }: WireRequest, attempt: number) {
  const began_ms = performance.now()
  return (end: { status: number; requestId: string | undefined; code?: string }) => {
    try {
      debug?.({
        operation: name,
        method: operation.method,
        url,
        attempt,
        status: end.status,
        duration_ms: performance.now() - began_ms,
        requestId: end.requestId,
        code: end.code,
      })
    } catch {
      // A broken log must not turn a successful call into a failed one.
    }
  }
}

async function attempt(
  line: Line,
  { name, operation, url, content }: WireRequest,
  headers: Headers,
  { signal, timeout_ms = line.timeout_ms }: CallOptions,
): Promise<RawAnswer<unknown>> {
  const call = { operation: name, idempotencyKey: headers.get('idempotency-key') ?? undefined }
  // In browsers and workers, fetch must not be called as a method of another object.
  const { fetch } = line
  const limit = startLimit(timeout_ms, signal)
  try {
    const response = await fetch(url, {
      method: operation.method,
      headers,
      body: content?.bytes ?? null,
      // A followed redirect would send the API key to another address.
      redirect: 'manual',
      signal: limit.signal,
    })
    if (operation.raw && response.ok) return rawOf(response, '', limit.handOver(response))
    return read(response, await response.text(), call)
  } catch (error) {
    if (error instanceof TradepostError) throw error
    signal?.throwIfAborted()
    throw errorOf({ ...call, ...(limit.isOver() ? timedOut(timeout_ms) : noAnswer(error)) })
  } finally {
    limit.end()
  }
}

/** An AbortSignal of the caller's signal and the timeout, without leaking a listener or timer. */
function startLimit(timeout_ms: number, caller: AbortSignal | undefined) {
  const controller = new AbortController()
  const follow = () => controller.abort(caller?.reason)
  let isOver = false
  let isHandedOver = false
  const timer = setTimeout(() => {
    isOver = true
    controller.abort()
  }, timeout_ms)
  if (caller?.aborted) follow()
  else caller?.addEventListener('abort', follow)
  return {
    signal: controller.signal,
    isOver: () => isOver,
    /** Stops the timeout. The caller's signal still aborts the body, which the caller reads. */
    handOver<T>(response: T): T {
      isHandedOver = true
      return response
    },
    end() {
      clearTimeout(timer)
      if (!isHandedOver) caller?.removeEventListener('abort', follow)
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
    const where = headers.get('location') ?? 'another address'
    return `The url redirects to ${where}. Create the client with that address.`
  }
  return `The answer (HTTP ${status}) is not from Tradepost. Check the url and any proxy in between.`
}

const secondsOf = (header: string | null) =>
  header !== null && /^\d{1,9}$/.test(header) ? Number(header) : undefined

type Silence = Pick<Failure, 'status' | 'code' | 'message' | 'cause'>

const timedOut = (timeout_ms: number): Silence => ({
  status: 0,
  code: 'TIMED_OUT',
  message: `No answer came within ${timeout_ms} ms.`,
})

const noAnswer = (cause: unknown): Silence => ({
  status: 0,
  code: 'NO_ANSWER',
  message: `No answer came: ${reasonOf(cause)}`,
  cause,
})

/** Node's message is only "fetch failed"; the reason is in `cause`. */
function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: unknown }
  const { message, code } = (cause ?? error) as { message?: string; code?: string }
  return message || code || String(error)
}
