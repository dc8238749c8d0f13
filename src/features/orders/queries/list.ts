import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import { isHash } from '../../../kernel/ids.ts'
import { countedTo } from '../../../kernel/page.ts'
import type { ListedOrder, OrderQuery } from '../schema.ts'
import { ORDER } from './orders.ts'

const SORTED_BY = {
  created_at: sql`o.created_at`,
  paid_at: sql`o.paid_at`,
  total_cents: sql`o.total_cents`,
}

/**
 * A page of orders, and how many match on all pages. A text that few have is looked up; one that many
 * have is soon met by walking through the orders.
 */
export async function selectOrders(db: Db, storeId: number, query: OrderQuery) {
  const where = conditions(storeId, query)
  const sought = sql`${where}${lookUp(storeId, query)}`
  const most = countedTo(query)
  const count = isFiltered(query)
    ? sql`-- planned anew
        select count(*) as total
          from (select from "order" o where ${sought} limit ${most}) o`
    : sql`select last_number as total from order_counter where store_id = ${storeId}`
  const [counted] = (await sql<{ total: number }>`${count}`.execute(db)).rows
  const total = counted?.total ?? 0
  const direction = query.sort.startsWith('-') ? sql`desc nulls last` : sql`asc nulls first`
  const byId = query.sort.startsWith('-') ? sql`desc` : sql`asc`
  const sortedBy = SORTED_BY[query.sort.replace('-', '') as keyof typeof SORTED_BY]
  const { rows } = await sql<ListedOrder>`-- planned anew
    select ${ORDER}
      from "order" o
     where ${total < most ? sought : where}
     order by ${sortedBy} ${query.sort.endsWith('paid_at') ? direction : byId}, o.id ${byId}
     limit ${query.limit} offset ${query.offset}`.execute(db)
  return { orders: rows, total }
}

/** Shorter texts are in the id of too many orders to be looked up. */
const RUN = 3

const lookUp = (storeId: number, { search = '' }: OrderQuery) =>
  [...search].length < RUN
    ? sql``
    : sql` and o.id in (select s.order_id from order_search s
                         where s.store_id = ${storeId} and s.runs @> runs(${storeId}, ${search}))`

/** Where it is not, the total is the newest number: numbers have no gaps, and no order is removed. */
const isFiltered = ({ limit, offset, sort, ...filters }: OrderQuery): boolean =>
  Object.values(filters).some((filter) => filter !== undefined)

function conditions(storeId: number, query: OrderQuery) {
  const { product_id, search, coupon_code } = query
  const like = search && `%${search.replace(/[\\%_]/g, '\\$&')}%`
  const among = (column: string, values: readonly string[] | undefined) =>
    values && sql`${sql.ref(column)} = any(${values}::text[])`
  const product =
    product_id &&
    (isHash(product_id) ? sql`p.hash_id = ${product_id}` : sql`p.id = ${Number(product_id)}`)
  const all = [
    sql`o.store_id = ${storeId}`,
    among('o.status', query.status),
    among('o.refund_status', query.refund_status),
    among('o.fulfillment_status', query.fulfillment_status),
    among('o.payment_method', query.payment_method),
    among('o.source', query.source),
    query.email && sql`o.customer_email = ${query.email}`,
    query.customer_id !== undefined && sql`o.customer_id = ${query.customer_id}`,
    product &&
      sql`exists (select from order_item i
                    join product p on p.store_id = i.store_id and p.id = i.product_id
                   where i.store_id = o.store_id and i.order_id = o.id and ${product})`,
    coupon_code && sql`upper(o.coupon ->> 'code') = upper(${coupon_code})`,
    query.created_from && sql`o.created_at >= ${query.created_from}`,
    query.created_to && sql`o.created_at < ${query.created_to}`,
    query.paid_from && sql`o.paid_at >= ${query.paid_from}`,
    query.paid_to && sql`o.paid_at < ${query.paid_to}`,
    like &&
      sql`(o.id ilike ${like} or o.number::text like ${like} or o.customer_email ilike ${like})`,
  ]
  return sql.join(
    all.filter((one) => typeof one === 'object'),
    sql` and `,
  )
}
