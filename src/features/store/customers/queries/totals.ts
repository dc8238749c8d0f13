import { sql } from 'kysely'
import type { Tx } from '../../../../db/database.ts'
import { customersCounted } from '../../analytics/index.ts'
import type { BalanceEntry } from '../schema.ts'

const MAX = sql.lit(Number.MAX_SAFE_INTEGER)

/** A paid order, and the money that it keeps. */
export interface Spent {
  customer_id: number
  order_id: string
  cents: number
}

/**
 * Counts orders that were paid, once for each order, with the money that they keep. Their customers
 * differ.
 */
export async function addSpent(
  tx: Tx,
  storeId: number,
  { now, spent }: { now: string; spent: readonly Spent[] },
): Promise<void> {
  const ids = spent.map((item) => item.customer_id)
  // As `order.paid_at`: never before the order's own creation, even if the clock jumped back.
  const firstOrders = sql`
    select c.store_id, o.paid_at, 1
      from c join o on o.customer_id = c.id
     where c.first_order_at is null or o.paid_at < c.first_order_at
     union all
    select c.store_id, c.first_order_at, -1
      from c join o on o.customer_id = c.id
     where o.paid_at < c.first_order_at`
  await sql`
    with c as materialized (
      select store_id, id, first_order_at from customer
       where store_id = ${storeId} and id = any(${ids}::bigint[])
       order by id
         for update
    ), o as materialized (
      select s.customer_id, s.cents, greatest(o.created_at, ${now}) as paid_at
        from unnest(${ids}::bigint[], ${spent.map((item) => item.order_id)}::text[],
                    ${spent.map((item) => item.cents)}::bigint[]) as s(customer_id, order_id, cents)
        join "order" o on o.store_id = ${storeId} and o.id = s.order_id
    ), sale as (
      ${customersCounted(firstOrders)}
    )
    update customer
       set orders_count = orders_count + 1,
           total_spent_cents = least(total_spent_cents + o.cents, ${MAX}),
           first_order_at = least(customer.first_order_at, o.paid_at),
           last_order_at = greatest(last_order_at, o.paid_at),
           updated_at = greatest(updated_at, ${now})
      from c join o on o.customer_id = c.id
     where customer.store_id = ${storeId} and customer.id = any(${ids}::bigint[])
       and customer.id = c.id`.execute(tx)
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
  { cents, orderId: order_id, ...why }: BalanceChanging,
): Promise<BalanceEntry | undefined> {
  const changes = [{ customer_id: customerId, order_id, cents }]
  const [entry] = await changeBalances(tx, storeId, { ...why, changes })
  return entry
}

/** A change of the balance of one customer. */
export interface BalanceDelta {
  customer_id: number
  order_id: string | null
  cents: number
}

/** Changes the balances of customers that differ. Returns the entries of those that could be changed. */
export async function changeBalances(
  tx: Tx,
  storeId: number,
  {
    reason,
    now,
    changes,
  }: Pick<BalanceChanging, 'reason' | 'now'> & { changes: readonly BalanceDelta[] },
): Promise<BalanceEntry[]> {
  const ids = changes.map((item) => item.customer_id)
  const { rows } = await sql<BalanceEntry>`
    with wanted as (
      select * from unnest(${ids}::bigint[], ${changes.map((item) => item.order_id)}::text[],
                           ${changes.map((item) => item.cents)}::bigint[])
                      as w(customer_id, order_id, cents)
    ), locked as materialized (
      select id from customer
       where store_id = ${storeId} and id = any(${ids}::bigint[])
       order by id
         for update
    ), changed as (
      update customer c
         set balance_cents = c.balance_cents + w.cents, updated_at = greatest(c.updated_at, ${now})
        from wanted w
        join locked l on l.id = w.customer_id
       where c.store_id = ${storeId} and c.id = any(${ids}::bigint[]) and c.id = w.customer_id
         and c.balance_cents + w.cents between 0 and ${MAX}
      returning c.id, c.balance_cents, w.order_id, w.cents
    )
    insert into balance_entry
           (store_id, customer_id, amount_cents, balance_cents, reason, order_id, created_at)
    select ${storeId}, id, cents, balance_cents, ${reason}, order_id, ${now}
      from changed
    returning id, 'balance_entry' as object, customer_id, amount_cents, balance_cents, reason,
              order_id, created_at`.execute(tx)
  return rows
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
