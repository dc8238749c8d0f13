import { Refusal } from '../kernel/errors.ts'
import { MINUTE_MS, SECOND_MS } from '../kernel/time.ts'

export const WINDOW_MS = MINUTE_MS

/** The state of a window after a call. */
export interface Allowance {
  allowed: boolean
  /** The calls that may follow at once. */
  remaining: number
  /** The time at which the oldest counted call leaves the window, in Unix milliseconds. */
  reset_at: number
  /** Whole seconds until a call is allowed again; 0 if one is allowed now. */
  retry_after_s: number
}

/** The state of a window after a call was counted or refused. */
export interface CountedCall extends Allowance {
  /**
   * The identity of the counted call: its time in this process, or its mark in Redis. Undefined if the
   * call was refused.
   */
  call: number | string | undefined
}

export interface RateLimiter {
  /**
   * Counts a call under `name` unless the limit is reached. Refused calls are not counted (decision 31).
   */
  count(name: string | number, limit: number, now: number): Promise<CountedCall>
  /** Returns the state of a name without counting a call. */
  peek(name: string | number, limit: number, now: number): Promise<Allowance>
  /** Uncounts a call that `count` counted. */
  undo(name: string | number, counted: CountedCall): Promise<void>
  /** Deletes the names of this process that have no call in the current window. */
  sweep(now: number): void
}

/** The number of calls in a window, and the time at which the oldest call leaves it. */
interface WindowState {
  allowed: boolean
  size: number
  reset_at: number
}

export const allowanceOf = (
  { allowed, size, reset_at }: WindowState,
  limit: number,
  now: number,
): Allowance => ({
  allowed,
  remaining: Math.max(0, limit - size),
  reset_at,
  retry_after_s: allowed ? 0 : Math.max(1, Math.ceil((reset_at - now) / SECOND_MS)),
})

/** Refuses a call above its limit. */
export function requireAllowed({ allowed, retry_after_s }: Allowance, message: string): void {
  if (allowed) return
  throw new Refusal('RATE_LIMITED', message, undefined, { 'retry-after': String(retry_after_s) })
}

/** Creates a limiter with sliding windows of 60 s, exact to the millisecond. It counts the calls of this process only. */
export function createRateLimiter(): RateLimiter {
  const windows = new Map<string | number, CallWindow>()

  const stateOf = (window: CallWindow, now: number, allowed: boolean): WindowState => ({
    allowed,
    size: window.size,
    reset_at: (window.oldest ?? now) + WINDOW_MS,
  })

  return {
    async count(name, limit, now) {
      const window = windows.get(name) ?? new CallWindow()
      windows.set(name, window)
      window.prune(now)
      const allowed = window.size < limit
      if (allowed) window.add(now)
      const call = allowed ? now : undefined
      return { ...allowanceOf(stateOf(window, now, allowed), limit, now), call }
    },
    async peek(name, limit, now) {
      const window = windows.get(name) ?? new CallWindow()
      window.prune(now)
      return allowanceOf(stateOf(window, now, window.size < limit), limit, now)
    },
    async undo(name, { call }) {
      if (typeof call === 'number') windows.get(name)?.remove(call)
    },
    sweep(now) {
      for (const [name, window] of windows) {
        window.prune(now)
        if (window.size === 0) windows.delete(name)
      }
    },
  }
}

/** The number of dropped calls after which a list is copied without them. */
const DROPPED_MAX = 512

/** The times of calls in order of arrival. An index marks the oldest call, so the list is rarely copied. */
class CallWindow {
  #moments: number[] = []
  #head = 0

  get size() {
    return this.#moments.length - this.#head
  }

  get oldest() {
    return this.#moments[this.#head]
  }

  add(moment: number) {
    this.#moments.push(moment)
  }

  remove(moment: number) {
    const index = this.#moments.lastIndexOf(moment)
    if (index >= this.#head) this.#moments.splice(index, 1)
  }

  /** Drops the calls that have left the window. */
  prune(now: number) {
    this.#moveToPast(now)
    const windowStart = now - WINDOW_MS
    while ((this.oldest ?? Number.POSITIVE_INFINITY) <= windowStart) this.#head++
    if (this.#head < DROPPED_MAX) return
    this.#moments = this.#moments.slice(this.#head)
    this.#head = 0
  }

  /**
   * Moves calls with a future time to now. After the clock is set back, they would otherwise count for
   * too long (decision 112).
   */
  #moveToPast(now: number) {
    if ((this.#moments.at(-1) ?? now) <= now) return
    this.#moments = this.#moments.slice(this.#head).map((moment) => Math.min(moment, now))
    this.#head = 0
  }
}
