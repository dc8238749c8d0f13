import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import { SECOND_MS } from '../kernel/time.ts'
import type { Vault } from '../kernel/vault.ts'
import { allowanceOf, createRateLimiter, type RateLimiter } from './rate-limit.ts'
import { connectWindows, type RedisWindows, type WindowCount } from './redis-windows.ts'

const DEADLINE_MS = 100
const PROBE_EVERY_MS = SECOND_MS / 2
/** The limit of the probe key. All probes have the same mark, so they never reach it. */
const PROBES_MAX = 2
/** The longest wait for Redis at the start. */
const OPENING_TIMEOUT_MS = 2 * SECOND_MS

/** The rate limiters of a process. They are shared with other processes if Redis is configured. */
export interface RateLimits {
  /** Opens a limiter. Its names are separate from those of other scopes. */
  open(scope: string): RateLimiter
  /** True while calls are counted in Redis; undefined if Redis is not configured. */
  isShared(): boolean | undefined
  /** Resolves when Redis has answered, or when the wait for Redis has ended. */
  opened: Promise<void>
  close(): void
}

export interface RateLimitsOptions {
  redisUrl: string | undefined
  vault: Vault
  log: Logger
  /** The time that a call waits for Redis. After it, this process counts alone. */
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
  // Keys are hashed, so they contain no address or id. The hash differs between installations.
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

/** Counts in Redis. While Redis is unavailable, this process counts alone (decision 233). */
function createSharedLimiter(
  circuit: Circuit,
  keyOf: (name: string | number) => string,
): RateLimiter {
  const local = createRateLimiter()
  /** Makes the marks of this process differ from those of others. */
  const markPrefix = `${randomBytes(9).toString('base64url')}.`
  let callCount = 0

  const allowanceIn = ({ leaves_in_ms, ...window }: WindowCount, limit: number, now: number) =>
    allowanceOf({ ...window, reset_at: now + leaves_in_ms }, limit, now)

  return {
    async count(name, limit, now) {
      const call = markPrefix + (++callCount).toString(36)
      const window = await circuit.run((windows) => windows.count(keyOf(name), limit, call))
      if (!window) return local.count(name, limit, now)
      return { ...allowanceIn(window, limit, now), call: window.allowed ? call : undefined }
    },
    async peek(name, limit, now) {
      const window = await circuit.run((windows) => windows.count(keyOf(name), limit))
      return window ? allowanceIn(window, limit, now) : local.peek(name, limit, now)
    },
    async undo(name, counted) {
      const { call } = counted
      if (typeof call !== 'string') return local.undo(name, counted)
      // If the removal fails, the call leaves the window after 60 s.
      await circuit.run((windows) => windows.remove(keyOf(name), call))
    },
    sweep: local.sweep,
  }
}

/** A circuit breaker. It is closed while Redis answers. While it is open, only probes are sent to Redis. */
interface Circuit {
  /** Runs a command. Resolves to undefined, and opens the circuit, if Redis does not answer in time. */
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
  let probeTimer: NodeJS.Timeout | undefined

  function open(error: unknown) {
    if (state === 'opening' || state === 'closed') {
      const { message: reason } = error as Error
      log.warn({ redis, reason }, 'Redis does not answer; this process counts rate limits alone')
    }
    if (state === 'ended') return
    state = 'open'
    clearTimeout(probeTimer)
    probeTimer = setTimeout(() => void probe(), PROBE_EVERY_MS).unref()
  }

  /** Sends a write, because a full Redis or a replica would still answer reads. */
  async function probe() {
    try {
      if (!windows) throw new Error('There is no connection.')
      await withDeadline(windows.count(probeKey, PROBES_MAX, 'probe'), deadline_ms)
    } catch (error) {
      // The connection may be lost without an error.
      windows?.reconnect()
      return open(error)
    }
    if (state === 'ended') return
    if (state === 'open') log.info({ redis }, 'Redis answers again; rate limits are shared')
    state = 'closed'
  }

  const connecting = connectWindows(redisUrl, (connection) => {
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
    opened: withDeadline(connecting, OPENING_TIMEOUT_MS).then(probe, open),
    close() {
      state = 'ended'
      clearTimeout(probeTimer)
      windows?.close()
    },
  }
}

function withDeadline<T>(answer: Promise<T>, deadline_ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const refuse = () => reject(new Error(`There was no answer within ${deadline_ms} ms.`))
    // A busy process runs the late timer before it reads an answer that has arrived, so read once more.
    const timer = setTimeout(() => setImmediate(refuse), deadline_ms)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
