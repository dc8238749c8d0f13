/** Limits concurrent calls that each use a part of a shared remaining amount. */
export interface ConcurrencyLimit {
  /**
   * Runs `work` once fewer than `getCapacity()` calls with this name are running; other calls wait.
   * A call counts its use before it ends, so the remaining amount is never exceeded. `getCapacity`
   * throws if no further call is allowed. Calls in other processes are not counted.
   */
  run<T>(name: string, getCapacity: () => Promise<number>, work: () => Promise<T>): Promise<T>
}

interface CallLane {
  running: number
  waiters: (() => void)[]
  /** The number of calls that are running, waiting or being admitted. */
  total: number
  /** The number of calls that have finished. */
  finished: number
}

/**
 * Waits until a call may run, and counts it as running. Capacity is read again if a call finished
 * during the read, because that call may have used some of it.
 */
async function waitForCapacity(lane: CallLane, getCapacity: () => Promise<number>): Promise<void> {
  for (;;) {
    const { finished } = lane
    const capacity = await getCapacity()
    if (finished !== lane.finished) continue
    if (lane.running < capacity) break
    await new Promise<void>((wake) => lane.waiters.push(wake))
  }
  lane.running++
}

export function createConcurrencyLimit(): ConcurrencyLimit {
  const lanes = new Map<string, CallLane>()

  function enter(name: string): CallLane {
    const lane = lanes.get(name) ?? { running: 0, waiters: [], total: 0, finished: 0 }
    lanes.set(name, lane)
    lane.total++
    return lane
  }

  function leave(name: string, lane: CallLane) {
    lane.total--
    if (lane.total === 0) lanes.delete(name)
    // A refused caller must wake the next waiter too; otherwise that wake-up is lost.
    lane.waiters.shift()?.()
  }

  return {
    async run(name, getCapacity, work) {
      const lane = enter(name)
      try {
        await waitForCapacity(lane, getCapacity)
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
