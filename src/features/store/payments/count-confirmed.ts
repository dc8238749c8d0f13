import type { Tx } from '../../../db/database.ts'
import type { StoreContext } from '../../../store-context.ts'
import { countRefund, deleteRequest, type LockedOrder } from '../orders/index.ts'

/**
 * Counts a refund that its provider has confirmed, as far as the order can record it. Returns false if it was counted or
 * refused before.
 */
export async function countConfirmed(
  tx: Tx,
  context: StoreContext,
  order: LockedOrder,
  { id, external_id }: { id: number; external_id: string | null },
): Promise<boolean> {
  const request = await deleteRequest(tx, context.store.id, id)
  if (!request) return false
  const amount_cents = Math.min(request.amount_cents, order.paid_cents - order.refunded_cents)
  const confirmed = { ...request, amount_cents, external_id }
  if (amount_cents > 0)
    await countRefund(tx, context, order, { ...confirmed, source: 'seller', balance_cents: 0 })
  return true
}
