import type { RecordedEvents } from '../../../events/ledger.ts'
import type { RecordedEvent } from '../queries/claim.ts'
import { KEPT_SLOTS } from './kept-slots.ts'

/** Events that this process has committed since the last claim. */
export interface NewEvents {
  events: readonly RecordedEvent[]
  /** The number of those with subscribers. */
  fanouts: number
}

interface RecordedQueue {
  add(recorded: RecordedEvents): void
  /** True if this process has recorded the event, and not very many since. */
  isOwn(no: number): boolean
  /** Empties the queue. Returns undefined if it had more events than can be claimed at once. */
  take(): NewEvents | undefined
}

const NONE: NewEvents = { events: [], fanouts: 0 }
const OWN_MAX = 2_000

/**
 * Keeps the numbers of events until the next claim. Of more than a few it keeps none, because `claimEvents` claims many in
 * one statement.
 */
export function createRecordedQueue(max = KEPT_SLOTS): RecordedQueue {
  let queued: NewEvents | undefined = NONE
  /** The numbers of the newest events, oldest first. */
  const ownNumbers = new Set<number>()

  function remember(nos: readonly number[]) {
    for (const no of nos) ownNumbers.add(no)
    for (const no of ownNumbers) {
      if (ownNumbers.size <= OWN_MAX) break
      ownNumbers.delete(no)
    }
  }

  return {
    isOwn: (no) => ownNumbers.has(no),
    add({ store_id, nos, fanouts }) {
      remember(nos)
      if (!queued) return
      const events = [...queued.events, ...nos.map((no) => ({ store_id, no }))]
      const count = queued.fanouts + fanouts
      queued = count > max ? undefined : { events, fanouts: count }
    },
    take() {
      const taken = queued
      queued = NONE
      return taken
    },
  }
}
