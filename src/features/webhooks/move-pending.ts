import type { Tx } from '../../db/database.ts'
import { iso } from '../../kernel/time.ts'
import * as q from './queries/index.ts'
import { PARKED_MAX_MS } from './retry.rules.ts'

/** One statement over the deliveries of several days could exceed the statement timeout and block others. */
const BATCH_MAX = 1_000

/**
 * Moves a batch of the pending deliveries of a locked endpoint: `on` makes them due, `off` parks them, and
 * `deleted` cancels them (decision 18). A job moves further batches. Returns true if none remains.
 */
export async function movePending(
  tx: Tx,
  { store_id, id, state }: q.MovingEndpoint,
  now: string,
): Promise<boolean> {
  const batch = { endpoint_id: id, limit: BATCH_MAX }
  const movedCount = await {
    on: () => q.unpark(tx, store_id, { ...batch, oldest: oldestSendable(now), now }),
    off: () => q.park(tx, store_id, batch),
    deleted: () => q.cancelPending(tx, store_id, { ...batch, now }),
  }[state]()
  await q.setMoving(tx, store_id, id, movedCount === BATCH_MAX)
  return movedCount < BATCH_MAX
}

const oldestSendable = (now: string) => iso(Date.parse(now) - PARKED_MAX_MS)
