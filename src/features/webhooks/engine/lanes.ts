import { MINUTE_MS } from '../../../kernel/time.ts'
import type { Outcome } from '../../../sender/outcome.rules.ts'
import type { EndpointCapacity } from '../queries/claim.ts'
import type { EndpointSlots } from '../queries/slots.ts'
import { SLOTS_MAX, slotsAfter } from './slots.rules.ts'

/** An attempt for an endpoint. */
export interface LaneWork {
  store_id: number
  endpoint_id: number
  /** The size of the payload. */
  bytes: number
  /** Runs the attempt. Never rejects; resolves to undefined if there is no outcome. */
  run: () => Promise<Outcome | undefined>
  /** Called instead of `run` if the attempt cannot begin. */
  release: () => void
}

/**
 * Runs attempts. An endpoint has as many slots as it can serve, and a queue of the same length. A store that
 * uses half of all slots gets no more, so a few stores whose endpoints hang cannot block the others.
 */
export interface Lanes {
  /** Runs or queues the work. Releases it if the endpoint and its queue are full. */
  add(work: LaneWork): void
  /** Releases all queued work. */
  clear(): void
  /** Sets the slots that other processes use (decision 126). */
  setSlotsOfOthers(others: readonly EndpointSlots[]): void
  /** The slots of an endpoint that other processes do not use. */
  availableSlots(endpointId: number): number
  /** The free slots of endpoints that are in use or slow. All other endpoints have `SLOTS_MAX`. */
  capacity(): EndpointCapacity[]
  /** Stores that use half of all slots, and get no more for now. */
  crowded(): number[]
  /**
   * Stores whose last work was for an endpoint that hangs with all slots in use. Their events are not claimed
   * for a moment: work that is released costs two writes, which would slow the other stores.
   */
  paused(): number[]
  size(): number
  /** The total size of all payloads. */
  bytes(): number
}

interface Lane {
  store_id: number
  running: number
  /** The time when the last attempt ended, or else when the lane was created. */
  lastEndedAt: number
  /** Has at most one entry for each slot, so that work queued behind attempts that hang ends within its lease. */
  queue: LaneWork[]
}

/** An endpoint with all slots in use hangs if no attempt ended for this time. */
export const HANG_AFTER_MS = 200
export const PAUSE_MS = 10

export function createLanes(size_max: number, onFree: (storeId: number) => void): Lanes {
  const lanes = new Map<number, Lane>()
  const pauses = createPauses()
  const limits = createLimits()
  const storeCounts = createStoreCounts(size_max)

  async function begin(lane: Lane, work: LaneWork): Promise<void> {
    lane.running++
    const { endpoint_id } = work
    const outcome = await work.run()
    lane.running--
    lane.lastEndedAt = performance.now()
    storeCounts.remove(work)
    if (outcome) limits.record(work, outcome)
    beginQueued(endpoint_id, lane)
    if (lane.running === 0) lanes.delete(endpoint_id)
    onFree(lane.store_id)
  }

  function beginQueued(endpointId: number, lane: Lane) {
    while (lane.running < limits.capacityOf(endpointId)) {
      const next = lane.queue.shift()
      if (!next) break
      void begin(lane, next)
    }
  }

  function releaseQueue(lane: Lane, from: number) {
    for (const work of lane.queue.splice(from)) {
      storeCounts.remove(work)
      work.release()
    }
  }

  return {
    add(work) {
      const { endpoint_id, store_id } = work
      const lane = lanes.get(endpoint_id) ?? newLane(store_id)
      const limit = limits.capacityOf(endpoint_id)
      const isFull = lane.running >= limit && lane.queue.length >= limit
      if (isFull && (limit === 0 || isHanging(lane))) pauses.begin(store_id)
      if (isFull || storeCounts.isCrowded(store_id)) return work.release()
      pauses.end(store_id)
      lanes.set(endpoint_id, lane)
      storeCounts.add(work)
      if (lane.running < limit) void begin(lane, work)
      else lane.queue.push(work)
    },
    clear() {
      for (const lane of lanes.values()) releaseQueue(lane, 0)
    },
    setSlotsOfOthers(others) {
      limits.setSlotsOfOthers(others)
      for (const [endpointId, lane] of [...lanes]) {
        beginQueued(endpointId, lane)
        releaseQueue(lane, limits.capacityOf(endpointId))
      }
    },
    availableSlots: limits.availableSlots,
    capacity() {
      const capacity = limits.reducedCapacity()
      for (const [endpoint_id, { store_id, running, queue }] of lanes) {
        const slots = Math.max(0, limits.capacityOf(endpoint_id) - running - queue.length)
        capacity.set(endpoint_id, { store_id, endpoint_id, slots })
      }
      return [...capacity.values()]
    },
    crowded: storeCounts.crowded,
    paused: pauses.stores,
    size: storeCounts.size,
    bytes: storeCounts.bytes,
  }
}

