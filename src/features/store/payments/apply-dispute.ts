import { SYSTEM } from '../../../audit/origin.ts'
import type { Tx } from '../../../db/database.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import {
  canBeHeld,
  countRefund,
  type LockedOrder,
  lockOrder,
  type Payment,
  putOnHold,
  readOrder,
  release,
  selectPayment,
  updatePayment,
} from '../orders/index.ts'
import type { ProviderDispute } from '../payment-providers/index.ts'
import { disputeChange, outsideRefundCents } from './record.rules.ts'

/**
 * Applies the dispute in the record of a provider (decision 158). An open dispute puts the order on hold, a won one
 * releases it, and the money of a lost one is recorded as refunded. The order is locked.
 */
export async function applyDispute(
  tx: Tx,
  context: StoreContext,
  { id, order_id }: Pick<Payment, 'id' | 'order_id'>,
  dispute: ProviderDispute | null,
): Promise<void> {
  if (!dispute) return
  const { store } = context
  const payment = requireRecord(await selectPayment(tx, store.id, order_id, id), 'Payment')
  const change = disputeChange(payment, dispute)
  if (!change) return
  await updatePayment(tx, store.id, id, change)
  const order = requireRecord(await lockOrder(tx, store.id, order_id), 'Order')
  if (dispute.status === 'won') return releaseAfterDispute(tx, context, order)
  if (order.hold === null && canBeHeld(order.status)) await putOnHold(tx, context, order, 'dispute')
  if (dispute.status === 'lost') await recordLoss(tx, context, { payment, dispute })
}

/** Releases an order if no other of its payments is disputed. A hold of the seller stays. */
async function releaseAfterDispute(
  tx: Tx,
  context: StoreContext,
  order: LockedOrder,
): Promise<void> {
  if (order.hold?.reason !== 'dispute') return
  const { payments } = await readOrder(context, tx, order.id)
  if (!payments.some(({ status }) => status === 'disputed')) await release(tx, context, order)
}

/** Records the money that a lost dispute took. */
async function recordLoss(
  tx: Tx,
  context: StoreContext,
  { payment, dispute }: { payment: Payment; dispute: ProviderDispute },
): Promise<void> {
  const order = requireRecord(await lockOrder(tx, context.store.id, payment.order_id), 'Order')
  const amount_cents = outsideRefundCents(order, payment, dispute)
  if (amount_cents < 1) return
  await countRefund(tx, context, order, {
    amount_cents,
    reason: 'other',
    note: null,
    restock: false,
    source: 'dispute',
    actor: SYSTEM.actor,
    payment_id: payment.id,
    external_id: dispute.id,
    return_id: null,
    balance_cents: 0,
  })
}
