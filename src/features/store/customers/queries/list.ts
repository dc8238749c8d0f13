import { sql } from 'kysely'
import { among } from '../../../../db/among.ts'
import type { Db } from '../../../../db/database.ts'
import { countedTo } from '../../../../kernel/page.ts'
import type { Customer, CustomerQuery, CustomerSort } from '../schema.ts'
import { customerColumns } from './customers.ts'

const SORTED_BY: Record<CustomerSort, ReturnType<typeof sql>> = {
  created_at: sql`c.created_at`,
  total_spent_cents: sql`c.total_spent_cents`,
  orders_count: sql`c.orders_count`,
  last_order_at: sql`c.last_order_at`,
  balance_cents: sql`c.balance_cents`,
}

/**
 * Returns a page of customers, and how many match. A text or a tag that few customers have is looked up in
 * its index. One that many have is soon found by a walk through the sorted customers.
 */
export async function selectCustomers(
  db: Db,
  { id: storeId, currency }: { id: number; currency: string },
  query: CustomerQuery,
): Promise<{ customers: Customer[]; total: number }> {
  const where = conditions(storeId, query)
  const sought = sql`${where}${lookUp(storeId, query)}`
  const most = countedTo(query)
  const counted = await sql<{ total: number }>`-- planned anew
    select count(*) as total from (select from customer c where ${sought} limit ${most}) c`.execute(
    db,
  )
  const total = counted.rows[0]?.total ?? 0
  const { rows } = await sql<Customer>`-- planned anew
    select ${customerColumns(currency)}
      from customer c
     where ${total < most ? sought : where}
     order by ${orderOf(query)}
     limit ${query.limit} offset ${query.offset}`.execute(db)
  return { customers: rows, total }
}

/** Customers without an order are last by falling `last_order_at`. */
function orderOf({ sort }: CustomerQuery) {
  const falls = sort.startsWith('-')
  const field = sort.replace('-', '') as CustomerSort
  const direction = falls ? sql`desc` : sql`asc`
  const nulls = falls ? sql`nulls last` : sql`nulls first`
  return sql`${SORTED_BY[field]} ${direction} ${field === 'last_order_at' ? nulls : sql``}, c.id ${direction}`
}

/** Shorter texts are in too many customers to be looked up. */
const RUN_BYTES = 3

/** Conditions that the indexes of texts and tags serve, besides the others. */
function lookUp(storeId: number, { search = '', tag }: CustomerQuery) {
  const sought =
    Buffer.byteLength(search) < RUN_BYTES
      ? sql``
      : sql` and c.id in (select s.customer_id from customer_search s
                           where s.store_id = ${storeId} and s.runs @> runs(${storeId}, ${search}))`
  const tagged =
    tag === undefined
      ? sql``
      : sql` and c.tags <> '{}'
             and tag_keys(c.store_id, c.tags) @> tag_keys(${storeId}::bigint, array[${tag}])`
  return sql`${sought}${tagged}`
}

function conditions(
  storeId: number,
  { email, country, blocked, tag, search }: CustomerQuery,
): ReturnType<typeof sql> {
  const like = search && `%${search.replace(/[\\%_]/g, '\\$&')}%`
  const all = [
    sql`c.store_id = ${storeId}`,
    email !== undefined && sql`c.email = ${email}`,
    among('c.country', country),
    blocked !== undefined && (blocked ? sql`c.blocked_at is not null` : sql`c.blocked_at is null`),
    tag !== undefined && sql`c.tags @> array[${tag}]`,
    like && sql`(c.email like lower(${like}) or lower(c.name) like lower(${like}))`,
  ]
  return sql.join(
    all.filter((item) => typeof item === 'object'),
    sql` and `,
  )
}
