import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import { SECOND_MS } from '../kernel/time.ts'
import type { Vault } from '../kernel/vault.ts'
import { allowanceOf, createRateLimiter, type RateLimiter } from './rate-limit.ts'
import { connectWindows, type RedisWindows, type WindowCount } from './redis-windows.ts'

const DEADLINE_MS = 100
const PROBE_EVERY_MS = SECOND_MS / 2
/** Never reached: every probe has the same mark. */
const PROBES_MAX = 2
/** How long a start waits for Redis at most. */
const OPENING_MS = 2 * SECOND_MS

/** The rate limiters of a process: shared by all processes through Redis, or of this process alone. */
export interface RateLimits {
  /** A limiter whose names are apart from those of other scopes. */
  open(scope: string): RateLimiter
  /** Whether calls are counted in Redis now; undefined where none is configured. */
  isShared(): boolean | undefined
  /** Resolves when Redis answered, or did not in time. */
  opened: Promise<void>
  close(): void
}

export interface RateLimitsOptions {
  redisUrl: string | undefined
  vault: Vault
  log: Logger
  /** How long a call waits for Redis before this process counts for itself. */
  deadline_ms?: number
}

export function openRateLimits({ redisUrl, ...options }: RateLimitsOptions): RateLimits {
  if (redisUrl !== undefined) return openSharedLimits({ redisUrl, ...options })
  return {
    open: createRateLimiter,
    isShared: () => undefined,
    opened: Promise.resolve(),
    close() {},
  }
}

function openSharedLimits(options: RateLimitsOptions & { redisUrl: string }): RateLimits {
  const { vault } = options
  // Keys hold no address and no id, and no two installations have the same pepper.
  const prefix = `tradepost:${nameOf(vault, 'installation')}:calls:`
  const circuit = openCircuit(options, `${prefix}probe`)
  return {
    open: (scope) =>
      createSharedLimiter(circuit, (name) => prefix + nameOf(vault, `${scope}|${name}`)),
    isShared: circuit.isClosed,
    opened: circuit.opened,
    close: circuit.close,
  }
}

const NAME_BYTES = 16

const nameOf = (vault: Vault, text: string): string =>
  vault.hmac('rate_limit', text).subarray(0, NAME_BYTES).toString('base64url')

/** Counts in Redis. While Redis is away, this process counts for itself (decision 233). */
function createSharedLimiter(
  circuit: Circuit,
  keyOf: (name: string | number) => string,
): RateLimiter {
  const own = createRateLimiter()
  const marks = `${randomBytes(9).toString('base64url')}.`
  let calls = 0

  const standing = ({ leaves_in_ms, ...window }: WindowCount, limit: number, now: number) =>
    allowanceOf({ ...window, reset_at: now + leaves_in_ms }, limit, now)

  return {
    async take(name, limit, now) {
      const call = marks + (++calls).toString(36)
      const window = await circuit.run((windows) => windows.count(keyOf(name), limit, call))
      if (!window) return own.take(name, limit, now)
      return { ...standing(window, limit, now), call: window.allowed ? call : undefined }
    },
    async look(name, limit, now) {
      const window = await circuit.run((windows) => windows.count(keyOf(name), limit))
      return window ? standing(window, limit, now) : own.look(name, limit, now)
    },
    async giveBack(name, counted) {
      const { call } = counted
      if (typeof call !== 'string') return own.giveBack(name, counted)
      // A call that could not be taken back leaves the window by itself.
      await circuit.run((windows) => windows.remove(keyOf(name), call))
    },
    sweep: own.sweep,
  }
}

/** Closed while Redis answers. Open, it asks Redis nothing but a probe. */
interface Circuit {
  /** Resolves to undefined, and opens the circuit, if Redis does not answer in time. */
  run<T>(command: (windows: RedisWindows) => Promise<T>): Promise<T | undefined>
  isClosed(): boolean
  opened: Promise<void>
  close(): void
}

function openCircuit(
  { redisUrl, log, deadline_ms = DEADLINE_MS }: RateLimitsOptions & { redisUrl: string },
  probeKey: string,
): Circuit {
  const redis = new URL(redisUrl).host
  let state: 'opening' | 'closed' | 'open' | 'ended' = 'opening'
  let windows: RedisWindows | undefined
  let probing: NodeJS.Timeout | undefined

  function open(error: unknown) {
    if (state === 'opening' || state === 'closed') {
      const { message: reason } = error as Error
      log.warn({ redis, reason }, 'Redis does not answer; this process counts rate limits alone')
    }
    if (state === 'ended') return
    state = 'open'
    clearTimeout(probing)
    probing = setTimeout(() => void probe(), PROBE_EVERY_MS).unref()
  }

  /** It writes, so that a Redis that is full or only a replica does not pass. */
  async function probe() {
    try {
      if (!windows) throw new Error('There is no connection.')
      await withDeadline(windows.count(probeKey, PROBES_MAX, 'probe'), deadline_ms)
    } catch (error) {
      // What a connection does not answer now it may never answer.
      windows?.reconnect()
      return open(error)
    }
    if (state === 'ended') return
    if (state === 'open') log.info({ redis }, 'Redis answers again; rate limits are shared')
    state = 'closed'
  }

  const connected = connectWindows(redisUrl, (made) => {
    windows = made
    if (state === 'ended') made.close()
  })

  return {
    async run(command) {
      if (state !== 'closed' || !windows) return undefined
      try {
        return await withDeadline(command(windows), deadline_ms)
      } catch (error) {
        if (state === 'closed') open(error)
        return undefined
      }
    },
    isClosed: () => state === 'closed',
    opened: withDeadline(connected, OPENING_MS).then(probe, open),
    close() {
      state = 'ended'
      clearTimeout(probing)
      windows?.close()
    },
  }
}

function withDeadline<T>(answer: Promise<T>, deadline_ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const refuse = () => reject(new Error(`There was no answer within ${deadline_ms} ms.`))
    // A busy process runs late timers before it reads an answer that has arrived: it reads once more.
    const timer = setTimeout(() => setImmediate(refuse), deadline_ms)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
