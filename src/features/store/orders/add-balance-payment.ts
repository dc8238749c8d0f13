import { inTransaction } from '../../../db/database.ts'
import { invalid, requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { ORDER_LIFE } from '../order-life.ts'
import { applyPayment, type PaymentAndOrder } from './add-manual-payment.ts'
import { moneyOf } from './change-order.ts'
import type { NewBalancePayment } from './payment-schema.ts'
import { checkPartPayments } from './payments.rules.ts'
import * as q from './queries/index.ts'
import { checkPayable, owedCents } from './status.rules.ts'

/** Pays an order, or a part of it, from the balance of its customer (decision 140). */
export function addBalancePayment(
  context: StoreContext,
  orderId: string,
  { amount_cents: requestedCents }: NewBalancePayment,
): Promise<PaymentAndOrder> {
  const { store, now, audit } = context
  return inTransaction(context.db, async (tx) => {
    const order = requireRecord(await q.lockOrder(tx, store.id, orderId), 'Order')
    checkPayable(order.status, { needsReview: false })
    const { balance_cents } = await ORDER_LIFE.moneyAdded.customers.lock(
      tx,
      context,
      order.customer_id,
    )
    const amount_cents = planBalancePayment({
      requestedCents,
      owedCents: owedCents(order),
      balanceCents: balance_cents,
    })
    await ORDER_LIFE.moneyAdded.customers.debit(tx, context, order.customer_id, {
      orderId,
      cents: amount_cents,
    })
    const payment = await q.insertPayment(tx, store.id, {
      order_id: orderId,
      kind: 'balance',
      status: 'succeeded',
      amount_cents,
      currency: order.currency,
      actor: audit.origin.actor,
      created_at: now,
    })
    const after = await applyPayment(tx, context, order, payment)
    checkPartPayments(after)
    audit.reportChange(order, moneyOf(after))
    return { payment, order: after }
  })
}

/** Returns the amount to pay: at most the owed amount, and at most the balance. */
function planBalancePayment({
  requestedCents,
  owedCents: owed,
  balanceCents: balance,
}: {
  requestedCents: number | undefined
  owedCents: number
  balanceCents: number
}): number {
  if (owed < 1)
    throw invalid('amount_cents', 'Nothing is owed for this order. No payment is needed.')
  const cents = requestedCents ?? Math.min(owed, balance)
  if (cents > owed) {
    const message = `Only ${owed} is owed. Use ${owed} or less.`
    throw invalid('amount_cents', message, { owed: owed, rule: 'at_most', limit: owed })
  }
  if (cents > balance || balance === 0) {
    const remedy = balance === 0 ? 'Credit it first.' : `Use ${balance} or less.`
    const message = `The customer's balance is ${balance}. ${remedy}`
    throw invalid('amount_cents', message, { available: balance })
  }
  return cents
}
