import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import { allRows, changedCount, execute, firstRow, REPLANNED } from '../../../db/rows.ts'
import type { ApiCall, CallQuery, KeyMinute, KeyUsage } from './schema.ts'

export interface CallRow extends Omit<ApiCall, 'api_key'> {
  store_id: number
  api_key_id: number
  details_enc: Buffer
}

const columnOf = <R, K extends keyof R>(rows: readonly R[], name: K) => rows.map((row) => row[name])

/** Writes a batch of calls. A call that was written before is skipped. */
export const insertCalls = (db: Db, rows: readonly CallRow[]) =>
  execute(db)`
    insert into api_call (store_id, request_id, created_at, api_key_id, api, operation, method, path,
                          status, error_code, duration_ms, address, details_enc)
    select * from unnest(
      ${columnOf(rows, 'store_id')}::bigint[], ${columnOf(rows, 'request_id')}::text[],
      ${columnOf(rows, 'created_at')}::timestamptz[], ${columnOf(rows, 'api_key_id')}::bigint[],
      ${columnOf(rows, 'api')}::text[], ${columnOf(rows, 'operation')}::text[],
      ${columnOf(rows, 'method')}::text[], ${columnOf(rows, 'path')}::text[],
      ${columnOf(rows, 'status')}::smallint[], ${columnOf(rows, 'error_code')}::text[],
      ${columnOf(rows, 'duration_ms')}::int[], ${columnOf(rows, 'address')}::text[],
      ${columnOf(rows, 'details_enc')}::bytea[])
        on conflict do nothing`

export type KeyUse = KeyUsage['operations'][number] & {
  store_id: number
  api_key_id: number
  day: string
}

/** Adds counts from memory. Rows are sorted, so that two processes cannot deadlock. */
export const addUses = (db: Db, uses: readonly KeyUse[]) =>
  execute(db)`
    insert into api_key_use as u (store_id, api_key_id, day, operation, permission, calls, refused,
                                  last_used_at)
    select * from unnest(
      ${columnOf(uses, 'store_id')}::bigint[], ${columnOf(uses, 'api_key_id')}::bigint[],
      ${columnOf(uses, 'day')}::date[], ${columnOf(uses, 'operation')}::text[],
      ${columnOf(uses, 'permission')}::text[], ${columnOf(uses, 'calls')}::bigint[],
      ${columnOf(uses, 'refused')}::bigint[], ${columnOf(uses, 'last_used_at')}::timestamptz[])
     order by 1, 2, 3, 4
        on conflict (store_id, api_key_id, day, operation) do update
       set calls = u.calls + excluded.calls,
           refused = u.refused + excluded.refused,
           permission = excluded.permission,
           last_used_at = greatest(u.last_used_at, excluded.last_used_at)`

/** The maximum number of counted calls. One process logs no more in a minute. */
const CALLS_OF_MINUTE_MAX = 12_000

/** Returns the keys of a store with their calls since a moment, except calls that the rate limit refused. */
export const selectMinute = (db: Db, storeId: number, since: string) =>
  allRows<KeyMinute>(db)`
    with recent as materialized (
      select api_key_id, created_at, status
        from api_call
       where store_id = ${storeId}
       order by request_id desc
       limit ${CALLS_OF_MINUTE_MAX}
    )
    select k.id, k.name, k.last4, k.rate_limit as "limit", count(*) as used
      from recent r
      join api_key k on k.id = r.api_key_id
     where r.created_at > ${since} and r.status <> 429
     group by k.id
     order by used desc, k.id`

const CALL_FIELDS = sql`
  c.request_id, c.created_at, c.api, c.method, c.path, c.operation, c.status, c.error_code,
  c.duration_ms, c.address, json_build_object('id', k.id, 'name', k.name, 'last4', k.last4) as api_key`

/** Returns up to `limit + 1` calls, the newest first; the extra one shows that another page follows. */
export function selectCalls(db: Db, storeId: number, query: CallQuery) {
  const { cursor, status, operation, api_key_id, request_id, limit } = query
  const conditions = [sql`c.store_id = ${storeId}`]
  if (cursor) conditions.push(sql`c.request_id < ${cursor}`)
  if (request_id) conditions.push(sql`c.request_id = ${request_id}`)
  if (operation) conditions.push(sql`c.operation = ${operation}`)
  if (api_key_id) conditions.push(sql`c.api_key_id = ${api_key_id}`)
  if (status?.endsWith('xx')) {
    const from = Number(status[0]) * 100
    conditions.push(sql`c.status >= ${from} and c.status < ${from + 100}`)
  } else if (status) conditions.push(sql`c.status = ${Number(status)}`)
  return allRows<ApiCall>(db)`
    select ${CALL_FIELDS}
      from (select * from api_call c where ${sql.join(conditions, sql` and `)}
             order by c.request_id desc limit ${limit + 1}) c
      join api_key k on k.id = c.api_key_id
     order by c.request_id desc`
}

export const selectCall = (db: Db, storeId: number, requestId: string) =>
  firstRow<ApiCall & { details_enc: Buffer }>(db)`
    select ${CALL_FIELDS}, c.details_enc
      from api_call c
      join api_key k on k.id = c.api_key_id
     where c.store_id = ${storeId} and c.request_id = ${requestId}`

/** Returns the operations that a key called from a day on, the most frequent first. */
export const selectUses = (
  db: Db,
  { store_id, api_key_id }: { store_id: number; api_key_id: number },
  since: string,
) =>
  allRows<KeyUsage['operations'][number]>(db)`
    select operation, max(permission) as permission, sum(calls)::bigint as calls,
           sum(refused)::bigint as refused, max(last_used_at) as last_used_at
      from api_key_use
     where store_id = ${store_id} and api_key_id = ${api_key_id} and day >= ${since}::date
     group by operation
     order by sum(calls) desc, operation`

/** Returns the first day on which a call of the store was counted, as YYYY-MM-DD. */
export async function selectFirstDay(db: Db, storeId: number): Promise<string | undefined> {
  const { rows } = await sql<{ day: string | null }>`
    select to_char(min(day), 'YYYY-MM-DD') as day from api_key_use where store_id = ${storeId}`.execute(
    db,
  )
  return rows[0]?.day ?? undefined
}

/** Deletes calls with ids below `before`, and calls beyond the `newest` ones of each store. */
export const deleteOldCalls = (
  db: Db,
  { before, newest, limit }: { before: string; newest: number; limit: number },
) =>
  changedCount(db)`${REPLANNED}
    delete from api_call
     where (store_id, request_id) in (
       select s.id, c.request_id
         from store s
        cross join lateral (
          select request_id from api_call
           where store_id = s.id
             and request_id < greatest(${before}, (select request_id from api_call
                                                    where store_id = s.id
                                                    order by request_id desc
                                                   offset ${newest - 1} limit 1))
           order by request_id
           limit ${limit}) c
        limit ${limit})`

export const deleteOldUses = (db: Db, before: string, limit: number) =>
  changedCount(db)`${REPLANNED}
    delete from api_key_use
     where (store_id, api_key_id, day, operation) in (
       select u.store_id, u.api_key_id, u.day, u.operation
         from store s
        cross join lateral (
          select store_id, api_key_id, day, operation from api_key_use
           where store_id = s.id and day < ${before}::date
           order by day
           limit ${limit}) u
        limit ${limit})`
