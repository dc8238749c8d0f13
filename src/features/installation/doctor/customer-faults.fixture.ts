import { type RawBuilder, sql } from 'kysely'
import { order, product } from '../../../../test/build.ts'
import type { Tradepost } from '../../../../test/harness.ts'

/** Customers with a balance, an order that was paid from it in part, and a block. */
export async function useCustomers(tradepost: Tradepost): Promise<void> {
  const { id } = await product(tradepost, { type: 'service' })
  const { customer, id: orderId } = await order(tradepost, id, {
    customer: { email: 'grace@example.com', name: 'Grace' },
  })
  const credit = { amount_cents: 700, reason: 'A gift.' }
  await tradepost.post(`/customers/${customer.id}/balance`, credit)
  await tradepost.post(`/orders/${orderId}/balance-payments`)
  await tradepost.post(`/orders/${orderId}/manual-payments`)
  await tradepost.post(`/orders/${orderId}/refund`, { amount_cents: 400 })
  const blocked = await tradepost.post('/customers', { email: 'mallory@example.com' })
  await tradepost.post(`/customers/${blocked.json.customer.id}/block`)
}

export const CUSTOMER_FAULTS: [string, string, RawBuilder<unknown>[]][] = [
  [
    'customer_totals',
    'an order that no customer counts',
    [sql`update customer set orders_count = orders_count - 1 where orders_count > 0`],
  ],
  [
    'customer_totals',
    'money that no order brought',
    [sql`update customer set total_spent_cents = total_spent_cents + 1`],
  ],
  [
    'balances',
    'a balance without an entry',
    [sql`update customer set balance_cents = balance_cents + 1`],
  ],
  [
    'balances',
    'an entry that says another balance',
    [sql`update balance_entry set balance_cents = balance_cents + 1`],
  ],
  [
    'balance_payments',
    'a payment that left no balance',
    [
      sql`insert into payment (store_id, order_id, kind, status, amount_cents, currency, created_at)
          select store_id, id, 'balance', 'succeeded', 1, currency, now() from "order" limit 1`,
    ],
  ],
  ['customers_are_found', 'a customer that no search finds', [sql`delete from customer_search`]],
  [
    'blocked_customers',
    'a blocked customer whose address is not on the list',
    [sql`delete from blocklist_entry`],
  ],
]
