import { inTransaction } from '../../../db/database.ts'
import { found, invalid } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { debitBalance, lockCustomer } from '../customers/index.ts'
import { credit, type PaymentOnOrder } from './add-manual-payment.ts'
import { moneyOf } from './change-order.ts'
import type { NewBalancePayment } from './payment-schema.ts'
import { checkPartPayments } from './payments.rules.ts'
import { lockOrder } from './queries/orders.ts'
import { insertPayment } from './queries/payments.ts'
import { checkPayable, owedCents } from './status.rules.ts'

/** Pays an order, or a part of it, from the balance of its customer (decision 140). */
export function addBalancePayment(
  context: StoreContext,
  orderId: string,
  { amount_cents: requested }: NewBalancePayment,
): Promise<PaymentOnOrder> {
  const { store, now, audit } = context
  return inTransaction(context.db, async (tx) => {
    const order = found(await lockOrder(tx, store.id, orderId), 'Order')
    checkPayable(order.status, false)
    const { balance_cents } = await lockCustomer(tx, context, order.customer_id)
    const amount_cents = planBalancePayment(requested, owedCents(order), balance_cents)
    await debitBalance(tx, context, order.customer_id, { orderId, cents: amount_cents })
    const payment = await insertPayment(tx, store.id, {
      order_id: orderId,
      kind: 'balance',
      status: 'succeeded',
      amount_cents,
      currency: order.currency,
      reference: null,
      proof_text: null,
      proof_url: null,
      note: null,
      reviewed_at: null,
      actor: audit.origin.actor,
      reviewed_by: null,
      created_at: now,
    })
    const after = await credit(tx, context, order, payment)
    checkPartPayments(after)
    audit.changed(order, moneyOf(after))
    return { payment, order: after }
  })
}

/** The amount to take: never more than is owed, nor than there is. */
function planBalancePayment(
  requested: number | undefined,
  owed: number,
  available: number,
): number {
  if (owed < 1) throw invalid('amount_cents', 'Nothing is owed for this order.')
  const amount = requested ?? Math.min(owed, available)
  if (amount > owed) {
    throw invalid('amount_cents', `Only ${owed} is owed. Use ${owed} or less.`, { owed })
  }
  if (amount > available || available === 0) {
    const cure = available === 0 ? 'Credit it first.' : `Use ${available} or less.`
    throw invalid('amount_cents', `The customer's balance is ${available}. ${cure}`, { available })
  }
  return amount
}