const newLane = (store_id: number): Lane => ({
  store_id,
  running: 0,
  lastEndedAt: performance.now(),
  queue: [],
})

const isHanging = ({ lastEndedAt }: Lane): boolean =>
  performance.now() - lastEndedAt > HANG_AFTER_MS

function createPauses() {
  /** The time when each paused store last had work for an endpoint that hangs. */
  const pausedAt = new Map<number, number>()
  return {
    begin: (storeId: number) => void pausedAt.set(storeId, performance.now()),
    end: (storeId: number) => void pausedAt.delete(storeId),
    stores() {
      const since = performance.now() - PAUSE_MS
      for (const [storeId, paused_ms] of pausedAt) if (paused_ms <= since) pausedAt.delete(storeId)
      return [...pausedAt.keys()]
    },
  }
}

/** The time for which the limit of a slow endpoint is stored after its last attempt. */
const SLOW_MS = 10 * MINUTE_MS

/** The slots of each endpoint. Only endpoints that are slow or used by other processes are stored. */
function createLimits() {
  const slowEndpoints = new Map<number, EndpointCapacity & { recordedAt: number }>()
  let others: ReadonlyMap<number, EndpointSlots> = new Map()
  const slotsOf = (endpointId: number) => slowEndpoints.get(endpointId)?.slots ?? SLOTS_MAX
  const availableSlots = (endpointId: number) =>
    Math.max(0, SLOTS_MAX - (others.get(endpointId)?.slots ?? 0))
  const capacityOf = (endpointId: number) =>
    Math.min(Math.floor(slotsOf(endpointId)), availableSlots(endpointId))
  return {
    capacityOf,
    availableSlots,
    setSlotsOfOthers(rows: readonly EndpointSlots[]) {
      others = new Map(rows.map((row) => [row.endpoint_id, row]))
    },
    record({ store_id, endpoint_id }: Omit<EndpointCapacity, 'slots'>, outcome: Outcome) {
      const slots = slotsAfter(slotsOf(endpoint_id), outcome)
      const now_ms = performance.now()
      if (slots < SLOTS_MAX)
        slowEndpoints.set(endpoint_id, { store_id, endpoint_id, slots, recordedAt: now_ms })
      else slowEndpoints.delete(endpoint_id)
    },
    /** Returns the capacity of each endpoint that is slow or used by other processes. */
    reducedCapacity() {
      const since = performance.now() - SLOW_MS
      for (const [id, { recordedAt }] of slowEndpoints)
        if (recordedAt < since) slowEndpoints.delete(id)
      const endpoints = [...slowEndpoints.values(), ...others.values()].map(
        ({ store_id, endpoint_id }) => ({
          store_id,
          endpoint_id,
          slots: capacityOf(endpoint_id),
        }),
      )
      return new Map(endpoints.map((item) => [item.endpoint_id, item]))
    },
  }
}

/** The number of deliveries in memory of each store. */
function createStoreCounts(size_max: number) {
  const counts = new Map<number, number>()
  let size = 0
  let bytes = 0
  const isCrowded = (storeId: number) => (counts.get(storeId) ?? 0) >= size_max - size
  return {
    isCrowded,
    add(work: LaneWork) {
      size++
      bytes += work.bytes
      counts.set(work.store_id, (counts.get(work.store_id) ?? 0) + 1)
    },
    remove(work: LaneWork) {
      size--
      bytes -= work.bytes
      const remaining = (counts.get(work.store_id) ?? 0) - 1
      if (remaining > 0) counts.set(work.store_id, remaining)
      else counts.delete(work.store_id)
    },
    crowded: () => [...counts.keys()].filter(isCrowded),
    size: () => size,
    bytes: () => bytes,
  }
}
