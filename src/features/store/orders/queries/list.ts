import { sql } from 'kysely'
import { among } from '../../../../db/among.ts'
import type { Db } from '../../../../db/database.ts'
import { isHash } from '../../../../kernel/ids.ts'
import { countedTo } from '../../../../kernel/page.ts'
import type { ListedOrder, OrderQuery } from '../schema.ts'
import { ORDER } from './orders.ts'

const SORTED_BY = {
  created_at: sql`o.created_at`,
  paid_at: sql`o.paid_at`,
  total_cents: sql`o.total_cents`,
}

/**
 * Returns a page of orders, and how many match on all pages. A text that few orders have is looked
 * up. A text that many orders have is soon found by reading the orders in turn.
 */
export async function selectOrders(
  db: Db,
  storeId: number,
  { key_hmac, ...query }: OrderQuery & { key_hmac?: Buffer | undefined },
) {
  const productId = await productIdOf(db, storeId, query)
  const withKey = key_hmac ? await idsWithKey(db, storeId, key_hmac) : []
  const where = conditions(storeId, query, { productId, withKey })
  const sought = sql`${where}${lookUp(storeId, query, withKey)}`
  const most = countedTo(query)
  const count = isFiltered(query)
    ? sql`-- planned anew
        select count(*) as total
          from (select from "order" o where ${sought} limit ${most}) o`
    : sql`select last_number as total from order_counter where store_id = ${storeId}`
  const [counted] = (await sql<{ total: number }>`${count}`.execute(db)).rows
  const total = counted?.total ?? 0
  const order = orderOf(query)
  const { rows } = await sql<ListedOrder>`-- planned anew
    select ${ORDER}
      from (select o.*
              from "order" o
             where ${total < most ? sought : where}
             order by ${order}
             limit ${query.limit} offset ${query.offset}) o
     order by ${order}`.execute(db)
  return { orders: rows, total }
}

function orderOf({ sort }: OrderQuery) {
  const [falls, field] = sort.startsWith('-') ? [true, sort.slice(1)] : [false, sort]
  const nulls = falls ? sql`desc nulls last` : sql`asc nulls first`
  const byId = falls ? sql`desc` : sql`asc`
  const sortedBy = SORTED_BY[field as keyof typeof SORTED_BY]
  return sql`${sortedBy} ${field === 'paid_at' ? nulls : byId}, o.id ${byId}`
}

/**
 * Returns the numeric id of a product, even of a deleted one. This is a separate statement, so that
 * the list is planned for how often this product was sold.
 */
async function productIdOf(db: Db, storeId: number, { product_id }: OrderQuery) {
  if (product_id === undefined || !isHash(product_id)) return Number(product_id)
  const { rows } = await sql<{ id: number }>`
    select id from product where store_id = ${storeId} and hash_id = ${product_id}`.execute(db)
  return rows[0]?.id ?? 0
}

/** A key that was taken back can be sold again; nobody sells one more often than this. */
const ORDERS_OF_KEY_MAX = 1_000

/** Shorter texts are in the id of too many orders to be looked up. */
const RUN = 3

const lookUp = (storeId: number, { search = '' }: OrderQuery, withKey: readonly string[]) =>
  [...search].length < RUN
    ? sql``
    : sql` and o.id in (select s.order_id from order_search s
                         where s.store_id = ${storeId} and s.runs @> runs(${storeId}, ${search})
                        ${withKey.length > 0 ? sql`union all select unnest(${withKey}::text[])` : sql``})`

/**
 * Returns the ids of the orders to which the stock key with this hash was ever delivered: also of those whose
 * delivery was replaced or taken back. This is a separate statement, because most searches are for no key, and
 * an alternative in the list would read all orders that match.
 */
async function idsWithKey(db: Db, storeId: number, hmac: Buffer): Promise<string[]> {
  const { rows } = await sql<{ order_id: string }>`
    select d.order_id
      from stock_key k
      join delivery_key l on l.store_id = k.store_id and l.stock_key_id = k.id
      join delivery d on d.store_id = l.store_id and d.id = l.delivery_id
     where k.store_id = ${storeId} and k.value_hmac = ${hmac}
     limit ${ORDERS_OF_KEY_MAX}`.execute(db)
  return rows.map(({ order_id }) => order_id)
}

/**
 * Returns true if the list has a filter. Without one, the total is the newest order number: the
 * number of an order whose creation was rolled back is used again, and no order is deleted.
 */
const isFiltered = ({ limit, offset, sort, ...filters }: OrderQuery): boolean =>
  Object.values(filters).some((filter) => filter !== undefined)

interface Found {
  productId: number
  withKey: readonly string[]
}

function conditions(storeId: number, query: OrderQuery, { productId, withKey }: Found) {
  const { product_id, search, coupon_code } = query
  const like = search && `%${search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  const all = [
    sql`o.store_id = ${storeId}`,
    among('o.status', query.status),
    among('o.refund_status', query.refund_status),
    among('o.fulfillment_status', query.fulfillment_status),
    among('o.payment_method', query.payment_method),
    among('o.source', query.source),
    query.email && sql`o.customer_email = ${query.email}`,
    query.customer_id !== undefined && sql`o.customer_id = ${query.customer_id}`,
    product_id !== undefined &&
      sql`o.id in (select i.order_id from order_item i
                    where i.store_id = ${storeId} and i.product_id = ${productId})`,
    coupon_code && sql`upper(o.coupon ->> 'code') = upper(${coupon_code})`,
    query.created_from && sql`o.created_at >= ${query.created_from}`,
    query.created_to && sql`o.created_at < ${query.created_to}`,
    query.paid_from && sql`o.paid_at >= ${query.paid_from}`,
    query.paid_to && sql`o.paid_at < ${query.paid_to}`,
    like &&
      sql`(o.customer_email like ${like} or lower(o.id) like ${like} or o.number::text like ${like}
           ${withKey.length > 0 ? sql`or o.id = any(${withKey}::text[])` : sql``})`,
  ]
  return sql.join(
    all.filter((item) => typeof item === 'object'),
    sql` and `,
  )
}
