import { sql } from 'kysely'
import type { Tx } from '../../../../db/database.ts'

export interface NewDelivery {
  order_id: string
  order_item_id: number
  product_id: number
  product_hash: string
  variant_id: number
  type: string
  delivered: boolean
  key_ids: number[]
}

export interface HandedOver {
  now: string
  deliveries: readonly NewDelivery[]
  /** Lines that were served, and that reserve no stock any more. */
  served: readonly number[]
}

/**
 * Records deliveries, their keys, and the lines that reserve no stock any more, in one statement.
 */
export async function recordDeliveries(
  tx: Tx,
  storeId: number,
  { now, deliveries, served }: HandedOver,
): Promise<void> {
  const column = <K extends keyof NewDelivery>(name: K) => deliveries.map((item) => item[name])
  const keys = deliveries.flatMap((item) =>
    item.key_ids.map((id) => ({ item: item.order_item_id, id })),
  )
  await sql`
    with freed as (
      update order_item set reserved = 0, served = true
       where store_id = ${storeId} and id = any(${served}::bigint[])
    ), made as (
      insert into delivery (store_id, order_id, order_item_id, product_id, product_hash, variant_id, type, status,
                            attempts, delivered_at, created_at)
      select ${storeId}, d.order_id, d.order_item_id, d.product_id, d.product_hash, d.variant_id, d.type,
             case when d.delivered then 'delivered' else 'pending' end,
             case when d.delivered then 1 else 0 end,
             case when d.delivered then ${now}::timestamptz end, ${now}
        from unnest(${column('order_id')}::text[], ${column('order_item_id')}::bigint[],
                    ${column('product_id')}::bigint[],
                    ${column('product_hash')}::text[],
                    ${column('variant_id')}::bigint[], ${column('type')}::text[],
                    ${column('delivered')}::boolean[])
          as d(order_id, order_item_id, product_id, product_hash, variant_id, type, delivered)
      returning id, order_item_id, variant_id, type, status
    ), called as (
      insert into dynamic_call (store_id, delivery_id, due_at)
      select ${storeId}, m.id, ${now}
        from made m
        join variant_dynamic v on v.store_id = ${storeId} and v.variant_id = m.variant_id
       where m.type = 'dynamic' and m.status = 'pending'
         and m.order_item_id = any(${served}::bigint[])
    )
    insert into delivery_key (store_id, delivery_id, stock_key_id)
    select ${storeId}, m.id, k.stock_key_id
      from made m
      join unnest(${keys.map((key) => key.item)}::bigint[], ${keys.map((key) => key.id)}::bigint[])
             as k(order_item_id, stock_key_id)
        on k.order_item_id = m.order_item_id`.execute(tx)
}

/** Revokes the deliveries of an order that are pending, delivered or failed. */
export async function revokeDeliveries(tx: Tx, storeId: number, orderId: string): Promise<void> {
  await sql`
    with revoked as (
      update delivery set status = 'revoked'
       where store_id = ${storeId} and order_id = ${orderId}
         and status in ('pending', 'delivered', 'failed')
      returning id
    ), uncalled as (
      delete from dynamic_call c using revoked
       where c.store_id = ${storeId} and c.delivery_id = revoked.id
    )
    update delivery_key set live = false
      from revoked
     where store_id = ${storeId} and delivery_id = revoked.id and live`.execute(tx)
}

export interface WaitingDelivery {
  id: number
  status: string
}

/** Returns the delivery that a line still waits for. */
export async function selectWaiting(
  tx: Tx,
  storeId: number,
  orderId: string,
  itemId: number,
): Promise<WaitingDelivery | undefined> {
  const { rows } = await sql<WaitingDelivery>`
    select id, status
      from delivery
     where store_id = ${storeId} and order_id = ${orderId} and order_item_id = ${itemId}
       and status in ('pending', 'failed')
     order by id
     limit 1`.execute(tx)
  return rows[0]
}

export interface Handing {
  id: number
  order_item_id: number
  /** The delivered content: keys, or a sealed text. */
  key_ids: readonly number[]
  text_enc: Buffer | null
  now: string
}

/**
 * Completes a delivery that a line waits for. The line reserves no stock any more. With keys it
 * counts as served.
 */
export async function handOver(
  tx: Tx,
  storeId: number,
  { id, order_item_id, key_ids, text_enc, now }: Handing,
): Promise<void> {
  await sql`
    with handed as (
      update delivery
         set status = 'delivered', text_enc = ${text_enc}, error = null, attempts = attempts + 1,
             delivered_at = greatest(created_at, ${now})
       where store_id = ${storeId} and id = ${id}
    ), uncalled as (
      delete from dynamic_call where store_id = ${storeId} and delivery_id = ${id}
    ), freed as (
      update order_item set reserved = 0, served = served or ${key_ids.length > 0}
       where store_id = ${storeId} and id = ${order_item_id}
    )
    insert into delivery_key (store_id, delivery_id, stock_key_id)
    select ${storeId}, ${id}, k.id from unnest(${key_ids}::bigint[]) as k(id)`.execute(tx)
}

export interface HandedDelivery {
  id: number
  order_item_id: number
  product_id: number
  product_hash: string
  variant_id: number
  /** The names of the product and of the variant. */
  name: string
  variant_name: string
  type: string
  status: string
  key_ids: number[]
}

export async function selectDelivery(
  tx: Tx,
  storeId: number,
  orderId: string,
  id: number,
): Promise<HandedDelivery | undefined> {
  const { rows } = await sql<HandedDelivery>`
    select d.id, d.order_item_id, d.product_id, d.product_hash, d.variant_id, i.name, i.variant_name,
           d.type, d.status,
           array(select l.stock_key_id
                   from delivery_key l
                  where l.store_id = d.store_id and l.delivery_id = d.id
                  order by l.stock_key_id) as key_ids
      from delivery d
      join order_item i on i.store_id = d.store_id and i.id = d.order_item_id
     where d.store_id = ${storeId} and d.order_id = ${orderId} and d.id = ${id}`.execute(tx)
  return rows[0]
}

/** Marks a delivery as replaced by another one. */
export async function markReplaced(tx: Tx, storeId: number, id: number): Promise<void> {
  await sql`
    with replaced as (
      update delivery set status = 'replaced'
       where store_id = ${storeId} and id = ${id}
    )
    update delivery_key set live = false
     where store_id = ${storeId} and delivery_id = ${id}`.execute(tx)
}

/** Returns true if an order has no open delivery, and all its physical items are shipped. */
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
