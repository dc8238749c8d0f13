import type { Tx } from '../../../db/database.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import {
  canBeHeld,
  type LockedOrder,
  lockOrder,
  type Payment,
  putOnHold,
  readOrder,
  release,
  selectExternalRefunds,
  selectPayment,
  updatePayment,
} from '../orders/index.ts'
import type { ProviderDispute } from '../payment-providers/index.ts'
import { countOutside } from './apply-refunds.ts'
import { disputeChange } from './record.rules.ts'

/**
 * Applies the dispute in the record of a provider (decision 458). A won one releases the order, and the money of a lost
 * one is recorded as refunded. The order is locked.
 */
export async function applyDispute(
  tx: Tx,
  context: StoreContext,
  { id, order_id }: Pick<Payment, 'id' | 'order_id'>,
  dispute: ProviderDispute | null,
): Promise<void> {
  if (!dispute) return
  const { store } = context
  const before = requireRecord(await selectPayment(tx, store.id, order_id, id), 'Payment')
  const change = disputeChange(before, dispute)
  if (change) {
    await updatePayment(tx, store.id, id, change)
    if (dispute.status === 'won') await releaseAfterDispute(tx, context, order_id)
    else if (before.dispute?.id !== dispute.id) await holdForDispute(tx, context, order_id)
  }
  if (dispute.status !== 'lost') return
  const knownIds = await selectExternalRefunds(tx, store.id, { id, order_id })
  if (knownIds.includes(dispute.id)) return
  const { id: external_id, amount_cents } = dispute
  await countOutside(
    tx,
    context,
    { id, order_id },
    { source: 'dispute', external_id, amount_cents },
  )
}

/** Puts an order on hold for a dispute, unless it is on hold or cannot be delivered any more. */
export async function holdForDispute(
  tx: Tx,
  context: StoreContext,
  orderId: string,
): Promise<LockedOrder> {
  const order = requireRecord(await lockOrder(tx, context.store.id, orderId), 'Order')
  if (order.hold !== null || !canBeHeld(order.status)) return order
  const { hold } = await putOnHold(tx, context, order, 'dispute')
  return { ...order, hold }
}

/** Releases an order if no other of its payments is disputed. A hold of the seller stays. */
async function releaseAfterDispute(tx: Tx, context: StoreContext, orderId: string): Promise<void> {
  const order = requireRecord(await lockOrder(tx, context.store.id, orderId), 'Order')
  if (order.hold?.reason !== 'dispute') return
  const { payments } = await readOrder(context, tx, orderId)
  if (!payments.some(({ status }) => status === 'disputed')) await release(tx, context, order)
}
