import { type RawBuilder, sql } from 'kysely'
import { countLimit, type Page } from '../kernel/page.ts'
import { type CreatedPeriod, createdWithin } from './created.ts'
import type { Db } from './database.ts'
import { allRows, onlyValue, REPLANNED } from './rows.ts'

/** A list of a store's records. */
interface Listing extends Page, CreatedPeriod {
  table: string
  /** The alias of the table in the columns, joins and filters; `t` if omitted. */
  alias?: string
  columns: RawBuilder<unknown>
  /** Joins that the columns need. They keep the number of rows. */
  joins?: RawBuilder<unknown>
  storeId: number
  /** The conditions. A condition that does not apply is false or undefined. */
  filters: readonly (RawBuilder<unknown> | false | undefined | '')[]
  /** The sort; newest first if omitted. Another sort needs an index. */
  sortedBy?: RawBuilder<unknown> | undefined
}

/**
 * Returns a page of records, and the number of matching records up to a limit (decision 100). Each filter
 * that few records match needs an index on (store_id, created_at desc, id desc).
 */
export async function selectNewest<Row>(
  db: Db,
  listing: Listing,
): Promise<{ records: Row[]; total: number }> {
  const { columns, joins = sql``, limit, offset } = listing
  const { alias, from, column } = partsOf(listing)
  const { sortedBy = sql`${column('created_at')} desc, ${column('id')} desc` } = listing
  const records = await allRows<Row>(db)`${REPLANNED}
    select ${columns}
      from (select ${alias}.* ${from} order by ${sortedBy} limit ${limit} offset ${offset}) ${alias}
           ${joins}
     order by ${sortedBy}`
  const total = await onlyValue<number>(db)`${REPLANNED}
    select count(*) as total
      from (select ${from} limit ${countLimit(listing)}) matches`
  return { records, total }
}

/** Returns a page of a table whose ids increase with time, sorted by its primary key. */
export async function selectPage<Row>(
  db: Db,
  listing: Listing,
): Promise<{ records: Row[]; total: number }> {
  const { columns, joins = sql``, limit, offset } = listing
  const { alias, from, column } = partsOf(listing)
  const sortedBy = sql`${column('id')} desc`
  const records = await allRows<Row>(db)`
    select ${columns}
      from (select ${alias}.* ${from} order by ${sortedBy} limit ${limit} offset ${offset}) ${alias}
           ${joins}
     order by ${sortedBy}`
  const total = await onlyValue<number>(db)`
    select count(*) as total
      from (select ${from} limit ${countLimit(listing)}) matches`
  return { records, total }
}

function partsOf({ table: name, alias = 't', storeId, filters, ...created }: Listing) {
  const column = (columnName: string) => sql.ref(`${alias}.${columnName}`)
  const conditions = filters.filter((filter) => typeof filter === 'object')
  const where = sql.join(
    [
      sql`${column('store_id')} = ${storeId}`,
      ...conditions,
      ...createdWithin(`${alias}.created_at`, created),
    ],
    sql` and `,
  )
  const table = sql`${sql.table(name)} ${sql.id(alias)}`
  return { alias: sql.id(alias), column, from: sql`from ${table} where ${where}` }
}
