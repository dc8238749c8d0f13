import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../../db/database.ts'
import type { Page } from '../../../../kernel/page.ts'

/**
 * Number of keys that are read with the order of a delivery. Most deliveries have no more, and more
 * would make a long JSON.
 */
export const KEYS_AT_ONCE = 20

/**
 * A page of the sealed keys of delivery `d`, the oldest of the stock first. For a license line
 * these are the license keys that were made for it.
 */
export const keysOf = (d: string, { limit, offset }: Page): RawBuilder<unknown> => sql`
  (select k.id, k.key_hmac as hmac, k.key_enc as sealed
     from license_key k
    where ${sql.ref(`${d}.type`)} = 'license' and k.store_id = ${sql.ref(`${d}.store_id`)}
      and k.order_item_id = ${sql.ref(`${d}.order_item_id`)}
    order by k.id
    limit ${sql.lit(limit)} offset ${sql.lit(offset)})
   union all
  (select k.id, k.value_hmac, k.value_enc
     from delivery_key l
     join stock_key k on k.store_id = l.store_id and k.id = l.stock_key_id
    where l.store_id = ${sql.ref(`${d}.store_id`)} and l.delivery_id = ${sql.ref(`${d}.id`)}
    order by l.stock_key_id
    limit ${sql.lit(limit)} offset ${sql.lit(offset)})`

export const countOfKeys = (d: string): RawBuilder<number> => sql`
  case when ${sql.ref(`${d}.type`)} = 'license'
       then (select count(*) from license_key k
              where k.store_id = ${sql.ref(`${d}.store_id`)}
                and k.order_item_id = ${sql.ref(`${d}.order_item_id`)})
       else (select count(*) from delivery_key l
              where l.store_id = ${sql.ref(`${d}.store_id`)} and l.delivery_id = ${sql.ref(`${d}.id`)})
  end`

export interface SealedKey {
  hmac: Buffer
  sealed: Buffer
}

/** A page of the keys of one delivery. */
export async function selectDeliveryKeys(
  db: Db,
  storeId: number,
  deliveryId: number,
  page: Page,
): Promise<SealedKey[]> {
  const { rows } = await sql<SealedKey>`
    select k.hmac, k.sealed
      from delivery d
      cross join lateral (${keysOf('d', page)}) k
     where d.store_id = ${storeId} and d.id = ${deliveryId}
     order by k.id`.execute(db)
  return rows
}

export interface KeyedDelivery {
  id: number
  type: string
  keys_count: number
}

/** Returns a delivery of an order with its number of keys, or undefined if it does not exist. */
export async function selectKeyedDelivery(
  db: Db,
  storeId: number,
  orderId: string,
  id: number,
): Promise<KeyedDelivery | undefined> {
  const { rows } = await sql<KeyedDelivery>`
    select d.id, d.type, ${countOfKeys('d')} as keys_count
      from delivery d
     where d.store_id = ${storeId} and d.order_id = ${orderId} and d.id = ${id}`.execute(db)
  return rows[0]
}

/** Returns true if the store has this order. */
export async function orderExists(db: Db, storeId: number, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from "order" where store_id = ${storeId} and id = ${id}`.execute(db)
  return rows.length > 0
}
