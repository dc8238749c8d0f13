import { SYSTEM } from '../../../audit/origin.ts'
import type { Tx } from '../../../db/database.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import {
  countRefund,
  lockOrder,
  type Payment,
  selectExternalRefunds,
  selectPayment,
} from '../orders/index.ts'
import type { ProviderRefund } from '../payment-providers/index.ts'
import { outsideRefundCents } from './record.rules.ts'
import { countConfirmed } from './send-refunds.ts'

/**
 * Counts the refunds in the record of a provider that do not count yet: those that we asked for, and those that were
 * made at the provider (decision 157). The order is locked.
 */
export async function applyRefunds(
  tx: Tx,
  context: StoreContext,
  payment: Pick<Payment, 'id' | 'order_id'>,
  refunds: readonly ProviderRefund[],
): Promise<void> {
  if (refunds.length === 0) return
  const { store } = context
  const knownIds = await selectExternalRefunds(tx, store.id, payment)
  for (const refund of refunds) {
    if (knownIds.includes(refund.external_id)) continue
    const order = requireRecord(await lockOrder(tx, store.id, payment.order_id), 'Order')
    const { refund_id: id, external_id } = refund
    if (id !== null && (await countConfirmed(tx, context, order, { id, external_id }))) continue
    const current = await selectPayment(tx, store.id, payment.order_id, payment.id)
    const amount_cents = outsideRefundCents(order, requireRecord(current, 'Payment'), refund)
    if (amount_cents < 1) continue
    await countRefund(tx, context, order, {
      amount_cents,
      reason: 'other',
      note: null,
      restock: false,
      source: 'provider',
      actor: SYSTEM.actor,
      payment_id: payment.id,
      external_id,
      return_id: null,
      balance_cents: 0,
    })
  }
}
