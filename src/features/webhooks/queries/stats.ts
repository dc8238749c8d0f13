import { sql } from 'kysely'
import type { Db, Expression, Tx } from '../../../db/database.ts'

/** Deliveries of an endpoint that ended within an hour. Negative if a delivery changed its outcome. */
export interface StatRow {
  store_id: number
  endpoint_id: number
  hour: string
  succeeded: number
  failed: number
  duration_ms: number
  last_at: string
}

/** Records the changes of the statistics in one row, for any number of endpoints. */
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

const recorded = sql`
  unnest(g.store_id, g.endpoint_id, g.hour, g.succeeded, g.failed, g.duration_ms, g.last_at)
    as x(store_id, endpoint_id, hour, succeeded, failed, duration_ms, last_at)`

/** The hours of a store since a moment, with changes that are not added to them yet. */
export const hoursOf = (storeId: number, from: string) => sql`
  select endpoint_id, hour, succeeded, failed, duration_ms, last_at
    from webhook_stat_hour
   where store_id = ${storeId} and hour >= ${from}
   union all
  select x.endpoint_id, x.hour, x.succeeded, x.failed, x.duration_ms, x.last_at
    from webhook_stat_delta g
    cross join lateral ${recorded}
   where x.store_id = ${storeId} and x.hour >= ${from}`

export interface EndpointHours {
  id: string
  /** Deliveries by hour, the oldest hour first. */
  succeeded: number[]
  failed: number[]
}

/** The deliveries that ended in each of `count` hours since `from`, for every endpoint of a store. */
export async function selectHours(
  db: Db,
  storeId: number,
  { from, count }: { from: string; count: number },
): Promise<EndpointHours[]> {
  const { rows } = await sql<EndpointHours>`
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
     order by w.id`.execute(db)
  return rows
}

/** Notes are folded at once. */
export const nextFold: Expression = sql`
  (select to_timestamp(0) from webhook_stat_delta limit 1)`

/**
 * Adds recorded changes to the hours, the oldest first, always in the order of the endpoints;
 * returns their number.
 */
export async function foldStats(db: Db, limit: number): Promise<number> {
  const { rows } = await sql<{ folded: number }>`-- planned anew
    with taken as materialized (
      select id from webhook_stat_delta order by id limit ${limit} for update skip locked
    ), gone as (
      delete from webhook_stat_delta d
       using taken t
       where d.id = t.id
      returning d.*
    ), added as (
      insert into webhook_stat_hour as s
             (store_id, endpoint_id, hour, succeeded, failed, duration_ms, last_at)
      select x.store_id, x.endpoint_id, x.hour, sum(x.succeeded), sum(x.failed), sum(x.duration_ms),
             max(x.last_at)
        from gone g
        cross join lateral ${recorded}
       group by 1, 2, 3
       order by 1, 2, 3
          on conflict (store_id, endpoint_id, hour) do update
         set succeeded = s.succeeded + excluded.succeeded, failed = s.failed + excluded.failed,
             duration_ms = s.duration_ms + excluded.duration_ms,
             last_at = greatest(s.last_at, excluded.last_at)
    )
    select count(*) as folded from gone`.execute(db)
  return rows[0]?.folded ?? 0
}

/** Removes hours that no list counts any more, the oldest first, and returns their number. */
export async function pruneHours(
  db: Db,
  { before, limit }: { before: string; limit: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from webhook_stat_hour
     where (store_id, endpoint_id, hour) in (
       select store_id, endpoint_id, hour from webhook_stat_hour
        where hour < ${before}
        order by hour
        limit ${limit})`.execute(db)
  return Number(numAffectedRows ?? 0)
}
