import type { PartReport } from '../../kernel/system-parts.ts'
import { MINUTE_MS, SECOND_MS } from '../../kernel/time.ts'
import type { StoreContext } from '../../store-context.ts'
import * as q from './queries/index.ts'

/** The age of a due delivery from which the queue is late, and from which nothing seems to send. */
const LATE_MS = MINUTE_MS
const STUCK_MS = 10 * MINUTE_MS

/** Reports the queue of webhooks of all stores, and the receivers of this store, for the page System. */
export async function reportParts({ db, store }: StoreContext): Promise<PartReport[]> {
  return [
    judgeQueue(await q.selectOldestDueAge(db)),
    judgeReceivers(await q.selectReceiverCounts(db, store.id)),
  ]
}

function judgeQueue(oldest_ms: number): PartReport {
  const values = { oldest_s: Math.round(oldest_ms / SECOND_MS) }
  if (oldest_ms <= LATE_MS) return { name: 'queue', state: 'ok', problem: null, values }
  const state = oldest_ms > STUCK_MS ? 'failed' : 'warning'
  return { name: 'queue', state, problem: 'queue_late', values }
}

/** An endpoint that its seller has turned off is no fault. */
function judgeReceivers({ enabled, failing, off }: q.ReceiverCounts): PartReport {
  const values = { enabled, failing, off }
  if (off > 0) return { name: 'receivers', state: 'failed', problem: 'receivers_off', values }
  if (failing > 0) return { name: 'receivers', state: 'warning', problem: 'receivers_fail', values }
  return { name: 'receivers', state: enabled > 0 ? 'ok' : 'off', problem: null, values }
}
