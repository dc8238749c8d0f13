import { TradepostError, type TradepostErrorCode } from './errors.ts'
import { waitBefore } from './repeat.ts'
import type { Content, Operation } from './request.ts'

/** Options of one call, which override those of the client. */
export interface CallOptions {
  /** Aborts the call, its repeats and its waits. */
  signal?: AbortSignal
  /** Timeout of each attempt, to the end of the answer. */
  timeout_ms?: number
  /** Maximum number of repeats; 0 for none. */
  retries?: number
}

export interface PostOptions extends CallOptions {
  /** Your own key, so that a repeat by another process is recognised too. */
  idempotencyKey?: string
}

export interface Line {
  url: string
  headers: Record<string, string>
  timeout_ms: number
  retries: number
  fetch: typeof fetch
}

export interface WireRequest {
  operation: Operation
  url: string
  content: Content | undefined
}

/** Sends a call, with repeats, and returns the answer without `success`. */
export async function transport(
  line: Line,
  request: WireRequest,
  options: PostOptions,
): Promise<unknown> {
  const { method } = request.operation
  const { retries = line.retries } = options
  const key = method === 'POST' ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined
  const headers = new Headers({
    ...line.headers,
    ...(request.content && { 'content-type': request.content.type }),
    ...(key !== undefined && { 'idempotency-key': key }),
  })
  // A PATCH may increment a number, and a second DELETE is not found: neither is safe to repeat.
  const isRepeatable = method === 'GET' || method === 'PUT' || method === 'POST'
  for (let tries = 1; ; tries++) {
    try {
      return await attempt(line, request, headers, options)
    } catch (error) {
      if (!(error instanceof TradepostError) || tries > retries) throw error
      const wait_ms = waitBefore(error, { tries, isRepeatable, chance: Math.random() })
      if (wait_ms === undefined) throw error
      await pause(wait_ms, options.signal)
    }
  }
}

async function attempt(
  line: Line,
  { operation, url, content }: WireRequest,
  headers: Headers,
  { signal, timeout_ms = line.timeout_ms }: CallOptions,
): Promise<unknown> {
  const key = headers.get('idempotency-key') ?? undefined
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
    if (operation.raw && response.ok) return limit.handOver(response)
    return read(response, await response.text(), key)
  } catch (error) {
    if (error instanceof TradepostError) throw error
    signal?.throwIfAborted()
    throw limit.isOver() ? timedOut(timeout_ms, key) : noAnswer(error, key)
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
  details?: Record<string, unknown>
  request_id?: string
}

function read(response: Response, text: string, idempotency_key: string | undefined): unknown {
  const { success, ...answer } = parse(text)
  if (response.ok && success === true) return answer
  const { code, error, details, request_id } = answer
  const isRefusal = success === false && typeof code === 'string'
  throw new TradepostError({
    status: response.status,
    code: isRefusal ? (code as TradepostErrorCode) : 'UNREADABLE_ANSWER',
    message: isRefusal ? String(error) : unreadableReason(response),
    details,
    request_id: request_id ?? response.headers.get('x-request-id') ?? undefined,
    retry_after_s: secondsOf(response.headers.get('retry-after')),
    idempotency_key,
  })
}

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
    return `The url redirects to ${where}. Pass that address to createClient.`
  }
  return `The answer (HTTP ${status}) is not from the Store API. Check the url and any proxy in between.`
}

const secondsOf = (header: string | null) =>
  header !== null && /^\d{1,9}$/.test(header) ? Number(header) : undefined

const timedOut = (timeout_ms: number, idempotency_key: string | undefined) =>
  new TradepostError({
    status: 0,
    code: 'TIMED_OUT',
    message: `No answer came within ${timeout_ms} ms.`,
    idempotency_key,
  })

const noAnswer = (cause: unknown, idempotency_key: string | undefined) =>
  new TradepostError({
    status: 0,
    code: 'NO_ANSWER',
    message: `No answer came: ${reasonOf(cause)}`,
    cause,
    idempotency_key,
  })

/** Node's message is only "fetch failed"; the reason is in `cause`. */
function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: unknown }
  const { message, code } = (cause ?? error) as { message?: string; code?: string }
  return message || code || String(error)
}
