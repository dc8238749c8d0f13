import type { Ledger } from '../../../events/ledger.ts'
import { SECOND_MS } from '../../../kernel/time.ts'
import type { Claims } from './claims.ts'
import type { LeasedDelivery } from './leased-delivery.ts'
import type { Poller } from './poller.ts'
import type { AttemptResult } from './record-results.ts'
import { createRecordedQueue, type NewEvents } from './recorded-events.ts'

/**
 * Decides what is claimed next. While nothing else is pending, the events that this process commits are claimed by their
 * numbers, because a search for whatever is due is planned anew each time and costs more than sending.
 */
interface Claimer {
  /** `unstartedCount` is the number of claimed deliveries that have not started. */
  claim(unstartedCount: number): Promise<LeasedDelivery[]>
  /** Other deliveries may be due, so the next claim searches. */
  searchNext(): void
  /** A slot of an endpoint of the store is free. */
  onFree(storeId: number): void
  onWritten(results: readonly AttemptResult[]): void
}

interface ClaimerOptions {
  claims: Claims
  poller: Poller
  /** Returns the number of further deliveries that may be in memory. */
  capacity: () => number
}

/** After a search that found work of other processes, each ended attempt searches again for this time. */
const FOLLOW_MS = SECOND_MS

export function createClaimer(
  ledger: Ledger,
  { claims, poller, capacity }: ClaimerOptions,
): Claimer {
  const queue = createRecordedQueue()
  let searches = true
  /** The time at which a search last found work of another process, or a retry. */
  let foundAt = Number.NEGATIVE_INFINITY
  const mayFindMore = () => performance.now() - foundAt < FOLLOW_MS
  const isBehind = ({ events }: NewEvents) =>
    claims.isBehind() || events.some((event) => claims.isBehind(event.store_id))

  const isOfOthers = ({ lane, event }: LeasedDelivery) => lane === 'retry' || !queue.isOwn(event.no)

  ledger.onRecorded((recorded) => {
    if (recorded) queue.add(recorded)
    else searches = true
    poller.wake()
  })

  return {
    async claim(unstartedCount) {
      const recorded = queue.take()
      if (recorded && !searches && capacity() > 0 && !isBehind(recorded)) {
        if (recorded.fanouts === 0) return []
        searches = true
        const { deliveries, areAll } = await claims.claimRecorded(recorded)
        searches = !areAll
        if (deliveries.length > 0) return deliveries
      }
      searches = false
      const deliveries = await claims.claim(unstartedCount)
      poller.recordSearch()
      if (deliveries.some(isOfOthers)) foundAt = performance.now()
      return deliveries
    },
    searchNext() {
      searches = true
    },
    onFree(storeId) {
      if (!claims.isBehind(storeId) && !mayFindMore()) return
      searches = true
      poller.wake()
    },
    onWritten(results) {
      // A delivery that was released is due again.
      const isReleased = results.some(({ row }) => row.status === 'pending' && row.wait_ms === 0)
      if (!isReleased && !claims.isBehind() && !mayFindMore()) return
      searches = true
      poller.wake()
    },
  }
}
