import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import type { ApiCall, CallQuery } from './schema.ts'

export interface CallRow extends Omit<ApiCall, 'api_key'> {
  store_id: number
  api_key_id: number
  details_enc: Buffer
}

const column = <R, K extends keyof R>(rows: readonly R[], name: K) => rows.map((row) => row[name])

/** Writes a batch of calls. A call that is there already stays as it is. */
export async function insertCalls(db: Db, rows: readonly CallRow[]): Promise<void> {
  await sql`
    insert into api_call (store_id, request_id, created_at, api_key_id, api, operation, method, path,
                          status, error_code, duration_ms, address, details_enc)
    select * from unnest(
      ${column(rows, 'store_id')}::bigint[], ${column(rows, 'request_id')}::text[],
      ${column(rows, 'created_at')}::timestamptz[], ${column(rows, 'api_key_id')}::bigint[],
      ${column(rows, 'api')}::text[], ${column(rows, 'operation')}::text[],
      ${column(rows, 'method')}::text[], ${column(rows, 'path')}::text[],
      ${column(rows, 'status')}::smallint[], ${column(rows, 'error_code')}::text[],
      ${column(rows, 'duration_ms')}::int[], ${column(rows, 'address')}::text[],
      ${column(rows, 'details_enc')}::bytea[])
        on conflict do nothing`.execute(db)
}

export interface KeyUse {
  store_id: number
  api_key_id: number
  day: string
  operation: string
  permission: string
  calls: number
  refused: number
  last_used_at: string
}

/** Adds counts that were kept in memory. Rows are sorted, so that two processes cannot deadlock. */
export async function addUses(db: Db, uses: readonly KeyUse[]): Promise<void> {
  await sql`
    insert into api_key_use as u (store_id, api_key_id, day, operation, permission, calls, refused,
                                  last_used_at)
    select * from unnest(
      ${column(uses, 'store_id')}::bigint[], ${column(uses, 'api_key_id')}::bigint[],
      ${column(uses, 'day')}::date[], ${column(uses, 'operation')}::text[],
      ${column(uses, 'permission')}::text[], ${column(uses, 'calls')}::bigint[],
      ${column(uses, 'refused')}::bigint[], ${column(uses, 'last_used_at')}::timestamptz[])
     order by 1, 2, 3, 4
        on conflict (store_id, api_key_id, day, operation) do update
       set calls = u.calls + excluded.calls,
           refused = u.refused + excluded.refused,
           permission = excluded.permission,
           last_used_at = greatest(u.last_used_at, excluded.last_used_at)`.execute(db)
}

const CALL = sql`
  c.request_id, c.created_at, c.api, c.method, c.path, c.operation, c.status, c.error_code,
  c.duration_ms, c.address, json_build_object('id', k.id, 'name', k.name, 'last4', k.last4) as api_key`

/** The rows of a page, and one more if there is one, the newest first. */
export async function selectCalls(db: Db, storeId: number, query: CallQuery): Promise<ApiCall[]> {
  const { cursor, status, operation, api_key_id, request_id, limit } = query
  const wheres = [sql`c.store_id = ${storeId}`]
  if (cursor) wheres.push(sql`c.request_id < ${cursor}`)
  if (request_id) wheres.push(sql`c.request_id = ${request_id}`)
  if (operation) wheres.push(sql`c.operation = ${operation}`)
  if (api_key_id) wheres.push(sql`c.api_key_id = ${api_key_id}`)
  if (status?.endsWith('xx')) {
    const from = Number(status[0]) * 100
    wheres.push(sql`c.status >= ${from} and c.status < ${from + 100}`)
  } else if (status) wheres.push(sql`c.status = ${Number(status)}`)
  const { rows } = await sql<ApiCall>`
    select ${CALL}
      from (select * from api_call c where ${sql.join(wheres, sql` and `)}
             order by c.request_id desc limit ${limit + 1}) c
      join api_key k on k.id = c.api_key_id
     order by c.request_id desc`.execute(db)
  return rows
}

export async function selectCall(
  db: Db,
  storeId: number,
  requestId: string,
): Promise<(ApiCall & { details_enc: Buffer }) | undefined> {
  const { rows } = await sql<ApiCall & { details_enc: Buffer }>`
    select ${CALL}, c.details_enc
      from api_call c
      join api_key k on k.id = c.api_key_id
     where c.store_id = ${storeId} and c.request_id = ${requestId}`.execute(db)
  return rows[0]
}

export interface OperationUse {
  operation: string
  permission: string
  calls: number
  refused: number
  last_used_at: string
}

/** The operations that a key called since a day, the most frequent first. */
export async function selectUses(
  db: Db,
  { store_id, api_key_id }: { store_id: number; api_key_id: number },
  since: string,
): Promise<OperationUse[]> {
  const { rows } = await sql<OperationUse>`
    select operation, max(permission) as permission, sum(calls)::bigint as calls,
           sum(refused)::bigint as refused, max(last_used_at) as last_used_at
      from api_key_use
     where store_id = ${store_id} and api_key_id = ${api_key_id} and day >= ${since}::date
     group by operation
     order by sum(calls) desc, operation`.execute(db)
  return rows
}

/** The first day on which a call of the store was counted. */
export async function selectFirstDay(db: Db, storeId: number): Promise<string | undefined> {
  const { rows } = await sql<{ day: string | null }>`
    select to_char(min(day), 'YYYY-MM-DD') as day from api_key_use where store_id = ${storeId}`.execute(
    db,
  )
  return rows[0]?.day ?? undefined
}

/** Deletes calls with ids below this one, and those beyond the newest of a store. */
export async function deleteOldCalls(
  db: Db,
  { before, newest, limit }: { before: string; newest: number; limit: number },
): Promise<number> {
  const { numAffectedRows } = await sql`-- planned anew
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
        limit ${limit})`.execute(db)
  return Number(numAffectedRows ?? 0)
}

export async function deleteOldUses(db: Db, before: string, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`-- planned anew
    delete from api_key_use
     where (store_id, api_key_id, day, operation) in (
       select u.store_id, u.api_key_id, u.day, u.operation
         from store s
        cross join lateral (
          select store_id, api_key_id, day, operation from api_key_use
           where store_id = s.id and day < ${before}::date
           order by day
           limit ${limit}) u
        limit ${limit})`.execute(db)
  return Number(numAffectedRows ?? 0)
}
