import type { Tx } from '../../../db/database.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { ORDER_LIFE } from '../order-life.ts'
import { type FullyPaidOrder, type PayableOrder, payAllInFull } from './pay-in-full.ts'
import * as q from './queries/index.ts'
import { EXPIRABLE_STATUSES, type OrderAmounts, owedCents } from './status.rules.ts'

/** An unpaid order whose row is locked or new. */
type UnpaidOrder = PayableOrder & OrderAmounts

/**
 * Charges the full amount of an order, if the order is free, or if `method` is `balance` and its
 * customer has enough balance. Returns false otherwise, and for an order under review; the order then
 * stays unpaid.
 */
export async function chargeOrder(
  tx: Tx,
  context: StoreContext,
  id: string,
  method: string | null,
): Promise<boolean> {
  const order = requireRecord(await q.lockOrder(tx, context.store.id, id), 'Order')
  if (!EXPIRABLE_STATUSES.includes(order.status)) return false
  return (await chargeOrders(tx, context, [{ order, method }])).has(id)
}

/** Returns true if an order can be charged automatically: it is free, or is paid from the balance. */
export const isChargeable = ({
  total_cents,
  payment_method,
}: {
  total_cents: number
  payment_method: string | null
}): boolean => total_cents === 0 || payment_method === 'balance'

/** Charges unpaid orders of different customers. Returns the ids of the orders that are paid now. */
export async function chargeOrders(
  tx: Tx,
  context: StoreContext,
  unpaid: readonly { order: UnpaidOrder; method: string | null }[],
): Promise<Set<string>> {
  const charges = unpaid.map((item) => ({ ...item, cents: owedCents(item.order) }))
  const debits = charges.filter(({ cents, method }) => cents > 0 && method === 'balance')
  const debitedIds = await ORDER_LIFE.moneyAdded.customers.debitAll(
    tx,
    context,
    debits.map(({ order, cents }) => ({
      customerId: order.customer_id,
      orderId: order.id,
      cents,
    })),
  )
  const paidOrders = charges.flatMap(({ order, cents }): FullyPaidOrder[] => {
    const free = { kind: 'free', status: 'succeeded', amount_cents: 0 } as const
    if (cents <= 0) return [{ order, payment: free }]
    const payment = { kind: 'balance', status: 'succeeded', amount_cents: cents } as const
    return debitedIds.has(order.id) ? [{ order, payment }] : []
  })
  if (paidOrders.length > 0) await payAllInFull(tx, context, paidOrders)
  return new Set(paidOrders.map(({ order }) => order.id))
}
