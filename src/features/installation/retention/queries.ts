import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import { changedCount, REPLANNED } from '../../../db/rows.ts'
import type { Retention } from './retentions.ts'

interface DeletionBatch {
  /** The machine's time, ISO 8601. */
  now: string
  limit: number
  /** Limits the batch to one store. */
  storeId?: number
}

/**
 * Deletes the oldest expired records of each store, at most `limit` in all, and returns their
 * number.
 */
export function deleteExpired(
  db: Db,
  { table, key, since, age_ms, condition = 'true' }: Retention,
  { now, limit, storeId }: DeletionBatch,
) {
  const columns = sql.join(key.map((name) => sql.ref(name)))
  return changedCount(db)`${REPLANNED}
    delete from ${sql.table(table)}
     where (${columns}) in (
       select ${sql.join(key.map((name) => sql.ref(`r.${name}`)))}
         from store s
        cross join lateral (
          select ${columns} from ${sql.table(table)} t
           where t.store_id = s.id and ${sql.raw(condition)}
             and ${sql.raw(since)} < ${now}::timestamptz
                                     + (s.clock_offset_ms - ${age_ms}) * interval '1 ms'
           order by ${sql.raw(since)}
           limit ${limit}) r
        where ${storeId ?? null}::bigint is null or s.id = ${storeId ?? null}
        limit ${limit})`
}
