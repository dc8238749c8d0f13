import { MINUTE_MS, SECOND_MS } from '../kernel/time.ts'

export const WINDOW_MS = MINUTE_MS

/** How a call stands in its window. */
export interface Allowance {
  allowed: boolean
  /** Calls that may still follow at once. */
  remaining: number
  /** When the oldest counted call leaves the window, in Unix milliseconds. */
  reset_at: number
  /** Whole seconds until a call is allowed again; 0 where one is. */
  retry_after_s: number
}

/** The answer to a call that was counted or refused. */
export interface Counted extends Allowance {
  /** Identifies the counted call: its moment in this process, or its name in Redis. Unset if it was refused. */
  call: number | string | undefined
}

export interface RateLimiter {
  /** Counts a call of `name`, unless it is over the limit: refused calls do not count (decision 31). */
  take(name: string | number, limit: number, now: number): Promise<Counted>
  /** How a name stands, without counting a call. */
  look(name: string | number, limit: number, now: number): Promise<Allowance>
  /** Takes back a call that `take` counted. */
  giveBack(name: string | number, counted: Counted): Promise<void>
  /** Deletes the names in this process that made no call within a window. */
  sweep(now: number): void
}

/** What a window holds: how many calls, and when the oldest of them leaves. */
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

/**
 * A sliding window of 60 s, exact to the millisecond: no more than `limit` calls in any such span. It counts
 * the calls of this process.
 */
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
      window.forget(now)
      const allowed = window.size < limit
      if (allowed) window.add(now)
      const call = allowed ? now : undefined
      return { ...allowanceOf(standingOf(window, now, allowed), limit, now), call }
    },
    async look(name, limit, now) {
      const window = windows.get(name) ?? new Window()
      window.forget(now)
      return allowanceOf(standingOf(window, now, window.size < limit), limit, now)
    },
    async giveBack(name, { call }) {
      if (typeof call === 'number') windows.get(name)?.remove(call)
    },
    sweep(now) {
      for (const [name, window] of windows) {
        window.forget(now)
        if (window.size === 0) windows.delete(name)
      }
    },
  }
}

/** Moments in the order they came; the head moves on instead of the whole list. */
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

  /** Those that left the window by now. */
  forget(now: number) {
    this.#putBack(now)
    const until = now - WINDOW_MS
    while ((this.oldest ?? Number.POSITIVE_INFINITY) <= until) this.#head++
    if (this.#head < 512) return
    this.#moments = this.#moments.slice(this.#head)
    this.#head = 0
  }

  /**
   * Where the clock was put back, what was counted before lies ahead, and would count until the clock is
   * there again: it counts as if it came now (decision 112).
   */
  #putBack(now: number) {
    if ((this.#moments.at(-1) ?? now) <= now) return
    this.#moments = this.#moments.slice(this.#head).map((moment) => Math.min(moment, now))
    this.#head = 0
  }
}
