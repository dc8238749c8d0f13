import { type RawBuilder, sql } from 'kysely'
import { countedTo, type Page } from '../kernel/page.ts'
import type { Db } from './database.ts'

/** A list of a store's records, the newest first. The table is `t` in the columns and in the filters. */
export interface Listing extends Page {
  table: string
  columns: RawBuilder<unknown>
  storeId: number
  /** Conditions; those that do not apply are false or undefined. */
  filters: readonly (RawBuilder<unknown> | false | undefined | '')[]
}

/**
 * A page of records, and how many match; these are counted only so far (decision 100). Needs an index on
 * (store_id, created_at desc, id desc) for each filter that few records match.
 */
export async function selectNewest<Row>(
  db: Db,
  { table, columns, storeId, filters, limit, offset }: Listing,
): Promise<{ records: Row[]; total: number }> {
  const applied = filters.filter((filter) => typeof filter === 'object')
  const where = sql.join([sql`t.store_id = ${storeId}`, ...applied], sql` and `)
  const page = await sql<Row>`-- planned anew
    select ${columns}
      from (select t.*
              from ${sql.table(table)} t
             where ${where}
             order by t.created_at desc, t.id desc
             limit ${limit} offset ${offset}) t
     order by t.created_at desc, t.id desc`.execute(db)
  const count = await sql<{ total: number }>`-- planned anew
    select count(*) as total
      from (select from ${sql.table(table)} t
             where ${where}
             limit ${countedTo({ limit, offset })}) t`.execute(db)
  return { records: page.rows, total: count.rows[0]?.total ?? 0 }
}
