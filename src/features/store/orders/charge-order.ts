import type { Tx } from '../../../db/database.ts'
import { found } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { debitBalances } from '../customers/index.ts'
import { type FullyPaidOrder, type PayableOrder, payAllInFull } from './pay-in-full.ts'
import { lockOrder } from './queries/orders.ts'
import { type Balance, EXPIRING, owedCents } from './status.rules.ts'

/** An order that waits for its payment. Its row is locked, or new. */
export type UnpaidOrder = PayableOrder & Balance

/**
 * Charges an order by a method that needs no person: all of it, or nothing. Returns false if that
 * is not possible; then the order waits for its payment. An order under review is left to the
 * seller.
 */
export async function chargeOrder(
  tx: Tx,
  context: StoreContext,
  id: string,
  method: string | null,
): Promise<boolean> {
  const order = found(await lockOrder(tx, context.store.id, id), 'Order')
  if (!EXPIRING.includes(order.status)) return false
  return (await chargeOrders(tx, context, [{ order, method }])).has(id)
}

/** Returns true if an order can be paid without anybody's help: it is free, or paid from the balance. */
export const isChargeable = ({
  total_cents,
  payment_method,
}: {
  total_cents: number
  payment_method: string | null
}): boolean => total_cents === 0 || payment_method === 'balance'

/** Charges unpaid orders of different customers. Returns the ids of those that are paid now. */
export async function chargeOrders(
  tx: Tx,
  context: StoreContext,
  unpaid: readonly { order: UnpaidOrder; method: string | null }[],
): Promise<Set<string>> {
  const owed = unpaid.map((item) => ({ ...item, cents: owedCents(item.order) }))
  const debits = owed.filter(({ cents, method }) => cents > 0 && method === 'balance')
  const debited = await debitBalances(
    tx,
    context,
    debits.map(({ order, cents }) => ({
      customerId: order.customer_id,
      orderId: order.id,
      cents,
    })),
  )
  const paid = owed.flatMap(({ order, cents }): FullyPaidOrder[] => {
    const free = { kind: 'free', status: 'succeeded', amount_cents: 0 } as const
    if (cents <= 0) return [{ order, payment: free }]
    const payment = { kind: 'balance', status: 'succeeded', amount_cents: cents } as const
    return debited.has(order.id) ? [{ order, payment }] : []
  })
  if (paid.length > 0) await payAllInFull(tx, context, paid)
  return new Set(paid.map(({ order }) => order.id))
}
