import { UnknownError } from './verify.ts'

const REPEATS_MAX = 2
const FIRST_WAIT_MS = 250
/** Longest Retry-After that is waited for. With a longer one, the program continues on its lease. */
const RETRY_AFTER_MAX_S = 5

/** A temporary failure. */
class InterruptedError extends UnknownError {
  /** True if the call certainly had no effect. After a broken connection that is unknown. */
  readonly hadNoEffect: boolean
  readonly wait_s: number

  constructor(message: string, options: ErrorOptions & { hadNoEffect?: boolean; wait_s?: number }) {
    super(message, options)
    this.hadNoEffect = options.hadNoEffect ?? false
    this.wait_s = options.wait_s ?? 0
  }
}

/** The failure of a busy or broken server, signed or not. It says nothing about the license. */
const busy = ({ status, headers }: Response): UnknownError =>
  new InterruptedError(`The server is busy or down (${status}). Try again later.`, {
    hadNoEffect: status === 429 || status === 503,
    wait_s: Number(/^\d{1,6}$/.exec(headers.get('retry-after') ?? '')?.[0] ?? 0),
  })

/**
 * Repeats an interrupted attempt, at most twice. `once`: a repeat is unsafe if the first attempt may have
 * succeeded, such as one that would start a second session.
 */
export async function repeating<T>(
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
 * Receives an answer and its bytes. Fails if the server sends nothing for the timeout, or if it is busy or
 * broken (decision 118).
 */
export async function receive(
  fetch: typeof globalThis.fetch,
  url: string,
  { request, timeout_ms }: { request: RequestInit; timeout_ms: number },
): Promise<{ response: Response; body: Uint8Array }> {
  const silence = new AbortController()
  const abort = () => silence.abort()
  let timer = setTimeout(abort, timeout_ms)
  const restartTimer = () => {
    clearTimeout(timer)
    timer = setTimeout(abort, timeout_ms)
  }
  try {
    const response = await fetch(url, { ...request, signal: silence.signal })
    const body = await readAll(response, restartTimer, silence.signal)
    if (response.status === 429 || response.status >= 500) throw busy(response)
    return { response, body }
  } catch (cause) {
    if (cause instanceof UnknownError) throw cause
    // No repeat after a timeout: the program continues on its lease instead of waiting again.
    if (silence.signal.aborted)
      throw new UnknownError('The server did not answer in time.', { cause })
    throw new InterruptedError('The server could not be reached.', { cause })
  } finally {
    clearTimeout(timer)
  }
}

async function readAll(
  response: Response,
  restartTimer: () => void,
  silence: AbortSignal,
): Promise<Uint8Array> {
  const reader = response.body?.getReader()
  const parts: Uint8Array[] = []
  const stop = () => void reader?.cancel().catch(() => {})
  silence.addEventListener('abort', stop)
  for (;;) {
    restartTimer()
    const next = await reader?.read()
    // A cancelled read looks like the end of the body.
    silence.throwIfAborted()
    if (next?.value === undefined) return joined(parts)
    parts.push(next.value)
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.byteLength
  }
  return bytes
}
