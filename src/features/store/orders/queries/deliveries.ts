import { type RawBuilder, sql } from 'kysely'
import { anyOf, rowsOf } from '../../../../db/arrays.ts'
import type { Tx } from '../../../../db/database.ts'
import { execute, firstRow, firstValue, hasRows, send } from '../../../../db/rows.ts'

/** A delivery of a paid line. */
export interface NewDelivery {
  product_id: number
  product_hash: string
  variant_id: number
  type: string
  delivered: boolean
  key_ids: readonly number[]
}

interface NewDeliveryRow extends NewDelivery {
  order_id: string
  order_item_id: number
}

const DELIVERY_COLUMNS = {
  order_id: 'text',
  order_item_id: 'bigint',
  product_id: 'bigint',
  product_hash: 'text',
  variant_id: 'bigint',
  type: 'text',
  delivered: 'boolean',
} as const

interface DeliveryParts {
  now: string
  /** A table with the columns of DELIVERY_COLUMNS. */
  deliveries: RawBuilder<unknown>
  /** A table `k` with the columns `order_item_id` and `stock_key_id`. */
  keys: RawBuilder<unknown>
  /** The ids of the lines that stock was taken for, or that need none: the right side of a comparison. */
  servedIds: RawBuilder<unknown>
}

/** Returns the CTEs that insert deliveries and their keys, and start the calls of dynamic deliveries. */
export const deliveryParts = (
  storeId: number,
  { now, deliveries, keys, servedIds }: DeliveryParts,
) => sql`
    delivered as (
      insert into delivery (store_id, order_id, order_item_id, product_id, product_hash, variant_id, type, status,
                            attempts, delivered_at, created_at)
      select ${storeId}, d.order_id, d.order_item_id, d.product_id, d.product_hash, d.variant_id, d.type,
             case when d.delivered then 'delivered' else 'pending' end,
             case when d.delivered then 1 else 0 end,
             case when d.delivered then ${now}::timestamptz end, ${now}
        from ${deliveries} d
      returning id, order_item_id, variant_id, type, status
    ), calls as (
      insert into dynamic_call (store_id, delivery_id, due_at)
      select ${storeId}, d.id, ${now}
        from delivered d
        join variant_dynamic v on v.store_id = ${storeId} and v.variant_id = d.variant_id
       where d.type = 'dynamic' and d.status = 'pending' and d.order_item_id = ${servedIds}
    ), delivered_key as (
      insert into delivery_key (store_id, delivery_id, stock_key_id)
      select ${storeId}, d.id, k.stock_key_id
        from delivered d
        join ${keys} on k.order_item_id = d.order_item_id
    )`

interface DeliveryRecords {
  now: string
  deliveries: readonly NewDeliveryRow[]
  /** The ids of the lines that stock was taken for, or that need none. They reserve no stock now. */
  served_item_ids: readonly number[]
}

/**
 * Inserts deliveries and their keys, starts the calls of dynamic deliveries, and marks lines as
 * served, in one statement.
 */
export async function recordDeliveries(
  tx: Tx,
  storeId: number,
  { now, deliveries, served_item_ids }: DeliveryRecords,
): Promise<void> {
  const keys = deliveries.flatMap(({ order_item_id, key_ids }) =>
    key_ids.map((stock_key_id) => ({ order_item_id, stock_key_id })),
  )
  const servedIds = anyOf(served_item_ids, 'bigint')
  const parts = {
    now,
    deliveries: sql`(select * from ${rowsOf('d', deliveries, DELIVERY_COLUMNS)})`,
    keys: rowsOf('k', keys, { order_item_id: 'bigint', stock_key_id: 'bigint' }),
    servedIds,
  }
  await send(tx)`
    with served_items as (
      update order_item set reserved = 0, owed = 0, served = true
       where store_id = ${storeId} and id = ${servedIds}
    ), ${deliveryParts(storeId, parts)}
    select`
}

/** Revokes the deliveries of an order that are pending, delivered or failed. */
export const revokeDeliveries = (tx: Tx, storeId: number, orderId: string) =>
  execute(tx)`
    with revoked as (
      update delivery set status = 'revoked'
       where store_id = ${storeId} and order_id = ${orderId}
         and status in ('pending', 'delivered', 'failed')
      returning id
    ), deleted_calls as (
      delete from dynamic_call c using revoked
       where c.store_id = ${storeId} and c.delivery_id = revoked.id
    )
    update delivery_key set live = false
      from revoked
     where store_id = ${storeId} and delivery_id = revoked.id and live`

