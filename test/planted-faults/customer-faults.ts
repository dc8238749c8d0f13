import { type RawBuilder, sql } from 'kysely'
import { order, product } from '../build.ts'
import type { Tradepost } from '../harness.ts'

/** Creates a customer who paid an order in part from a balance, and a blocked customer. */
export async function createCustomers(tradepost: Tradepost): Promise<void> {
  const { id } = await product(tradepost, { type: 'service' })
  const { customer, id: orderId } = await order(tradepost, id, {
    customer: { email: 'grace@example.com', name: 'Grace' },
  })
  const credit = { amount_cents: 700, reason: 'A gift.' }
  await tradepost.post(`/customers/${customer.id}/balance`, credit)
  await tradepost.post(`/orders/${orderId}/balance-payments`)
  await tradepost.post(`/orders/${orderId}/manual-payments`)
  await tradepost.post(`/orders/${orderId}/refund`, { amount_cents: 400 })
  const ended = await order(tradepost, id, { customer: { email: 'grace@example.com' } })
  await tradepost.post(`/orders/${ended.id}/balance-payments`, { amount_cents: 100 })
  await tradepost.post(`/orders/${ended.id}/cancel`)
  const blocked = await tradepost.post('/customers', { email: 'mallory@example.com' })
  await tradepost.post(`/customers/${blocked.json.customer.id}/block`)
}

export const CUSTOMER_FAULTS: [
  invariant: string,
  fault: string,
  statements: RawBuilder<unknown>[],
][] = [
  [
    'customer_totals',
    "an order missing from its customer's count",
    [sql`update customer set orders_count = orders_count - 1 where orders_count > 0`],
  ],
  [
    'customer_totals',
    "an amount in a customer's spending without an order",
    [sql`update customer set total_spent_cents = total_spent_cents + 1`],
  ],
  [
    'balances',
    'a balance without an entry',
    [sql`update customer set balance_cents = balance_cents + 1`],
  ],
  [
    'balances',
    'a balance entry whose balance differs from the customer',
    [sql`update balance_entry set balance_cents = balance_cents + 1`],
  ],
  [
    'balance_payments',
    'a balance payment without a balance entry',
    [
      sql`insert into payment (store_id, order_id, kind, status, amount_cents, currency, created_at)
          select store_id, id, 'balance', 'succeeded', 1, currency, now() from "order" limit 1`,
    ],
  ],
  [
    'returned_credit',
    'credit that an ended order gave back without a refund',
    [sql`update refund set actor = null where reason = 'other' and actor ->> 'type' = 'system'`],
  ],
  [
    'customers_are_found',
    'a customer missing from the search index',
    [sql`delete from customer_search`],
  ],
  [
    'blocked_customers',
    'a blocked customer whose address is not on the list',
    [sql`delete from blocklist_entry`],
  ],
]
