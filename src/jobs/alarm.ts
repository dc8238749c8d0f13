/** A wait that can be ended early. */
export interface Alarm {
  /** Resolves after this time, or earlier if it is rung. */
  wait(ms: number): Promise<void>
  /** Ends the wait within this time. A ring without a wait ends the next wait. */
  ring(in_ms: number): void
}

export function createAlarm(): Alarm {
  let rungFor = Number.POSITIVE_INFINITY
  let endsAt = Number.POSITIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  let end: (() => void) | undefined

  function endAt(at: number): void {
    clearTimeout(timer)
    endsAt = at
    timer = setTimeout(() => end?.(), Math.max(0, at - performance.now()))
  }

  return {
    async wait(ms) {
      await new Promise<void>((resolve) => {
        end = resolve
        endAt(Math.min(performance.now() + ms, rungFor))
      })
      clearTimeout(timer)
      end = undefined
      rungFor = Number.POSITIVE_INFINITY
    },
    ring(in_ms) {
      const at = performance.now() + in_ms
      if (!end) rungFor = Math.min(rungFor, at)
      else if (at < endsAt) endAt(at)
    },
  }
}
