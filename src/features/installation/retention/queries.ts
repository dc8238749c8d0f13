import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import type { Retention } from './retentions.ts'

export interface Batch {
  /** The machine's time, ISO 8601. */
  now: string
  limit: number
  /** One store only. */
  storeId?: number
}

/**
 * Deletes the oldest expired records of each store, at most `limit` in all, and returns their
 * number.
 */
export async function deleteExpired(
  db: Db,
  { table, key, since, age_ms, only = 'true' }: Retention,
  { now, limit, storeId }: Batch,
): Promise<number> {
  const columns = sql.join(key.map((name) => sql.ref(name)))
  const { numAffectedRows } = await sql`-- planned anew
    delete from ${sql.table(table)}
     where (${columns}) in (
       select ${sql.join(key.map((name) => sql.ref(`r.${name}`)))}
         from store s
        cross join lateral (
          select ${columns} from ${sql.table(table)} t
           where t.store_id = s.id and ${sql.raw(only)}
             and ${sql.raw(since)} < ${now}::timestamptz
                                     + (s.clock_offset_ms - ${age_ms}) * interval '1 ms'
           order by ${sql.raw(since)}
           limit ${limit}) r
        where ${storeId ?? null}::bigint is null or s.id = ${storeId ?? null}
        limit ${limit})`.execute(db)
  return Number(numAffectedRows ?? 0)
}
