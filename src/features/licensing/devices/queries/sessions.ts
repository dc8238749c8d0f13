import { sql } from 'kysely'
import type { Db, Tx } from '../../../../db/database.ts'
import type { CursorPage, Session } from '../schema.ts'

/** A page of a key's sessions and one more row, newest first. */
export async function selectSessions(
  db: Db,
  storeId: number,
  keyId: number,
  { cursor, limit }: CursorPage,
): Promise<Session[]> {
  const { rows } = await sql<Session>`
    select id, 'session' as object, key_id, device_id, app_version, started_at, last_heartbeat_at,
           lease_expires_at, expires_at, ended_at, ended_reason
      from client_session
     where store_id = ${storeId} and key_id = ${keyId}
       and (${cursor ?? null}::bigint is null or id < ${cursor ?? null})
     order by id desc
     limit ${limit + 1}`.execute(db)
  return rows
}

export interface SessionEnding {
  keyIds: readonly number[]
  now: string
  reason: string
}

/** Ends all sessions of keys. Returns how many were live. Rows are locked in order of id. */
export async function endSessions(
  tx: Tx,
  storeId: number,
  { keyIds, now, reason }: SessionEnding,
): Promise<number> {
  const { numAffectedRows } = await sql`
    update client_session set ended_at = ${now}, ended_reason = ${reason}
     where store_id = ${storeId} and id = any(array(
       select id from client_session
        where store_id = ${storeId} and key_id = any(${keyIds}::bigint[]) and ended_at is null
        order by id
          for update))`.execute(tx)
  return Number(numAffectedRows ?? 0)
}
