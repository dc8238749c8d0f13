import { UnknownError } from './verify.ts'

const REPEATS_MAX = 2
const FIRST_WAIT_MS = 250
/** The longest Retry-After for which a call waits. With a longer one, the program continues on its lease. */
const RETRY_AFTER_MAX_S = 5

/** A temporary failure, after which the call may be repeated. */
class InterruptedError extends UnknownError {
  /** True if the call had no effect. After a broken connection it may have had one. */
  readonly hadNoEffect: boolean
  readonly wait_s: number

  constructor(message: string, options: ErrorOptions & { hadNoEffect?: boolean; wait_s?: number }) {
    super(message, options)
    this.hadNoEffect = options.hadNoEffect ?? false
    this.wait_s = options.wait_s ?? 0
  }
}

/** Returns the error for the answer of a busy or broken server. Even if signed, it says nothing about the license. */
const busyError = ({ status, headers }: Response): UnknownError =>
  new InterruptedError(`The server is busy or down (${status}). Try again later.`, {
    hadNoEffect: status === 429 || status === 503,
    wait_s: Number(/^\d{1,6}$/.exec(headers.get('retry-after') ?? '')?.[0] ?? 0),
  })

/**
 * Repeats an interrupted attempt at most twice. `once` prevents a repeat if the first attempt may have succeeded,
 * because a repeat could, for example, start a second session.
 */
export async function withRepeats<T>(
  attempt: () => Promise<T>,
  { once = false }: { once?: boolean },
): Promise<T> {
  for (let repeats = 0; ; repeats++) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof InterruptedError) || repeats === REPEATS_MAX) throw error
      if ((once && !error.hadNoEffect) || error.wait_s > RETRY_AFTER_MAX_S) throw error
      const wait_ms = FIRST_WAIT_MS * 2 ** repeats * (1 - Math.random() / 2)
      await new Promise((wake) => setTimeout(wake, Math.max(wait_ms, error.wait_s * 1000)))
    }
  }
}

/**
 * Sends a request and reads the whole answer. Fails if the server is busy or broken, or sends nothing for the
 * duration of the timeout (decision 118).
 */
export async function sendAndRead(
  fetch: typeof globalThis.fetch,
  url: string,
  { request, timeout_ms }: { request: RequestInit; timeout_ms: number },
): Promise<{ response: Response; body: Uint8Array }> {
  const timeout = new AbortController()
  const abort = () => timeout.abort()
  let timer = setTimeout(abort, timeout_ms)
  const restartTimer = () => {
    clearTimeout(timer)
    timer = setTimeout(abort, timeout_ms)
  }
  try {
    const response = await fetch(url, { ...request, signal: timeout.signal })
    const body = await readAll(response, restartTimer, timeout.signal)
    if (response.status === 429 || response.status >= 500) throw busyError(response)
    return { response, body }
  } catch (cause) {
    if (cause instanceof UnknownError) throw cause
    // A timeout is not repeated, so that the program continues on its lease instead of waiting again.
    if (timeout.signal.aborted)
      throw new UnknownError('The server did not answer in time.', { cause })
    throw new InterruptedError('The server could not be reached.', { cause })
  } finally {
    clearTimeout(timer)
  }
}

async function readAll(
  response: Response,
  restartTimer: () => void,
  timeout: AbortSignal,
): Promise<Uint8Array> {
  const reader = response.body?.getReader()
  const parts: Uint8Array[] = []
  const stop = () => void reader?.cancel().catch(() => {})
  timeout.addEventListener('abort', stop)
  for (;;) {
    restartTimer()
    const next = await reader?.read()
    // A cancelled read looks like the end of the body.
    timeout.throwIfAborted()
    if (next?.value === undefined) return concat(parts)
    parts.push(next.value)
  }
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0))
  let index = 0
  for (const part of parts) {
    bytes.set(part, index)
    index += part.byteLength
  }
  return bytes
}
