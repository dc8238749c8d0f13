import { sql } from 'kysely'
import { type KeyedSort, orderBy, sortedPage } from '../../../../db/after-position.ts'
import { createdWithin } from '../../../../db/created.ts'
import type { Db } from '../../../../db/database.ts'
import { anyForm, hasEmail } from '../../../../db/has-email.ts'
import { isOneOf } from '../../../../db/one-of.ts'
import { REPLANNED } from '../../../../db/rows.ts'
import type { Position } from '../../../../kernel/cursor.ts'
import { containsPattern, fold } from '../../../../kernel/fold.ts'
import { countLimit, type Page } from '../../../../kernel/page.ts'
import type { Customer, CustomerQuery, CustomerSort } from '../schema.ts'
import { customerColumns } from './customers.ts'

/** A query whose page begins at an offset, or after a position. */
type PagedQuery = Omit<CustomerQuery, 'offset' | 'cursor'> & Page & { after?: Position | undefined }

const SORT_COLUMNS: Record<CustomerSort, ReturnType<typeof sql>> = {
  created_at: sql`c.created_at`,
  total_spent_cents: sql`c.total_spent_cents`,
  orders_count: sql`c.orders_count`,
  last_order_at: sql`c.last_order_at`,
  balance_cents: sql`c.balance_cents`,
}

/**
 * Returns a page of customers and the number of matches. If few customers match a search or a tag, the page
 * is read through the search indexes. If many match, reading the sorted customers is faster.
 */
export async function selectCustomers(
  db: Db,
  { id: storeId, currency }: { id: number; currency: string },
  { after, ...query }: PagedQuery,
): Promise<{ customers: Customer[]; total: number }> {
  const where = conditions(storeId, query)
  const indexedWhere = sql`${where}${indexConditions(storeId, query)}`
  const countMax = countLimit(query)
  const count = await sql<{ total: number }>`${REPLANNED}
    select count(*) as total from (select from customer c where ${indexedWhere} limit ${countMax}) c`.execute(
    db,
  )
  const total = count.rows[0]?.total ?? 0
  const sort = sortOf(query)
  const page = sortedPage({
    table: sql`customer c`,
    alias: 'c',
    where: total < countMax ? indexedWhere : where,
    sort,
    after,
    limit: query.limit,
    offset: query.offset,
  })
  const { rows } = await sql<Customer>`${REPLANNED}
    select ${customerColumns(currency)}
      from (${page}) c
     order by ${orderBy(sort)}`.execute(db)
  return { customers: rows, total }
}

/** Customers without an order are last when `last_order_at` is sorted in descending order. */
function sortOf({ sort }: Pick<CustomerQuery, 'sort'>): KeyedSort {
  const field = sort.replace('-', '') as CustomerSort
  return {
    column: SORT_COLUMNS[field],
    id: sql`c.id`,
    isDescending: sort.startsWith('-'),
    hasNulls: field === 'last_order_at',
  }
}

/** A shorter text matches too many customers for the search index to help. */
const SEARCH_BYTES_MIN = 3

/** Additional conditions for which the database can use the indexes of texts and tags. */
function indexConditions(
  storeId: number,
  { search = '', tag }: Pick<CustomerQuery, 'search' | 'tag'>,
) {
  const searchCondition =
    Buffer.byteLength(fold(search)) < SEARCH_BYTES_MIN
      ? sql``
      : sql` and c.id in (select s.customer_id from customer_search s
                           where s.store_id = ${storeId} and ${anyForm(search, (text) => sql`s.runs @> runs(${storeId}, ${fold(text)})`)})`
  const tagCondition =
    tag === undefined
      ? sql``
      : sql` and c.tags <> '{}'
             and tag_keys(c.store_id, c.tags) @> tag_keys(${storeId}::bigint, array[${tag}])`
  return sql`${searchCondition}${tagCondition}`
}

/** Returns the condition that a customer contains a text. PostgreSQL has statistics about these columns only. */
const containsText = (search: string) =>
  anyForm(search, (text) => {
    const pattern = containsPattern(text)
    return sql`(c.folded is null and (c.email like ${pattern} or lower(c.name) like ${pattern})
              or c.folded like ${pattern})`
  })

function conditions(
  storeId: number,
  { email, country, blocked, tag, search, ...createdPeriod }: Omit<PagedQuery, 'after'>,
): ReturnType<typeof sql> {
  const items = [
    sql`c.store_id = ${storeId}`,
    email !== undefined && hasEmail('c.email', email),
    isOneOf('c.country', country),
    blocked !== undefined && (blocked ? sql`c.blocked_at is not null` : sql`c.blocked_at is null`),
    tag !== undefined && sql`c.tags @> array[${tag}]`,
    ...createdWithin('c.created_at', createdPeriod),
    search && containsText(search),
  ]
  return sql.join(
    items.filter((item) => typeof item === 'object'),
    sql` and `,
  )
}
