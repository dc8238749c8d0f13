/** Lets calls in that may turn out to use up what is left of something. */
export interface ConcurrencyLimit {
  /**
   * Does work once fewer calls of `name` are inside than there is room for; the others wait for their
   * turn. So whoever counts what was used before it leaves is never followed by one too many. `room`
   * throws where nobody may come in any more.
   */
  pass<T>(name: string, room: () => number, work: () => Promise<T>): Promise<T>
}

interface Lane {
  inside: number
  waiting: (() => void)[]
  /** Inside, waiting, or on their way between the two. */
  present: number
}

export function createConcurrencyLimit(): ConcurrencyLimit {
  const lanes = new Map<string, Lane>()

  function enter(name: string): Lane {
    const lane = lanes.get(name) ?? { inside: 0, waiting: [], present: 0 }
    lanes.set(name, lane)
    lane.present++
    return lane
  }

  function leave(name: string, lane: Lane) {
    lane.present--
    if (lane.present === 0) lanes.delete(name)
    // Also one who was refused wakes the next, who had been woken in its place.
    lane.waiting.shift()?.()
  }

  return {
    async pass(name, room, work) {
      const lane = enter(name)
      try {
        while (lane.inside >= room()) {
          await new Promise<void>((wake) => lane.waiting.push(wake))
        }
        lane.inside++
        return await work().finally(() => lane.inside--)
      } finally {
        leave(name, lane)
      }
    },
  }
}
