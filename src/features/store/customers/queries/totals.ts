import { sql } from 'kysely'
import { anyOf, rowsOf } from '../../../../db/arrays.ts'
import type { Tx } from '../../../../db/database.ts'
import { allRows, execute, onlyValue, send } from '../../../../db/rows.ts'
import { firstOrderDeltas } from '../../analytics/index.ts'
import type { BalanceEntry } from '../schema.ts'

const BALANCE_MAX = sql.lit(Number.MAX_SAFE_INTEGER)

/** A paid order, and its payments less refunds. */
interface PaidOrder {
  customer_id: number
  order_id: string
  cents: number
}

/**
 * Adds orders that have just been paid, and their payments, to the totals of their customers. Each
 * customer occurs once.
 */
export async function addOrdersToTotals(
  tx: Tx,
  storeId: number,
  { now, orders }: { now: string; orders: readonly PaidOrder[] },
): Promise<void> {
  const ids = orders.map((item) => item.customer_id)
  // Like `order.paid_at`, this time is never before the creation of the order, even if the clock went back. A new order
  // that is paid at once is not inserted yet.
  const firstOrders = sql`
    select c.store_id, o.paid_at, 1
      from c join o on o.customer_id = c.id
     where c.first_order_at is null or o.paid_at < c.first_order_at
     union all
    select c.store_id, c.first_order_at, -1
      from c join o on o.customer_id = c.id
     where o.paid_at < c.first_order_at`
  await send(tx)`
    with c as materialized (
      select store_id, id, first_order_at from customer
       where store_id = ${storeId} and id = ${anyOf(ids, 'bigint')}
       order by id
         for update
    ), o as materialized (
      select paid.customer_id, paid.cents, greatest(o.created_at, ${now}) as paid_at
        from ${rowsOf('paid', orders, { customer_id: 'bigint', order_id: 'text', cents: 'bigint' })}
        left join "order" o on o.store_id = ${storeId} and o.id = paid.order_id
    ), sale as (
      ${firstOrderDeltas(firstOrders)}
    )
    update customer
       set orders_count = orders_count + 1,
           total_spent_cents = total_spent_cents + o.cents,
           first_order_at = least(customer.first_order_at, o.paid_at),
           last_order_at = greatest(last_order_at, o.paid_at),
           updated_at = greatest(updated_at, ${now})
      from c join o on o.customer_id = c.id
     where customer.store_id = c.store_id and customer.id = c.id`
}

/** Adds an amount to the spending of a customer for an order that is in the totals already. A refund is below 0. */
export const addToTotalSpent = (
  tx: Tx,
  storeId: number,
  customerId: number,
  { cents, now }: { cents: number; now: string },
) =>
  execute(tx)`
    update customer
       set total_spent_cents = total_spent_cents + ${cents},
           updated_at = greatest(updated_at, ${now})
     where store_id = ${storeId} and id = ${customerId}`

interface BalanceUpdate {
  cents: number
  reason: string
  orderId: string | null
  now: string
}

/**
 * Changes a balance and records the reason. Returns undefined, and writes nothing, if the customer does not
 * exist or if the balance would be below 0 or above 2^53 - 1.
 */
export async function changeBalance(
  tx: Tx,
  storeId: number,
  customerId: number,
  { cents, orderId: order_id, ...record }: BalanceUpdate,
): Promise<BalanceEntry | undefined> {
  const changes = [{ customer_id: customerId, order_id, cents }]
  const [entry] = await changeBalances(tx, storeId, { ...record, changes })
  return entry
}

/** A change of the balance of one customer. */
interface BalanceDelta {
  customer_id: number
  order_id: string | null
  cents: number
}

/** Changes the balances of customers, each of whom occurs once. Returns the entries of the possible changes. */
export function changeBalances(
  tx: Tx,
  storeId: number,
  {
    reason,
    now,
    changes,
  }: Pick<BalanceUpdate, 'reason' | 'now'> & { changes: readonly BalanceDelta[] },
) {
  const ids = changes.map((item) => item.customer_id)
  return allRows<BalanceEntry>(tx)`
    with requested as (
      select * from unnest(${ids}::bigint[], ${changes.map((item) => item.order_id)}::text[],
                           ${changes.map((item) => item.cents)}::bigint[])
                      as item(customer_id, order_id, cents)
    ), locked as materialized (
      select id from customer
       where store_id = ${storeId} and id = any(${ids}::bigint[])
       order by id
         for update
    ), changed as (
      update customer c
         set balance_cents = c.balance_cents + requested.cents, updated_at = greatest(c.updated_at, ${now})
        from requested
        join locked on locked.id = requested.customer_id
       where c.store_id = ${storeId} and c.id = any(${ids}::bigint[]) and c.id = requested.customer_id
         and c.balance_cents + requested.cents between 0 and ${BALANCE_MAX}
      returning c.id, c.balance_cents, requested.order_id, requested.cents
    )
    insert into balance_entry
           (store_id, customer_id, amount_cents, balance_cents, reason, order_id, created_at)
    select ${storeId}, id, cents, balance_cents, ${reason}, order_id, ${now}
      from changed
    returning id, 'balance_entry' as object, customer_id, amount_cents, balance_cents, reason,
              order_id, created_at`
}

/** Returns the amount that was debited from the balance for an order, less its credits. */
export const selectBalanceOfOrder = (tx: Tx, storeId: number, orderId: string) =>
  onlyValue<number>(tx)`
    select coalesce(-sum(amount_cents), 0)::bigint as cents
      from balance_entry
     where store_id = ${storeId} and order_id = ${orderId}`
