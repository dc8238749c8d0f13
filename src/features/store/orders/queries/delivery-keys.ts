import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../../db/database.ts'
import { allRows, firstRow, hasRows } from '../../../../db/rows.ts'
import type { Page } from '../../../../kernel/page.ts'

/**
 * The number of keys of each delivery that are read with the order. Most deliveries have fewer. The
 * JSON of more keys would slow down every read of an order.
 */
export const EMBEDDED_KEYS_MAX = 20

/**
 * Returns the SQL for a page of the sealed keys of a delivery, the oldest first. `deliveryAlias` is
 * the alias of the delivery's table. The keys of a license line are its license keys.
 */
export const keysSql = (deliveryAlias: string, { limit, offset }: Page): RawBuilder<unknown> => sql`
  (select k.id, k.key_hmac as hmac, k.key_enc as sealed
     from license_key k
    where ${sql.ref(`${deliveryAlias}.type`)} = 'license' and k.store_id = ${sql.ref(`${deliveryAlias}.store_id`)}
      and k.order_item_id = ${sql.ref(`${deliveryAlias}.order_item_id`)}
    order by k.id
    limit ${sql.lit(limit)} offset ${sql.lit(offset)})
   union all
  (select k.id, k.value_hmac, k.value_enc
     from delivery_key dk
     join stock_key k on k.store_id = dk.store_id and k.id = dk.stock_key_id
    where dk.store_id = ${sql.ref(`${deliveryAlias}.store_id`)} and dk.delivery_id = ${sql.ref(`${deliveryAlias}.id`)}
    order by dk.stock_key_id
    limit ${sql.lit(limit)} offset ${sql.lit(offset)})`

/** Returns the SQL for the number of keys of a delivery; see `keysSql`. */
export const keyCountSql = (deliveryAlias: string): RawBuilder<number> => sql`
  case when ${sql.ref(`${deliveryAlias}.type`)} = 'license'
       then (select count(*) from license_key k
              where k.store_id = ${sql.ref(`${deliveryAlias}.store_id`)}
                and k.order_item_id = ${sql.ref(`${deliveryAlias}.order_item_id`)})
       else (select count(*) from delivery_key dk
              where dk.store_id = ${sql.ref(`${deliveryAlias}.store_id`)} and dk.delivery_id = ${sql.ref(`${deliveryAlias}.id`)})
  end`

export interface SealedDeliveryKey {
  hmac: Buffer
  sealed: Buffer
}

/** Returns a page of the keys of a delivery. */
export const selectDeliveryKeys = (db: Db, storeId: number, deliveryId: number, page: Page) =>
  allRows<SealedDeliveryKey>(db)`
    select k.hmac, k.sealed
      from delivery d
      cross join lateral (${keysSql('d', page)}) k
     where d.store_id = ${storeId} and d.id = ${deliveryId}
     order by k.id`

interface KeyedDelivery {
  id: number
  type: string
  keys_count: number
}

/** Returns a delivery of an order with its number of keys, or undefined if it does not exist. */
export const selectKeyedDelivery = (db: Db, storeId: number, orderId: string, id: number) =>
  firstRow<KeyedDelivery>(db)`
    select d.id, d.type, ${keyCountSql('d')} as keys_count
      from delivery d
     where d.store_id = ${storeId} and d.order_id = ${orderId} and d.id = ${id}`

/** Returns true if the store has this order. */
export const orderExists = (db: Db, storeId: number, id: string) =>
  hasRows(db)`
    select from "order" where store_id = ${storeId} and id = ${id}`
