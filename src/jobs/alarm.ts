/** A wait that can be ended early. */
export interface Alarm {
  /** Resolves to false after this time, or to true if `wake` ended the wait, or was called before its late timer. */
  wait(ms: number): Promise<boolean>
  /** Ends the wait within this time. If nothing waits, shortens the next wait. */
  wake(in_ms: number): void
}

export function createAlarm(): Alarm {
  /** The end that `wake` requested for the next wait, by `performance.now()`. */
  let wakeAt = Number.POSITIVE_INFINITY
  /** The end of the current wait. */
  let endsAt = Number.POSITIVE_INFINITY
  let isWoken = false
  let timer: NodeJS.Timeout | undefined
  let end: (() => void) | undefined

  function scheduleEnd(end_ms: number): void {
    clearTimeout(timer)
    endsAt = end_ms
    const delay_ms = end_ms - performance.now()
    if (delay_ms <= 0) end?.()
    else timer = setTimeout(() => end?.(), delay_ms)
  }

  return {
    async wait(ms) {
      const deadline = performance.now() + ms
      await new Promise<void>((resolve) => {
        end = resolve
        isWoken = wakeAt < deadline
        scheduleEnd(Math.min(deadline, wakeAt))
      })
      clearTimeout(timer)
      end = undefined
      wakeAt = Number.POSITIVE_INFINITY
      return isWoken
    },
    wake(in_ms) {
      const end_ms = performance.now() + in_ms
      if (!end) wakeAt = Math.min(wakeAt, end_ms)
      else if (end_ms < endsAt) {
        isWoken = true
        scheduleEnd(end_ms)
      } else if (endsAt <= performance.now()) {
        // The timer of the wait is late.
        isWoken = true
      }
    },
  }
}
