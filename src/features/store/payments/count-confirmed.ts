import type { Tx } from '../../../db/database.ts'
import type { StoreContext } from '../../../store-context.ts'
import {
  countRefund,
  deleteRequest,
  type LockedOrder,
  type Refund,
  updateRequest,
} from '../orders/index.ts'
import { takeRefundAway } from '../returns/index.ts'

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
  const restCents = order.paid_cents - order.refunded_cents
  if (restCents < 1) return failRequest(tx, context, { id, external_id, failure: MORE_THAN_PAID })
  const request = await deleteRequest(tx, context.store.id, id)
  if (!request) return false
  const amount_cents = Math.min(request.amount_cents, restCents)
  const confirmed = { ...request, amount_cents, external_id }
  await countRefund(tx, context, order, { ...confirmed, source: 'seller', balance_cents: 0 })
  return true
}

const MORE_THAN_PAID = {
  code: 'more_than_paid',
  message:
    'The provider made this refund after all money of the order had gone back in other ways. Look at the payment there.',
}

interface FailedRequest {
  id: number
  external_id: string | null
  failure: NonNullable<Refund['failure']>
}

/** Marks a refund as failed. A return that it was for waits for its refund again. Returns false if it was not pending. */
export async function failRequest(
  tx: Tx,
  { store, now }: StoreContext,
  { id, ...answer }: FailedRequest,
): Promise<boolean> {
  const request = await updateRequest(tx, store.id, id, answer)
  if (request?.return_id) await takeRefundAway(tx, store.id, request.return_id, now)
  return request !== undefined
}
