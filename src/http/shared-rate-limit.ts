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
/** How long the start waits for Redis at most. */
const OPENING_MS = 2 * SECOND_MS

/**
 * The rate limiters of a process, shared with other processes through Redis or local to this
 * process.
 */
export interface RateLimits {
  /** Opens a limiter; its names are separate from those of other scopes. */
  open(scope: string): RateLimiter
  /** True while calls are counted in Redis; undefined if Redis is not configured. */
  isShared(): boolean | undefined
  /** Resolves when Redis has answered, or when the wait for it has ended. */
  opened: Promise<void>
  close(): void
}

export interface RateLimitsOptions {
  redisUrl: string | undefined
  vault: Vault
  log: Logger
  /** How long a call waits for Redis before this process counts alone. */
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
  // Keys contain no address and no id. The pepper makes the prefix unique to the installation.
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

/** Counts in Redis; while Redis is unavailable, this process counts alone (decision 233). */
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
      // If the removal fails, the call leaves the window after 60 s.
      await circuit.run((windows) => windows.remove(keyOf(name), call))
    },
    sweep: own.sweep,
  }
}

/** Closed while Redis answers. While open, only probes are sent to Redis. */
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

  /** Writes, because a full Redis or a replica would still answer reads. */
  async function probe() {
    try {
      if (!windows) throw new Error('There is no connection.')
      await withDeadline(windows.count(probeKey, PROBES_MAX, 'probe'), deadline_ms)
    } catch (error) {
      // A connection that does not answer now may be dead.
      windows?.reconnect()
      return open(error)
    }
    if (state === 'ended') return
    if (state === 'open') log.info({ redis }, 'Redis answers again; rate limits are shared')
    state = 'closed'
  }

  const connected = connectWindows(redisUrl, (connection) => {
    windows = connection
    if (state === 'ended') connection.close()
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
    // A busy process runs late timers before it reads an answer that has arrived, so it reads once
    // more.
    const timer = setTimeout(() => setImmediate(refuse), deadline_ms)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
