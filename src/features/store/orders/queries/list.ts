import { sql } from 'kysely'
import { type KeyedSort, orderBy, sortedPage } from '../../../../db/after-position.ts'
import { createdWithin } from '../../../../db/created.ts'
import type { Db } from '../../../../db/database.ts'
import { anyForm, hasEmail } from '../../../../db/has-email.ts'
import { isOneOf } from '../../../../db/one-of.ts'
import { allValues, REPLANNED } from '../../../../db/rows.ts'
import type { Position } from '../../../../kernel/cursor.ts'
import { containsPattern, fold } from '../../../../kernel/fold.ts'
import { isHash } from '../../../../kernel/ids.ts'
import { countLimit, type Page } from '../../../../kernel/page.ts'
import type { OrderQuery } from '../query-schema.ts'
import type { ListedOrder } from '../schema.ts'
import { ORDER_COLUMNS } from './orders.ts'

/** A query whose page begins at an offset, or after a position. */
type PagedQuery = Omit<OrderQuery, 'offset' | 'cursor'> & Page & { after?: Position | undefined }

const SORT_COLUMNS = {
  created_at: sql`o.created_at`,
  paid_at: sql`o.paid_at`,
  total_cents: sql`o.total_cents`,
}

/**
 * Returns a page of orders, and the total of matches. A search text that few orders contain is looked
 * up in the search index. If many orders contain the text, reading orders in sequence fills the page
 * soon.
 */
export async function selectOrders(
  db: Db,
  storeId: number,
  { key_hmac, after, ...query }: PagedQuery & { key_hmac?: Buffer | undefined },
) {
  const { product_id } = query
  const productId =
    product_id === undefined ? undefined : await productIdOf(db, storeId, product_id)
  const keyOrderIds = key_hmac ? await idsWithKey(db, storeId, key_hmac) : []
  const where = conditions(storeId, query, { productId, keyOrderIds })
  const indexedWhere = sql`${where}${searchCondition(storeId, query, keyOrderIds)}`
  const countMax = countLimit(query)
  const count = hasFilter(query)
    ? sql`${REPLANNED}
        select count(*) as total
          from (select from "order" o where ${indexedWhere} limit ${countMax}) o`
    : sql`select last_number as total from order_counter where store_id = ${storeId}`
  const [countRow] = (await sql<{ total: number }>`${count}`.execute(db)).rows
  const total = countRow?.total ?? 0
  const sort = sortOf(query)
  const page = sortedPage({
    table: sql`"order" o`,
    alias: 'o',
    where: total < countMax ? indexedWhere : where,
    sort,
    after,
    limit: query.limit,
    offset: query.offset,
  })
  const { rows } = await sql<Omit<ListedOrder, 'order_url'> & { link_version: number }>`${REPLANNED}
    select ${ORDER_COLUMNS}
      from (${page}) o
     order by ${orderBy(sort)}`.execute(db)
  return { orders: rows, total }
}

function sortOf({ sort }: Pick<OrderQuery, 'sort'>): KeyedSort {
  const field = sort.replace('-', '') as keyof typeof SORT_COLUMNS
  return {
    column: SORT_COLUMNS[field],
    id: sql`o.id`,
    isDescending: sort.startsWith('-'),
    hasNulls: field === 'paid_at',
  }
}

/**
 * Returns the numeric id of a product, even of a deleted one; 0 if there is none. The query is
 * separate, so that PostgreSQL plans the list for the number of orders of this product.
 */
async function productIdOf(db: Db, storeId: number, productRef: string): Promise<number> {
  if (!isHash(productRef)) return Number(productRef)
  const { rows } = await sql<{ id: number }>`
    select id from product where store_id = ${storeId} and hash_id = ${productRef}`.execute(db)
  return rows[0]?.id ?? 0
}

/** The maximum number of orders for a key. A key that was returned to stock can be sold again. */
const ORDERS_OF_KEY_MAX = 1_000

/** A shorter text is in the ids of too many orders for the search index to help. */
const INDEXED_LENGTH_MIN = 3

