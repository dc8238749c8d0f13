/** Limits how many calls run at once when each may use up a shared remainder. */
export interface ConcurrencyLimit {
  /**
   * Runs `work` once fewer than `getCapacity()` calls with this name are running; other calls wait.
   * A call counts its use before it ends, so the remainder is never exceeded. `getCapacity` throws
   * if no further call is allowed. Calls in other processes are not counted.
   */
  pass<T>(name: string, getCapacity: () => Promise<number>, work: () => Promise<T>): Promise<T>
}

interface Lane {
  running: number
  waiting: (() => void)[]
  /** Calls that are running, waiting or being admitted. */
  present: number
  /** How many calls have finished. */
  finished: number
}

/**
 * Waits until a call may run, and counts it as running. Capacity is read again if a call finished
 * during the read, because that call may have used some of it.
 */
async function admit(lane: Lane, getCapacity: () => Promise<number>): Promise<void> {
  for (;;) {
    const { finished } = lane
    const capacity = await getCapacity()
    if (finished !== lane.finished) continue
    if (lane.running < capacity) break
    await new Promise<void>((wake) => lane.waiting.push(wake))
  }
  lane.running++
}

export function createConcurrencyLimit(): ConcurrencyLimit {
  const lanes = new Map<string, Lane>()

  function enter(name: string): Lane {
    const lane = lanes.get(name) ?? { running: 0, waiting: [], present: 0, finished: 0 }
    lanes.set(name, lane)
    lane.present++
    return lane
  }

  function leave(name: string, lane: Lane) {
    lane.present--
    if (lane.present === 0) lanes.delete(name)
    // A refused caller must wake the next waiter too; otherwise that wake-up is lost.
    lane.waiting.shift()?.()
  }

  return {
    async pass(name, getCapacity, work) {
      const lane = enter(name)
      try {
        await admit(lane, getCapacity)
        return await work().finally(() => {
          lane.running--
          lane.finished++
        })
      } finally {
        leave(name, lane)
      }
    },
  }
}
