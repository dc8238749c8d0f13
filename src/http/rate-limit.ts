import { MINUTE_MS, SECOND_MS } from '../kernel/time.ts'

export const WINDOW_MS = MINUTE_MS

/** The state of a window after a call. */
export interface Allowance {
  allowed: boolean
  /** How many calls may follow at once. */
  remaining: number
  /** The time at which the oldest counted call leaves the window, in Unix milliseconds. */
  reset_at: number
  /** Whole seconds until a call is allowed again; 0 if one is allowed now. */
  retry_after_s: number
}

/** The result for a call that was counted or refused. */
export interface Counted extends Allowance {
  /**
   * Identifies the counted call: its time in this process, or its mark in Redis. Undefined if
   * refused.
   */
  call: number | string | undefined
}

export interface RateLimiter {
  /**
   * Counts a call under `name` unless the limit is reached. Refused calls do not count (decision
   * 31).
   */
  take(name: string | number, limit: number, now: number): Promise<Counted>
  /** The state of a name; counts no call. */
  look(name: string | number, limit: number, now: number): Promise<Allowance>
  /** Uncounts a call that `take` counted. */
  giveBack(name: string | number, counted: Counted): Promise<void>
  /** Deletes names in this process without a call in the current window. */
  sweep(now: number): void
}

/** The number of calls in a window, and the time at which the oldest leaves. */
export interface Standing {
  allowed: boolean
  size: number
  reset_at: number
}

export const allowanceOf = (
  { allowed, size, reset_at }: Standing,
  limit: number,
  now: number,
): Allowance => ({
  allowed,
  remaining: Math.max(0, limit - size),
  reset_at,
  retry_after_s: allowed ? 0 : Math.max(1, Math.ceil((reset_at - now) / SECOND_MS)),
})

/** A sliding window of 60 s, exact to the millisecond. Counts the calls of this process only. */
export function createRateLimiter(): RateLimiter {
  const windows = new Map<string | number, Window>()

  const standingOf = (window: Window, now: number, allowed: boolean): Standing => ({
    allowed,
    size: window.size,
    reset_at: (window.oldest ?? now) + WINDOW_MS,
  })

  return {
    async take(name, limit, now) {
      const window = windows.get(name) ?? new Window()
      windows.set(name, window)
      window.prune(now)
      const allowed = window.size < limit
      if (allowed) window.add(now)
      const call = allowed ? now : undefined
      return { ...allowanceOf(standingOf(window, now, allowed), limit, now), call }
    },
    async look(name, limit, now) {
      const window = windows.get(name) ?? new Window()
      window.prune(now)
      return allowanceOf(standingOf(window, now, window.size < limit), limit, now)
    },
    async giveBack(name, { call }) {
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

/** Call times in order of arrival; the head index advances, so the list is rarely copied. */
class Window {
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
    const at = this.#moments.lastIndexOf(moment)
    if (at >= this.#head) this.#moments.splice(at, 1)
  }

  /** Drops the calls that have left the window. */
  prune(now: number) {
    this.#moveToPast(now)
    const until = now - WINDOW_MS
    while ((this.oldest ?? Number.POSITIVE_INFINITY) <= until) this.#head++
    if (this.#head < 512) return
    this.#moments = this.#moments.slice(this.#head)
    this.#head = 0
  }

  /**
   * After the clock is set back, earlier calls lie in the future and would count for too long. They
   * count as if made now (decision 112).
   */
  #moveToPast(now: number) {
    if ((this.#moments.at(-1) ?? now) <= now) return
    this.#moments = this.#moments.slice(this.#head).map((moment) => Math.min(moment, now))
    this.#head = 0
  }
}
