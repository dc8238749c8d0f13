import { sql } from 'kysely'
import type { Db, Expression, Tx } from '../../../db/database.ts'
import { allRows, changedCount, onlyValue, REPLANNED } from '../../../db/rows.ts'
import type { WebhookHours } from '../schema.ts'

/** The deliveries of an endpoint that ended within an hour. Negative if a delivery changed its outcome. */
export interface StatRow {
  store_id: number
  endpoint_id: number
  hour: string
  succeeded: number
  failed: number
  duration_ms: number
  last_at: string
}

/** Inserts changes of the statistics as one row. */
export async function addStats(tx: Tx, rows: readonly StatRow[]): Promise<void> {
  if (rows.length === 0) return
  const column = <K extends keyof StatRow>(name: K) => rows.map((row) => row[name])
  await sql`
    insert into webhook_stat_delta (store_id, endpoint_id, hour, succeeded, failed, duration_ms, last_at)
    values (${column('store_id')}::bigint[], ${column('endpoint_id')}::bigint[],
            ${column('hour')}::timestamptz[], ${column('succeeded')}::integer[],
            ${column('failed')}::integer[], ${column('duration_ms')}::bigint[],
            ${column('last_at')}::timestamptz[])`.execute(tx)
}

const deltaRows = sql`
  unnest(delta.store_id, delta.endpoint_id, delta.hour, delta.succeeded, delta.failed, delta.duration_ms,
         delta.last_at)
    as change(store_id, endpoint_id, hour, succeeded, failed, duration_ms, last_at)`

/** The hours of a store since a moment, and the changes that are not added to them yet. */
export const hoursOf = (storeId: number, from: string) => sql`
  select endpoint_id, hour, succeeded, failed, duration_ms, last_at
    from webhook_stat_hour
   where store_id = ${storeId} and hour >= ${from}
   union all
  select change.endpoint_id, change.hour, change.succeeded, change.failed, change.duration_ms, change.last_at
    from webhook_stat_delta delta
    cross join lateral ${deltaRows}
   where change.store_id = ${storeId} and change.hour >= ${from}`

/** Returns the deliveries that ended in each of `count` hours since `from`, for every endpoint of a store. */
export const selectHours = (
  db: Db,
  storeId: number,
  { from, count }: { from: string; count: number },
) =>
  allRows<WebhookHours>(db)`
    with ended as materialized (
      select endpoint_id, hour, sum(succeeded) as succeeded, greatest(sum(failed), 0) as failed
        from (${hoursOf(storeId, from)}) h
       group by endpoint_id, hour
    )
    select w.public_id as id, h.succeeded, h.failed
      from webhook_endpoint w
     cross join lateral (
       select json_agg(coalesce(e.succeeded, 0) order by n) as succeeded,
              json_agg(coalesce(e.failed, 0) order by n) as failed
         from generate_series(0, ${count}::integer - 1) n
         left join ended e on e.endpoint_id = w.id
          and e.hour = ${from}::timestamptz + n * interval '1 hour') h
     where w.store_id = ${storeId} and w.deleted_at is null
     order by w.id`

/** The due time of the job: at once if there are changes to add. */
export const nextFold: Expression = sql`
  (select to_timestamp(0) from webhook_stat_delta limit 1)`

/**
 * Adds the oldest recorded changes to the hours, and returns the number of changes. The hours are written in the order of
 * the endpoints, so that concurrent calls cannot deadlock.
 */
export const foldStats = (db: Db, limit: number) =>
  onlyValue<number>(db)`${REPLANNED}
    with batch as materialized (
      select id from webhook_stat_delta order by id limit ${limit} for update skip locked
    ), deleted as (
      delete from webhook_stat_delta d
       using batch b
       where d.id = b.id
      returning d.*
    ), added as (
      insert into webhook_stat_hour as s
             (store_id, endpoint_id, hour, succeeded, failed, duration_ms, last_at)
      select change.store_id, change.endpoint_id, change.hour, sum(change.succeeded), sum(change.failed), sum(change.duration_ms),
             max(change.last_at)
        from deleted delta
        cross join lateral ${deltaRows}
       group by 1, 2, 3
       order by 1, 2, 3
          on conflict (store_id, endpoint_id, hour) do update
         set succeeded = s.succeeded + excluded.succeeded, failed = s.failed + excluded.failed,
             duration_ms = s.duration_ms + excluded.duration_ms,
             last_at = greatest(s.last_at, excluded.last_at)
    )
    select count(*) as folded from deleted`

/** Deletes hours before a moment, oldest first, and returns their number. */
export const pruneHours = (db: Db, { before, limit }: { before: string; limit: number }) =>
  changedCount(db)`
    delete from webhook_stat_hour
     where (store_id, endpoint_id, hour) in (
       select store_id, endpoint_id, hour from webhook_stat_hour
        where hour < ${before}
        order by hour
        limit ${limit})`
