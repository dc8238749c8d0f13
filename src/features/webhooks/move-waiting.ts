import type { Tx } from '../../db/database.ts'
import { iso } from '../../kernel/time.ts'
import * as q from './queries/parking.ts'
import { PARKED_MAX_MS } from './retry.rules.ts'

/** An endpoint as it is now: what waits for it goes on, waits for it to be turned on, or is over. */
export interface Turned {
  store_id: number
  id: number
  state: 'on' | 'off' | 'deleted'
}

/** A statement over all that gathered in days could outlast its time, and hold up whoever waits for it. */
const SHARE = 1_000

/**
 * Moves what waits for an endpoint to where its state calls for (decision 18): a share at once, and the
 * rest of a longer queue by a job. Says whether that was all. The endpoint is locked already.
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
