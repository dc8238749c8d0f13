import { TradepostError, type TradepostErrorCode } from './errors.ts'
import { waitBefore } from './repeat.ts'
import type { Content, Operation } from './request.ts'

/** How one call may differ from the others of its client. */
export interface CallOptions {
  /** Ends the call, its repeats and its waiting. */
  signal?: AbortSignal
  /** For each try, to the end of the answer. */
  timeout_ms?: number
  /** How often the call is repeated at most; 0 for never. */
  retries?: number
}

export interface PostOptions extends CallOptions {
  /** A key of your own, so that a repeat by another process is recognised too. */
  idempotencyKey?: string
}

export interface Line {
  url: string
  headers: Record<string, string>
  timeout_ms: number
  retries: number
  fetch: typeof fetch
}

export interface Sent {
  operation: Operation
  url: string
  content: Content | undefined
}

/** Sends a call until it is answered, and gives what stands beside `success`. */
export async function transport(line: Line, sent: Sent, options: PostOptions): Promise<unknown> {
  const { method } = sent.operation
  const { retries = line.retries } = options
  const key = method === 'POST' ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined
  const headers = new Headers({
    ...line.headers,
    ...(sent.content && { 'content-type': sent.content.type }),
    ...(key !== undefined && { 'idempotency-key': key }),
  })
  // A PATCH may add to a number, and a second DELETE finds nothing: neither is repeated in doubt.
  const isRepeatable = method === 'GET' || method === 'PUT' || method === 'POST'
  for (let tries = 1; ; tries++) {
    try {
      return await attempt(line, sent, headers, options)
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
  { operation, url, content }: Sent,
  headers: Headers,
  { signal, timeout_ms = line.timeout_ms }: CallOptions,
): Promise<unknown> {
  const key = headers.get('idempotency-key') ?? undefined
  // Of a browser or a worker, fetch may not be called as a method of ours.
  const { fetch } = line
  const limit = startLimit(timeout_ms, signal)
  try {
    const response = await fetch(url, {
      method: operation.method,
      headers,
      body: content?.bytes ?? null,
      // Followed, a redirect would carry the key to wherever it leads.
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

/** An AbortSignal that follows the caller's and the clock, and leaves neither behind. */
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
    /** The caller reads on: the clock stops, their own signal still ends it. */
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
    message: isRefusal ? String(error) : strangeness(response),
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

function strangeness({ status, type, headers }: Response): string {
  if (type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    const where = headers.get('location') ?? 'another address'
    return `The shop's address redirects to ${where}; give createClient the one it leads to.`
  }
  return `The answer (HTTP ${status}) is not one of the Store API: check the url, and what stands between.`
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

/** Node says "fetch failed", and why in the cause. */
function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: unknown }
  const { message, code } = (cause ?? error) as { message?: string; code?: string }
  return message || code || String(error)
}
