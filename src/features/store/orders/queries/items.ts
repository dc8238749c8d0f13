import { sql } from 'kysely'
import { anyOf, rowsOf } from '../../../../db/arrays.ts'
import type { Db, Tx } from '../../../../db/database.ts'
import { allRows, execute } from '../../../../db/rows.ts'
import type { SeenCounters } from '../../stock/index.ts'
import type { LimitedItem, OrderLine, PayableItem } from '../lines.rules.ts'

export interface ItemRow extends OrderLine {
  id: number
  order_id: string
  reserved: number
  /** The units that the line waits for since its order was paid. */
  owed: number
  /** The units that were refunded before they were delivered. */
  cancelled: number
  /** The units that were returned to stock, or that were cancelled before they were taken from it. */
  restocked: number
  /** True if stock was taken for the line, or it needed none. */
  served: boolean
}

const ITEM_COLUMNS = sql`
  i.id, i.order_id, i.product_id, i.product_hash, i.variant_id, i.name, i.variant_name, i.sku, i.delivery_type,
  i.quantity, i.cancelled, i.reserved, i.owed, i.restocked, i.served, i.unit_price_cents, i.discount_cents,
  i.total_cents, i.bundle_product_id, i.bundle_hash, i.bundle_name, i.bundle_units`

/** Returns the lines of an order. */
export const selectItems = (db: Db, storeId: number, orderId: string): Promise<ItemRow[]> =>
  selectItemsOfOrders(db, storeId, [orderId])

/** Returns the lines of orders, sorted by their ids. */
const selectItemsOfOrders = (db: Db, storeId: number, orderIds: readonly string[]) =>
  allRows<ItemRow>(db)`
    select ${ITEM_COLUMNS}
      from order_item i
     where i.store_id = ${storeId} and i.order_id = ${anyOf(orderIds, 'text')}
     order by i.id`

/** A line that is paid now, with the counters of its stock, which are read without a lock. */
interface PaidItemRow extends ItemRow {
  /** Null if its variant has no counters. */
  stock: SeenCounters | null
}

/** Returns the lines of orders that are paid now, sorted by their ids. */
export const selectPaidItems = (db: Db, storeId: number, orderIds: readonly string[]) =>
  allRows<PaidItemRow>(db)`
    select ${ITEM_COLUMNS},
           case when s.variant_id is not null then json_build_object(
             'variant_id', s.variant_id, 'product_id', v.product_id, 'stock_mode', v.stock_mode,
             'track_inventory', v.track_inventory, 'allow_backorder', v.allow_backorder,
             'on_hand', s.on_hand, 'reserved', s.reserved, 'owed', s.owed, 'mode_changes', s.mode_changes) end as stock
      from order_item i
      left join variant v on v.store_id = i.store_id and v.id = i.variant_id
      left join stock s on s.store_id = v.store_id and s.variant_id = v.id
     where i.store_id = ${storeId} and i.order_id = ${anyOf(orderIds, 'text')}
     order by i.id`

/**
 * Returns the lines of an order with the current sell limits of their products. Lines of deleted
 * products have no limit.
 */
export const selectLimitedItems = (db: Db, storeId: number, orderId: string) =>
  allRows<LimitedItem>(db)`
    select i.product_id, i.quantity, p.sell_limit
      from order_item i
      left join product p
        on p.store_id = i.store_id and p.id = i.product_id and p.deleted_at is null
     where i.store_id = ${storeId} and i.order_id = ${orderId}
     order by i.id`

/** Records the units that these lines wait for. */
export async function recordOwed(
  tx: Tx,
  storeId: number,
  lines: readonly { id: number; owed: number }[],
): Promise<void> {
  if (lines.length === 0) return
  await execute(tx)`
    update order_item i set owed = r.owed
      from ${rowsOf('r', lines, { id: 'bigint', owed: 'integer' })}
     where i.store_id = ${storeId} and i.id = r.id`
}

/** These lines neither reserve stock nor wait for it from now on. */
export async function clearReserved(
  tx: Tx,
  storeId: number,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update order_item set reserved = 0, owed = 0
     where store_id = ${storeId} and id = ${anyOf(ids, 'bigint')} and (reserved > 0 or owed > 0)`.execute(
    tx,
  )
}

/** Adds units that were returned to stock to the counters `restocked` of their lines. */
export const addRestocked = (
  tx: Tx,
  storeId: number,
  lines: readonly { id: number; quantity: number }[],
) =>
  execute(tx)`
    update order_item i set restocked = i.restocked + r.quantity
      from ${rowsOf('r', lines, { id: 'bigint', quantity: 'integer' })}
     where i.store_id = ${storeId} and i.id = r.id`

/** Returns the units of products in the paid and unpaid orders of a customer, by product id. */
export async function sumBoughtUnits(
  tx: Tx,
  storeId: number,
  customerId: number,
  productIds: readonly number[],
): Promise<Map<number, number>> {
  const { rows } = await sql<{ product_id: number; units: number }>`
    select i.product_id, sum(i.quantity) as units
      from "order" o
      join order_item i on i.store_id = o.store_id and i.order_id = o.id
     where o.store_id = ${storeId} and o.customer_id = ${customerId}
       and o.status not in ('expired', 'cancelled', 'refunded')
       and i.product_id = ${anyOf(productIds, 'bigint')}
     group by i.product_id`.execute(tx)
  return new Map(rows.map((row) => [row.product_id, row.units]))
}

/** Returns the products of an order with the payment methods that they accept. */
export const selectPayableProducts = (db: Db, storeId: number, orderId: string) =>
  allRows<PayableItem>(db)`
    select p.name as product_name, p.methods
      from product p
     where p.store_id = ${storeId}
       and p.id in (select i.product_id from order_item i
                     where i.store_id = ${storeId} and i.order_id = ${orderId})
     order by p.id`
