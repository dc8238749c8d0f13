/** Lets calls in that may turn out to use up what is left of something. */
export interface ConcurrencyLimit {
  /**
   * Does work once fewer calls of `name` are inside than there is room for; the others wait for their
   * turn. So whoever counts what was used before it leaves is never followed by one too many. `room`
   * throws where nobody may come in any more. Calls in other processes are not seen.
   */
  pass<T>(name: string, room: () => Promise<number>, work: () => Promise<T>): Promise<T>
}

interface Lane {
  inside: number
  waiting: (() => void)[]
  /** Inside, waiting, or on their way between the two. */
  present: number
  /** How many calls have left. */
  left: number
}

/**
 * Waits until a call may come in, and counts it as inside. A call that left while the room was asked for may
 * have used some of it, so the room is asked for again.
 */
async function admit(lane: Lane, room: () => Promise<number>): Promise<void> {
  for (;;) {
    const { left } = lane
    const capacity = await room()
    if (left !== lane.left) continue
    if (lane.inside < capacity) break
    await new Promise<void>((wake) => lane.waiting.push(wake))
  }
  lane.inside++
}

export function createConcurrencyLimit(): ConcurrencyLimit {
  const lanes = new Map<string, Lane>()

  function enter(name: string): Lane {
    const lane = lanes.get(name) ?? { inside: 0, waiting: [], present: 0, left: 0 }
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
        await admit(lane, room)
        return await work().finally(() => {
          lane.inside--
          lane.left++
        })
      } finally {
        leave(name, lane)
      }
    },
  }
}
