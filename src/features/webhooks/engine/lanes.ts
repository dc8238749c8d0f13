import { MINUTE_MS } from '../../../kernel/time.ts'
import type { Outcome } from '../../../sender/outcome.rules.ts'
import type { EndpointCapacity } from '../queries/claim.ts'
import type { EndpointSlots } from '../queries/slots.ts'
import { PLACES_MAX, placesAfter } from './pace.rules.ts'

/** Work for an endpoint: an attempt, and the action if it cannot begin. */
export interface Work {
  store_id: number
  endpoint_id: number
  /** Size of its payload. */
  bytes: number
  /** Never rejects; resolves to undefined if the attempt itself failed. */
  run: () => Promise<Outcome | undefined>
  giveBack: () => void
}

/**
 * Places to send from. An endpoint has as many at once as it can serve, and as long a queue. A store
 * has as many as are left for others: who has half of all gets no more, so that the endpoints of a few
 * stores that all hang leave room for everybody else.
 */
export interface Lanes {
  /** Runs the work when there is a place; gives it back where there is none. */
  enter(work: Work): void
  /** Gives back what was not begun. */
  empty(): void
  /** Takes note of the slots that other processes use (decision 126). */
  share(others: readonly EndpointSlots[]): void
  /** Slots that other processes leave of an endpoint. */
  shareOf(endpointId: number): number
  /** Places that are free, for endpoints that are in use or slow; all others have `PLACES_MAX`. */
  room(): EndpointCapacity[]
  /** Stores that get no more places for now. */
  crowded(): number[]
  /**
   * Stores whose last work met an endpoint that hangs with all its places taken. Their events wait a
   * moment: what is taken and given back is written twice, and a backlog of that at full speed would slow
   * everybody else.
   */
  resting(): number[]
  size(): number
  /** Total size of all payloads. */
  bytes(): number
}

interface Lane {
  store_id: number
  running: number
  /** The time when its last attempt ended, or it began. */
  endedAt: number
  /** Short enough that work behind attempts that hang still ends within its lease of 30 s. */
  queue: Work[]
}

/** An endpoint that answered nobody for so long hangs, if all its places are taken. */
const HANGS_MS = 200
const REST_MS = 10

export function createLanes(size_max: number, onFree: () => void): Lanes {
  const lanes = new Map<number, Lane>()
  const rests = createRests()
  const paces = createPaces()
  const shares = createShares(size_max)

  async function begin(lane: Lane, work: Work): Promise<void> {
    lane.running++
    const { endpoint_id } = work
    const outcome = await work.run()
    lane.running--
    lane.endedAt = performance.now()
    shares.leave(work)
    if (outcome) paces.note(work, outcome)
    beginQueued(endpoint_id, lane)
    if (lane.running === 0) lanes.delete(endpoint_id)
    onFree()
  }

  function beginQueued(endpointId: number, lane: Lane) {
    while (lane.running < paces.of(endpointId)) {
      const next = lane.queue.shift()
      if (!next) break
      void begin(lane, next)
    }
  }

  function giveBack(lane: Lane, from: number) {
    for (const work of lane.queue.splice(from)) {
      shares.leave(work)
      work.giveBack()
    }
  }

  return {
    enter(work) {
      const { endpoint_id, store_id } = work
      const lane = lanes.get(endpoint_id) ?? newLane(store_id)
      const most = paces.of(endpoint_id)
      const isFull = lane.running >= most && lane.queue.length >= most
      if (isFull && (most === 0 || hangs(lane))) rests.begin(store_id)
      if (isFull || shares.isCrowded(store_id)) return work.giveBack()
      rests.end(store_id)
      lanes.set(endpoint_id, lane)
      shares.take(work)
      if (lane.running < most) void begin(lane, work)
      else lane.queue.push(work)
    },
    empty() {
      for (const lane of lanes.values()) giveBack(lane, 0)
    },
    share(used) {
      paces.share(used)
      for (const [endpointId, lane] of [...lanes]) {
        beginQueued(endpointId, lane)
        giveBack(lane, paces.of(endpointId))
      }
    },
    shareOf: paces.shareOf,
    room() {
      const room = paces.slow()
      for (const [endpoint_id, { store_id, running, queue }] of lanes) {
        const places = Math.max(0, paces.of(endpoint_id) - running - queue.length)
        room.set(endpoint_id, { store_id, endpoint_id, places })
      }
      return [...room.values()]
    },
    crowded: shares.crowded,
    resting: rests.stores,
    size: shares.size,
    bytes: shares.bytes,
  }
}

