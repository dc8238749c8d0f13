import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'

export interface NewDelivery {
  order_item_id: number
  product_id: number
  product_hash: string
  variant_id: number
  type: string
  delivered: boolean
  key_ids: number[]
}

export interface HandedOver {
  orderId: string
  now: string
  deliveries: readonly NewDelivery[]
  /** Lines that were served: they hold no stock any more. */
  served: readonly number[]
}

/** Writes what is handed over, which keys it holds, and which lines it frees, in one statement. */
export async function recordDeliveries(
  tx: Tx,
  storeId: number,
  { orderId, now, deliveries, served }: HandedOver,
): Promise<void> {
  const column = <K extends keyof NewDelivery>(name: K) => deliveries.map((one) => one[name])
  const keys = deliveries.flatMap((one) =>
    one.key_ids.map((id) => ({ item: one.order_item_id, id })),
  )
  await sql`
    with freed as (
      update order_item set reserved = 0, served = true
       where store_id = ${storeId} and id = any(${served}::bigint[])
    ), made as (
      insert into delivery (store_id, order_id, order_item_id, product_id, product_hash, variant_id, type, status,
                            attempts, delivered_at, created_at)
      select ${storeId}, ${orderId}, d.order_item_id, d.product_id, d.product_hash, d.variant_id, d.type,
             case when d.delivered then 'delivered' else 'pending' end,
             case when d.delivered then 1 else 0 end,
             case when d.delivered then ${now}::timestamptz end, ${now}
        from unnest(${column('order_item_id')}::bigint[], ${column('product_id')}::bigint[],
                    ${column('product_hash')}::text[],
                    ${column('variant_id')}::bigint[], ${column('type')}::text[],
                    ${column('delivered')}::boolean[])
          as d(order_item_id, product_id, product_hash, variant_id, type, delivered)
      returning id, order_item_id
    )
    insert into delivery_key (store_id, delivery_id, stock_key_id)
    select ${storeId}, m.id, k.stock_key_id
      from made m
      join unnest(${keys.map((key) => key.item)}::bigint[], ${keys.map((key) => key.id)}::bigint[])
             as k(order_item_id, stock_key_id)
        on k.order_item_id = m.order_item_id`.execute(tx)
}

/** Nothing that was handed over for an order holds any more. */
export async function revokeDeliveries(tx: Tx, storeId: number, orderId: string): Promise<void> {
  await sql`
    with revoked as (
      update delivery set status = 'revoked'
       where store_id = ${storeId} and order_id = ${orderId}
         and status in ('pending', 'delivered', 'failed')
      returning id
    )
    update delivery_key set live = false
      from revoked
     where store_id = ${storeId} and delivery_id = revoked.id and live`.execute(tx)
}
