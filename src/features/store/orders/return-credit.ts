import { SYSTEM } from '../../../audit/origin.ts'
import type { Tx } from '../../../db/database.ts'
import type { StoreContext } from '../../../store-context.ts'
import { selectBalanceOfOrder } from '../customers/index.ts'
import { ORDER_LIFE } from '../order-life.ts'
import type { Refund } from './payment-schema.ts'
import * as q from './queries/index.ts'
import { afterRefund } from './status.rules.ts'

interface ReturnedCredit {
  refund: Refund
  /** The fields of the order that follow. */
  change: Pick<q.OrderChange, 'refunded_cents' | 'refund_status'>
}

/**
 * Returns the store credit that was paid for an order that ends unpaid to the balance of its customer, and records
 * the refund (decision 180). Returns undefined if no credit was paid. The credit of an erased customer, and one that
 * the balance cannot hold, stays with the order. Call this before stock is locked (decision 400).
 */
export async function returnCredit(
  tx: Tx,
  context: StoreContext,
  order: q.LockedOrder,
  status: 'cancelled' | 'expired',
): Promise<ReturnedCredit | undefined> {
  const { store, now } = context
  const { id, customer_id, currency } = order
  const refundable = order.paid_cents - order.refunded_cents
  if (refundable <= 0) return undefined
  const cents = Math.min(refundable, await selectBalanceOfOrder(tx, store.id, id))
  if (cents <= 0) return undefined
  if (
    !(await ORDER_LIFE.ended.customers.returnBalance(tx, context, customer_id, {
      orderId: id,
      cents,
    }))
  )
    return undefined
  const { refunded_cents, refund_status } = afterRefund({ ...order, status }, cents)
  const refund = await q.insertRefund(tx, store.id, {
    order_id: id,
    amount_cents: cents,
    currency,
    reason: 'other',
    note: null,
    restock: false,
    of_sale: false,
    source: 'seller',
    actor: SYSTEM.actor,
    created_at: now,
  })
  return { refund, change: { refunded_cents, refund_status } }
}