/** Returns the id of the undelivered delivery of a line; undefined if the line is delivered. */
export const selectPendingDelivery = (tx: Tx, storeId: number, orderId: string, itemId: number) =>
  firstValue<number>(tx)`
    select id
      from delivery
     where store_id = ${storeId} and order_id = ${orderId} and order_item_id = ${itemId}
       and status in ('pending', 'failed')
     order by id
     limit 1`

interface CompletedDelivery {
  id: number
  order_item_id: number
  /** The delivered content: keys, or a sealed text. */
  key_ids: readonly number[]
  text_enc: Buffer | null
  now: string
}

/**
 * Sets a delivery to `delivered`. Its line reserves no stock from then on. A line that got keys
 * counts as served.
 */
export const completeDelivery = (
  tx: Tx,
  storeId: number,
  { id, order_item_id, key_ids, text_enc, now }: CompletedDelivery,
) =>
  execute(tx)`
    with delivered as (
      update delivery
         set status = 'delivered', text_enc = ${text_enc}, error = null, attempts = attempts + 1,
             delivered_at = greatest(created_at, ${now})
       where store_id = ${storeId} and id = ${id}
    ), deleted_call as (
      delete from dynamic_call where store_id = ${storeId} and delivery_id = ${id}
    ), item as (
      update order_item set reserved = 0, owed = 0, served = served or ${key_ids.length > 0}
       where store_id = ${storeId} and id = ${order_item_id}
    )
    insert into delivery_key (store_id, delivery_id, stock_key_id)
    select ${storeId}, ${id}, k.id from unnest(${key_ids}::bigint[]) as k(id)`

interface DeliveryWithKeys {
  id: number
  order_item_id: number
  product_id: number
  product_hash: string
  variant_id: number
  /** The name of the product. */
  name: string
  variant_name: string
  type: string
  status: string
  key_ids: number[]
}

/** Returns a delivery of an order with the ids of its keys. */
export const selectDelivery = (tx: Tx, storeId: number, orderId: string, id: number) =>
  firstRow<DeliveryWithKeys>(tx)`
    select d.id, d.order_item_id, d.product_id, d.product_hash, d.variant_id, i.name, i.variant_name,
           d.type, d.status,
           array(select dk.stock_key_id
                   from delivery_key dk
                  where dk.store_id = d.store_id and dk.delivery_id = d.id
                  order by dk.stock_key_id) as key_ids
      from delivery d
      join order_item i on i.store_id = d.store_id and i.id = d.order_item_id
     where d.store_id = ${storeId} and d.order_id = ${orderId} and d.id = ${id}`

/** Returns the id of a key of a delivery by the hash of its text. */
export const selectKeyOfDelivery = (tx: Tx, storeId: number, deliveryId: number, hmac: Buffer) =>
  firstValue<number>(tx)`
    select k.id
      from delivery_key dk
      join stock_key k on k.store_id = dk.store_id and k.id = dk.stock_key_id
     where dk.store_id = ${storeId} and dk.delivery_id = ${deliveryId} and k.value_hmac = ${hmac}`

/** Marks a delivery as replaced by another one. */
export const markDeliveryReplaced = (tx: Tx, storeId: number, id: number) =>
  execute(tx)`
    with replaced as (
      update delivery set status = 'replaced'
       where store_id = ${storeId} and id = ${id}
    )
    update delivery_key set live = false
     where store_id = ${storeId} and delivery_id = ${id}`

/** Returns true if all deliveries of an order are made, and all its physical items are shipped. */
export async function isDelivered(tx: Tx, storeId: number, orderId: string): Promise<boolean> {
  const { rows } = await sql<{ delivered: boolean }>`
    select not exists (select from delivery d
                        where d.store_id = o.store_id and d.order_id = o.id
                          and d.status in ('pending', 'failed'))
           and o.fulfillment_status in ('not_required', 'fulfilled') as delivered
      from "order" o
     where o.store_id = ${storeId} and o.id = ${orderId}`.execute(tx)
  return rows[0]?.delivered ?? false
}

/** Returns true if stock was taken for a line of an order, or a delivery of it is recorded. */
export const hasBeenServed = (tx: Tx, storeId: number, orderId: string) =>
  hasRows(tx)`
    select from order_item where store_id = ${storeId} and order_id = ${orderId} and served
     union all
    select from delivery where store_id = ${storeId} and order_id = ${orderId}
     limit 1`
