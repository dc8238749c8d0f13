/** Places to send from: so many at once for each endpoint, and a short queue before them. */
export interface Lanes {
  /** Runs the work when there is a place for the endpoint; false where its queue is full too. */
  enter(endpointId: number, work: () => Promise<unknown>, giveBack: () => void): boolean
  /** Gives back what was not begun. */
  empty(): void
  /** Places that are free, for endpoints that are in use now. */
  room(): ReadonlyMap<number, number>
  size(): number
}

export const PLACES = 10
/** Who queues behind ten that hang still ends well within its lease of 30 s. */
const QUEUE_MAX = 10

interface Lane {
  running: number
  queue: { work: () => Promise<unknown>; giveBack: () => void }[]
}

export function createLanes(onFree: () => void): Lanes {
  const lanes = new Map<number, Lane>()
  let size = 0

  async function run(endpointId: number, lane: Lane, work: () => Promise<unknown>) {
    lane.running++
    await work()
    lane.running--
    size--
    const next = lane.queue.shift()
    if (next) void run(endpointId, lane, next.work)
    else if (lane.running === 0) lanes.delete(endpointId)
    onFree()
  }

  return {
    enter(endpointId, work, giveBack) {
      const lane = lanes.get(endpointId) ?? { running: 0, queue: [] }
      lanes.set(endpointId, lane)
      if (lane.running >= PLACES && lane.queue.length >= QUEUE_MAX) return false
      size++
      if (lane.running < PLACES) void run(endpointId, lane, work)
      else lane.queue.push({ work, giveBack })
      return true
    },
    empty() {
      for (const lane of lanes.values()) {
        for (const { giveBack } of lane.queue.splice(0)) {
          size--
          giveBack()
        }
      }
    },
    room: () =>
      new Map(
        [...lanes].map(([id, { running, queue }]) => [
          id,
          Math.max(0, PLACES - running - queue.length),
        ]),
      ),
    size: () => size,
  }
}
