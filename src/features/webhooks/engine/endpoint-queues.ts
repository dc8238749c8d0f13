import type { Outcome } from '../../../sender/outcome.rules.ts'
import type { EndpointCapacity } from '../queries/claim.ts'
import type { EndpointSlots } from '../queries/slots.ts'
import { EndpointState } from './endpoint-state.ts'
import { SLOTS_MAX } from './slots.rules.ts'

/** An attempt for an endpoint. */
export interface QueuedAttempt {
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
export interface EndpointQueues {
  /** Runs or queues the attempt. Releases it if the endpoint and its queue are full. */
  add(attempt: QueuedAttempt): void
  /** Releases all queued attempts. */
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
   * Stores whose last attempt was for an endpoint that hangs with all slots in use. Their events are not claimed
   * for a moment: an attempt that is released costs two writes, which would slow the other stores.
   */
  paused(): number[]
  size(): number
  /** The total size of all payloads. */
  bytes(): number
}

interface Endpoint {
  store_id: number
  state: EndpointState
  /** The attempts that wait for a slot. */
  queue: QueuedAttempt[]
}

export const PAUSE_MS = 10

/** `onFree` is called with the store whose endpoint has a free slot. */
export function createEndpointQueues(
  size_max: number,
  onFree: (storeId: number) => void,
): EndpointQueues {
  const endpoints = createEndpoints()
  const pauses = createPauses()
  const storeCounts = createStoreCounts(size_max)

  async function begin(endpoint: Endpoint, attempt: QueuedAttempt): Promise<void> {
    endpoint.state.begin(performance.now())
    const outcome = await attempt.run()
    endpoint.state.end(outcome, performance.now())
    storeCounts.remove(attempt)
    beginQueued(endpoint)
    endpoints.dropIfUnused(attempt.endpoint_id)
    onFree(endpoint.store_id)
  }

  function beginQueued(endpoint: Endpoint) {
    while (endpoint.state.running < endpoint.state.slots) {
      const next = endpoint.queue.shift()
      if (!next) break
      endpoint.state.dequeue()
      void begin(endpoint, next)
    }
  }

  function releaseQueue({ queue, state }: Endpoint, from: number) {
    for (const attempt of queue.splice(from)) {
      state.dequeue()
      storeCounts.remove(attempt)
      attempt.release()
    }
  }

  return {
    add(attempt) {
      const { endpoint_id, store_id } = attempt
      const endpoint = endpoints.get(endpoint_id, store_id)
      const { state } = endpoint
      if (state.isFull && state.isHanging(performance.now())) pauses.begin(store_id)
      if (state.isFull || storeCounts.isCrowded(store_id)) {
        endpoints.dropIfUnused(endpoint_id)
        return attempt.release()
      }
      pauses.end(store_id)
      storeCounts.add(attempt)
      if (state.running < state.slots) {
        void begin(endpoint, attempt)
      } else {
        state.queue()
        endpoint.queue.push(attempt)
      }
    },
    clear() {
      for (const endpoint of endpoints.all()) releaseQueue(endpoint, 0)
    },
    setSlotsOfOthers(others) {
      endpoints.setSlotsOfOthers(others)
      for (const endpoint of endpoints.all()) {
        beginQueued(endpoint)
        releaseQueue(endpoint, endpoint.state.slots)
      }
    },
    availableSlots: endpoints.availableSlots,
    capacity: endpoints.capacity,
    crowded: storeCounts.crowded,
    paused: pauses.stores,
    size: storeCounts.size,
    bytes: storeCounts.bytes,
  }
}

/** The endpoints that are in use, slow or used by other processes. */
function createEndpoints() {
  const endpoints = new Map<number, Endpoint>()

  function get(endpointId: number, store_id: number): Endpoint {
    const known = endpoints.get(endpointId)
    if (known) return known
    const endpoint = { store_id, state: new EndpointState(), queue: [] }
    endpoints.set(endpointId, endpoint)
    return endpoint
  }

  function dropIfUnused(endpointId: number) {
    if (endpoints.get(endpointId)?.state.isUnused(performance.now())) endpoints.delete(endpointId)
  }

  return {
    get,
    dropIfUnused,
    all: () => [...endpoints.values()],
    availableSlots: (endpointId: number) => endpoints.get(endpointId)?.state.available ?? SLOTS_MAX,
    setSlotsOfOthers(others: readonly EndpointSlots[]) {
      const slotsById = new Map(others.map((row) => [row.endpoint_id, row.slots]))
      for (const { endpoint_id, store_id } of others) get(endpoint_id, store_id)
      for (const [id, { state }] of endpoints) state.takeElsewhere(slotsById.get(id) ?? 0)
    },
    capacity(): EndpointCapacity[] {
      for (const id of [...endpoints.keys()]) dropIfUnused(id)
      return [...endpoints].map(([endpoint_id, { store_id, state }]) => ({
        store_id,
        endpoint_id,
        slots: state.freeSlots,
      }))
    },
  }
}

function createPauses() {
  /** The time when each paused store last had an attempt for an endpoint that hangs. */
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

/** The number of deliveries in memory of each store. */
function createStoreCounts(size_max: number) {
  const counts = new Map<number, number>()
  let size = 0
  let bytes = 0
  const isCrowded = (storeId: number) => (counts.get(storeId) ?? 0) >= size_max - size
  return {
    isCrowded,
    add(attempt: QueuedAttempt) {
      size++
      bytes += attempt.bytes
      counts.set(attempt.store_id, (counts.get(attempt.store_id) ?? 0) + 1)
    },
    remove(attempt: QueuedAttempt) {
      size--
      bytes -= attempt.bytes
      const remaining = (counts.get(attempt.store_id) ?? 0) - 1
      if (remaining > 0) counts.set(attempt.store_id, remaining)
      else counts.delete(attempt.store_id)
    },
    crowded: () => [...counts.keys()].filter(isCrowded),
    size: () => size,
    bytes: () => bytes,
  }
}