/** Returns the condition that uses the search index; empty if there is no text to look up. */
const searchCondition = (
  storeId: number,
  { search = '' }: Pick<OrderQuery, 'search'>,
  keyOrderIds: readonly string[],
) =>
  [...fold(search)].length < INDEXED_LENGTH_MIN
    ? sql``
    : sql` and o.id in (select s.order_id from order_search s
                         where s.store_id = ${storeId}
                           and ${anyForm(search, (text) => sql`s.runs @> runs(${storeId}, ${fold(text)})`)}
                        ${keyOrderIds.length > 0 ? sql`union all select unnest(${keyOrderIds}::text[])` : sql``})`

/**
 * Returns the ids of the orders to which the stock key with this hash was ever delivered, even if the
 * delivery was replaced or revoked later. The query is separate: with the keys as an alternative, the
 * query of the list would read all orders of the store.
 */
const idsWithKey = (db: Db, storeId: number, hmac: Buffer) =>
  allValues<string>(db)`
    select d.order_id
      from stock_key k
      join delivery_key dk on dk.store_id = k.store_id and dk.stock_key_id = k.id
      join delivery d on d.store_id = dk.store_id and d.id = dk.delivery_id
     where k.store_id = ${storeId} and k.value_hmac = ${hmac}
     limit ${ORDERS_OF_KEY_MAX}`

/**
 * Returns true if the list has a filter. Without a filter the total is the newest order number,
 * because the number of a rolled-back order is used again, and orders are never deleted.
 */
const hasFilter = ({ limit, offset, sort, ...filters }: Omit<PagedQuery, 'after'>): boolean =>
  Object.values(filters).some((filter) => filter !== undefined)

function containsText(search: string) {
  const pattern = containsPattern(search)
  return sql`o.folded_email is null and o.customer_email like ${pattern}
           or o.folded_email like ${pattern} or lower(o.id) like ${pattern} or o.number::text like ${pattern}`
}

/**
 * The money that an order does not cost: what is above its total, or all of it if the order has ended. The index of these
 * orders and the statistics have the same expression.
 */
const EXCESS = sql`
  (o.paid_cents - o.refunded_cents
    - case when o.status in ('expired', 'cancelled', 'refunded') then 0 else o.total_cents end)`

interface ResolvedFilters {
  productId: number | undefined
  keyOrderIds: readonly string[]
}

function conditions(
  storeId: number,
  query: Omit<PagedQuery, 'after'>,
  { productId, keyOrderIds }: ResolvedFilters,
) {
  const { search, coupon_code } = query
  const allConditions = [
    sql`o.store_id = ${storeId}`,
    isOneOf('o.status', query.status),
    isOneOf('o.refund_status', query.refund_status),
    isOneOf('o.fulfillment_status', query.fulfillment_status),
    isOneOf('o.payment_method', query.payment_method),
    isOneOf('o.source', query.source),
    query.email && hasEmail('o.customer_email', query.email),
    query.customer_id !== undefined && sql`o.customer_id = ${query.customer_id}`,
    productId !== undefined &&
      // The lines of a bundle count for the bundle too (decision 179).
      sql`o.id in (select i.order_id from order_item i
                    where i.store_id = ${storeId}
                      and (i.product_id = ${productId} or i.bundle_product_id = ${productId}))`,
    coupon_code && sql`upper(o.coupon ->> 'code') = upper(${coupon_code})`,
    ...createdWithin('o.created_at', query),
    query.overpaid !== undefined && (query.overpaid ? sql`${EXCESS} > 0` : sql`${EXCESS} <= 0`),
    query.on_hold !== undefined && (query.on_hold ? sql`o.hold is not null` : sql`o.hold is null`),
    query.paid_from && sql`o.paid_at >= ${query.paid_from}`,
    query.paid_to && sql`o.paid_at < ${query.paid_to}`,
    search &&
      sql`(${anyForm(search, containsText)}
           ${keyOrderIds.length > 0 ? sql`or o.id = any(${keyOrderIds}::text[])` : sql``})`,
  ]
  return sql.join(
    allConditions.filter((item) => typeof item === 'object'),
    sql` and `,
  )
}
