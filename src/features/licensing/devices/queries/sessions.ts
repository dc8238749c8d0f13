import { sql } from 'kysely'
import type { Db, Tx } from '../../../../db/database.ts'
import { allRows, changedCount, REPLANNED } from '../../../../db/rows.ts'
import type { ClientSession, CursorPage, ListedSession, SessionQuery } from '../schema.ts'

/** Returns up to `limit + 1` sessions of a key, newest first. */
export const selectSessions = (
  db: Db,
  storeId: number,
  keyId: number,
  { cursor, limit }: CursorPage,
) =>
  allRows<ClientSession>(db)`
    select id, 'session' as object, key_id, device_id, app_version, started_at, last_heartbeat_at,
           lease_expires_at, expires_at, ended_at, ended_reason
      from client_session
     where store_id = ${storeId} and key_id = ${keyId}
       and (${cursor ?? null}::bigint is null or id < ${cursor ?? null})
     order by id desc
     limit ${limit + 1}`

interface StoreSessionQuery extends Omit<SessionQuery, 'cursor'> {
  after: { lease_expires_at: string; id: number } | undefined
  now: string
}

/** Returns up to `limit + 1` sessions of a store, the latest lease first. */
export function selectStoreSessions(
  db: Db,
  storeId: number,
  { state, app_id, key_id, device_id, after, now, limit }: StoreSessionQuery,
) {
  const conditions = [
    sql`store_id = ${storeId}`,
    state === 'live' && sql`ended_at is null and lease_expires_at > ${now}`,
    state === 'ended' && sql`(ended_at is not null or lease_expires_at <= ${now})`,
    app_id !== undefined && sql`app_id = ${app_id}`,
    key_id !== undefined && sql`key_id = ${key_id}`,
    // A device belongs to one key, and sessions are indexed by their key.
    device_id !== undefined &&
      sql`device_id = ${device_id}
          and key_id = (select key_id from device where store_id = ${storeId} and id = ${device_id})`,
    after && sql`(lease_expires_at, id) < (${after.lease_expires_at}, ${after.id})`,
  ].filter((item) => typeof item === 'object')
  return allRows<ListedSession>(db)`${REPLANNED}
    select s.id, 'session' as object, s.key_id, s.device_id, s.app_version, s.started_at,
           s.last_heartbeat_at, s.lease_expires_at, s.expires_at, s.ended_at, s.ended_reason, s.app_id,
           s.ended_at is null and s.lease_expires_at > ${now} as live, k.key_preview,
           d.name as device_name, d.platform as device_platform
      from (select *
              from client_session
             where ${sql.join(conditions, sql` and `)}
             order by lease_expires_at desc, id desc
             limit ${limit + 1}) s
      left join license_key k on k.store_id = s.store_id and k.id = s.key_id
      left join device d on d.store_id = s.store_id and d.id = s.device_id
     order by s.lease_expires_at desc, s.id desc`
}

interface SessionEnding {
  keyIds: readonly number[]
  now: string
  reason: string
}

/** Ends all sessions of keys. Returns the number of ended sessions. Rows are locked in order of id. */
export const endSessions = (tx: Tx, storeId: number, { keyIds, now, reason }: SessionEnding) =>
  changedCount(tx)`
    update client_session set ended_at = ${now}, ended_reason = ${reason}
     where store_id = ${storeId} and id = any(array(
       select id from client_session
        where store_id = ${storeId} and key_id = any(${keyIds}::bigint[]) and ended_at is null
        order by id
          for update))`
