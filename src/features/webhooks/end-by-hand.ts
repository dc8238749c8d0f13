import type { Tx } from '../../db/database.ts'
import { WORKER_LOST } from './outcome-texts.ts'
import * as q from './queries/by-hand.ts'
import { addStats } from './queries/stats.ts'
import { sumUp, undone } from './stats.rules.ts'

/** Records a manual attempt, and updates the statistics and health of its endpoint. */
export async function endByHand(tx: Tx, storeId: number, result: q.HandResult): Promise<void> {
  await q.lockEndpointOf(tx, storeId, result.delivery_id)
  const changed = await q.recordByHand(tx, storeId, result)
  if (!changed) return
  const { endpoint_id, before, before_at, status } = changed
  const { at, duration_ms } = result
  if (result.ok) await q.recordSuccess(tx, storeId, endpoint_id, at)
  if (status === before) return
  const place = { store_id: storeId, endpoint_id }
  await addStats(tx, [
    ...sumUp([{ ...place, status, duration_ms, at }]),
    ...(before === 'failed' ? [undone({ ...place, at: before_at })] : []),
  ])
}

/** The result of a manual attempt whose process died before recording it. */
export const lostByHand = (
  lost: Pick<q.HandResult, 'delivery_id' | 'token' | 'at'>,
): q.HandResult => ({
  ...lost,
  ok: false,
  status_code: null,
  error: WORKER_LOST,
  duration_ms: null,
  response_body: null,
  worker_lost: true,
})
