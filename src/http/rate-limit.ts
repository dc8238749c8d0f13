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

export interface RateLimiter {
  /** Counts a call of `name`, unless it is over the limit: refused calls do not count (decision 31). */
  take(name: string | number, limit: number, now: number): Allowance
  /** How a name stands, without counting a call. */
  look(name: string | number, limit: number, now: number): Allowance
  /** Takes back a call that was counted at `moment`. */
  giveBack(name: string | number, moment: number): void
  /** Forgets names that made no call within a window. */
  sweep(now: number): void
}

/** A sliding window of 60 s, exact to the millisecond: no more than `limit` calls in any such span. */
export function createRateLimiter(): RateLimiter {
  const windows = new Map<string | number, Window>()

  function stand(window: Window, limit: number, now: number, allowed: boolean): Allowance {
    const reset_at = (window.oldest ?? now) + WINDOW_MS
    return {
      allowed,
      remaining: Math.max(0, limit - window.size),
      reset_at,
      retry_after_s: allowed ? 0 : Math.max(1, Math.ceil((reset_at - now) / SECOND_MS)),
    }
  }

  return {
    take(name, limit, now) {
      const window = windows.get(name) ?? new Window()
      windows.set(name, window)
      window.forget(now)
      const allowed = window.size < limit
      if (allowed) window.add(now)
      return stand(window, limit, now, allowed)
    },
    look(name, limit, now) {
      const window = windows.get(name) ?? new Window()
      window.forget(now)
      return stand(window, limit, now, window.size < limit)
    },
    giveBack(name, moment) {
      windows.get(name)?.remove(moment)
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
