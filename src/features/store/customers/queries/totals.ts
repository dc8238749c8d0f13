import { sql } from 'kysely'
import type { Tx } from '../../../../db/database.ts'
import { customersCounted } from '../../analytics/index.ts'
import type { BalanceEntry } from '../schema.ts'

const MAX = sql.lit(Number.MAX_SAFE_INTEGER)

/** Counts an order that was paid, once for each order, with the money that it keeps. */
export async function addSpent(
  tx: Tx,
  storeId: number,
  customerId: number,
  { orderId, cents, now }: { orderId: string; cents: number; now: string },
): Promise<void> {
  // As `order.paid_at`: never before the order's own creation, even if the clock jumped back.
  const firstOrders = sql`
    select c.store_id, o.paid_at, 1
      from c, o where c.first_order_at is null or o.paid_at < c.first_order_at
     union all
    select c.store_id, c.first_order_at, -1
      from c, o where o.paid_at < c.first_order_at`
  await sql`
    with c as materialized (
      select store_id, first_order_at from customer
       where store_id = ${storeId} and id = ${customerId}
         for update
    ), o as materialized (
      select greatest(created_at, ${now}) as paid_at
        from "order" where store_id = ${storeId} and id = ${orderId}
    ), sale as (
      ${customersCounted(firstOrders)}
    )
    update customer
       set orders_count = orders_count + 1,
           total_spent_cents = least(total_spent_cents + ${cents}, ${MAX}),
           first_order_at = least(customer.first_order_at, o.paid_at),
           last_order_at = greatest(last_order_at, o.paid_at),
           updated_at = greatest(updated_at, ${now})
      from c, o
     where customer.store_id = ${storeId} and customer.id = ${customerId}`.execute(tx)
}

/** Adds money of an order that was counted already. Below 0 it was refunded. */
export async function changeSpent(
  tx: Tx,
  storeId: number,
  customerId: number,
  { cents, now }: { cents: number; now: string },
): Promise<void> {
  await sql`
    update customer
       set total_spent_cents = least(total_spent_cents + ${cents}, ${MAX}),
           updated_at = greatest(updated_at, ${now})
     where store_id = ${storeId} and id = ${customerId}`.execute(tx)
}

export interface BalanceChanging {
  cents: number
  reason: string
  orderId: string | null
  now: string
}

/**
 * Changes a balance and records why. Returns undefined if there is no such customer, or if the balance
 * would leave 0 to 2^53 - 1; nothing is written then.
 */
export async function changeBalance(
  tx: Tx,
  storeId: number,
  customerId: number,
  { cents, reason, orderId, now }: BalanceChanging,
): Promise<BalanceEntry | undefined> {
  const { rows } = await sql<BalanceEntry>`
    with changed as (
      update customer
         set balance_cents = balance_cents + ${cents}, updated_at = greatest(updated_at, ${now})
       where store_id = ${storeId} and id = ${customerId}
         and balance_cents + ${cents} between 0 and ${MAX}
      returning balance_cents
    )
    insert into balance_entry
           (store_id, customer_id, amount_cents, balance_cents, reason, order_id, created_at)
    select ${storeId}, ${customerId}, ${cents}, balance_cents, ${reason}, ${orderId}, ${now}
      from changed
    returning id, 'balance_entry' as object, customer_id, amount_cents, balance_cents, reason,
              order_id, created_at`.execute(tx)
  return rows[0]
}

/** Money of an order that came from the balance and did not go back to it. */
export async function selectBalanceOfOrder(
  tx: Tx,
  storeId: number,
  orderId: string,
): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(-sum(amount_cents), 0)::bigint as cents
      from balance_entry
     where store_id = ${storeId} and order_id = ${orderId}`.execute(tx)
  return rows[0]?.cents ?? 0
}
