import type { Tx } from '../../../db/database.ts'
import { found } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { debitBalance } from '../customers/index.ts'
import { credit } from './add-manual-payment.ts'
import { type LockedOrder, lockOrder } from './queries/orders.ts'
import { insertPayment } from './queries/payments.ts'
import { settle } from './settle.ts'
import { EXPIRING, owedCents } from './status.rules.ts'

/**
 * Takes what an order owes by a method that needs nobody: all of it, or nothing. False where it could
 * not; then the order waits for its payment. An order under review is left to the seller.
 */
export async function chargeOrder(
  tx: Tx,
  context: StoreContext,
  id: string,
  method: string | null,
): Promise<boolean> {
  const order = found(await lockOrder(tx, context.store.id, id), 'Order')
  if (!EXPIRING.includes(order.status)) return false
  const cents = owedCents(order)
  if (cents <= 0) {
    const payment = { kind: 'free', status: 'succeeded', amount_cents: 0 } as const
    await settle(tx, context, order, { payment })
    return true
  }
  return method === 'balance' && takeBalance(tx, context, order, cents)
}

async function takeBalance(
  tx: Tx,
  context: StoreContext,
  order: LockedOrder,
  cents: number,
): Promise<boolean> {
  const { store, now, audit } = context
  const debit = { orderId: order.id, cents }
  if (!(await debitBalance(tx, context, order.customer_id, debit))) return false
  const payment = await insertPayment(tx, store.id, {
    order_id: order.id,
    kind: 'balance',
    status: 'succeeded',
    amount_cents: cents,
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
  await credit(tx, context, order, payment)
  return true
}