const newLane = (store_id: number): Lane => ({
  store_id,
  running: 0,
  endedAt: performance.now(),
  queue: [],
})

const hangs = ({ endedAt }: Lane): boolean => performance.now() - endedAt > HANGS_MS

function createRests() {
  /** When each store that rests met an endpoint that hangs. */
  const hungAt = new Map<number, number>()
  return {
    begin: (storeId: number) => void hungAt.set(storeId, performance.now()),
    end: (storeId: number) => void hungAt.delete(storeId),
    stores() {
      const since = performance.now() - REST_MS
      for (const [storeId, at] of hungAt) if (at <= since) hungAt.delete(storeId)
      return [...hungAt.keys()]
    },
  }
}

/** For how long it is remembered that an endpoint was slow, when nothing is sent to it. */
const SLOW_MS = 10 * MINUTE_MS

/** How many at once each endpoint gets; those that keep up and are not shared are not remembered. */
function createPaces() {
  const slow = new Map<number, EndpointCapacity & { at: number }>()
  let others: ReadonlyMap<number, EndpointSlots> = new Map()
  const placesOf = (endpointId: number) => slow.get(endpointId)?.places ?? PLACES_MAX
  const shareOf = (endpointId: number) =>
    Math.max(0, PLACES_MAX - (others.get(endpointId)?.slots ?? 0))
  const of = (endpointId: number) => Math.min(Math.floor(placesOf(endpointId)), shareOf(endpointId))
  return {
    of,
    shareOf,
    share(used: readonly EndpointSlots[]) {
      others = new Map(used.map((row) => [row.endpoint_id, row]))
    },
    note({ store_id, endpoint_id }: Omit<EndpointCapacity, 'places'>, outcome: Outcome) {
      const places = placesAfter(placesOf(endpoint_id), outcome)
      const at = performance.now()
      if (places < PLACES_MAX) slow.set(endpoint_id, { store_id, endpoint_id, places, at })
      else slow.delete(endpoint_id)
    },
    slow() {
      const since = performance.now() - SLOW_MS
      for (const [id, { at }] of slow) if (at < since) slow.delete(id)
      const known = [...slow.values(), ...others.values()].map(({ store_id, endpoint_id }) => ({
        store_id,
        endpoint_id,
        places: of(endpoint_id),
      }))
      return new Map(known.map((item) => [item.endpoint_id, item]))
    },
  }
}

/** How much of the whole each store has taken. */
function createShares(size_max: number) {
  const taken = new Map<number, number>()
  let size = 0
  let bytes = 0
  const isCrowded = (storeId: number) => (taken.get(storeId) ?? 0) >= size_max - size
  return {
    isCrowded,
    take(work: Work) {
      size++
      bytes += work.bytes
      taken.set(work.store_id, (taken.get(work.store_id) ?? 0) + 1)
    },
    leave(work: Work) {
      size--
      bytes -= work.bytes
      const left = (taken.get(work.store_id) ?? 0) - 1
      if (left > 0) taken.set(work.store_id, left)
      else taken.delete(work.store_id)
    },
    crowded: () => [...taken.keys()].filter(isCrowded),
    size: () => size,
    bytes: () => bytes,
  }
}
