import type { Tx } from '../../db/database.ts'
import { iso } from '../../kernel/time.ts'
import * as q from './queries/parking.ts'
import { PARKED_MAX_MS } from './retry.rules.ts'

/**
 * The current state of an endpoint: its pending deliveries go on, wait until it is turned on, or
 * end.
 */
export interface Turned {
  store_id: number
  id: number
  state: 'on' | 'off' | 'deleted'
}

/** A statement over all that gathered in days could outlast its time, and hold up whoever waits for it. */
const SHARE = 1_000

/**
 * Moves the pending deliveries of an endpoint according to its state (decision 18): a batch at
 * once, and the rest of a longer queue by a job. Returns true if that was all. The endpoint is
 * locked already.
 */
export async function moveWaiting(
  tx: Tx,
  { store_id, id, state }: Turned,
  now: string,
): Promise<boolean> {
  const share = { endpoint_id: id, limit: SHARE }
  const moved = await {
    on: () => q.unpark(tx, store_id, { ...share, oldest: oldestSent(now), now }),
    off: () => q.park(tx, store_id, share),
    deleted: () => q.cancelWaiting(tx, store_id, { ...share, now }),
  }[state]()
  await q.setMoving(tx, store_id, id, moved === SHARE)
  return moved < SHARE
}

const oldestSent = (now: string) => iso(Date.parse(now) - PARKED_MAX_MS)
