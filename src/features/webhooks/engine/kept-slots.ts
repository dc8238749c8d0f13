import { SECOND_MS } from '../../../kernel/time.ts'
import type { EndpointSlots } from '../queries/slots.ts'
import { SLOTS_MAX } from './slots.rules.ts'

/** The slots of an endpoint that are kept after their use: half of all, so that two processes can keep some. */
export const KEPT_SLOTS = SLOTS_MAX / 2
/** The time for which slots are kept after the last claim for their endpoint. */
export const KEPT_MS = 5 * SECOND_MS
/** The slots of more endpoints are not kept, because all of them are saved together. */
const KEPT_ENDPOINTS_MAX = 256

interface UsedEndpoint {
  store_id: number
  /** The claimed deliveries that have not ended. */
  deliveries: number
  /** The time of the last claim, by `performance.now()`. */
  claimedAt: number
}

type EndpointOfStore = Pick<EndpointSlots, 'store_id' | 'endpoint_id'>

/** The slots that a process needs: one for each delivery, and a few of each endpoint that it has used a moment ago. */
interface KeptSlots {
  add(endpoint: EndpointOfStore): void
  /** Returns false if the process needs as many slots as before. */
  free(delivery: { endpoint_id: number }): boolean
  /** Returns the slots that this process needs, at most `available` of an endpoint. */
  list(available: (endpointId: number) => number): EndpointSlots[]
  deliveries(endpointId: number): number
  /** From then on, no slot is kept after its use. */
  stop(): void
}

export function createKeptSlots(): KeptSlots {
  const usedEndpoints = new Map<number, UsedEndpoint>()
  let isStopped = false

  const keptOf = ({ claimedAt }: UsedEndpoint): number => {
    const isKept = !isStopped && usedEndpoints.size <= KEPT_ENDPOINTS_MAX
    return isKept && claimedAt > performance.now() - KEPT_MS ? KEPT_SLOTS : 0
  }

  return {
    add({ store_id, endpoint_id }) {
      const deliveries = (usedEndpoints.get(endpoint_id)?.deliveries ?? 0) + 1
      usedEndpoints.set(endpoint_id, { store_id, deliveries, claimedAt: performance.now() })
    },
    free({ endpoint_id }) {
      const used = usedEndpoints.get(endpoint_id)
      if (!used || used.deliveries === 0) return false
      const isFreed = used.deliveries > keptOf(used)
      used.deliveries--
      return isFreed
    },
    list: (available) =>
      [...usedEndpoints].flatMap(([endpoint_id, used]) => {
        const needed = Math.max(used.deliveries, keptOf(used))
        if (needed === 0) usedEndpoints.delete(endpoint_id)
        const slots = Math.min(needed, available(endpoint_id))
        return slots > 0 ? { store_id: used.store_id, endpoint_id, slots } : []
      }),
    deliveries: (endpointId) => usedEndpoints.get(endpointId)?.deliveries ?? 0,
    stop() {
      isStopped = true
    },
  }
}
