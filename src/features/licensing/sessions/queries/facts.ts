import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../../db/database.ts'
import { allRows, execute, firstRow } from '../../../../db/rows.ts'
import type { ClientApp } from '../../apps/index.ts'
import { type CallSource, isDeviceOrAddressBanned } from './banned.ts'

/** The facts that decide whether a license key is valid. */
export interface FactsRow {
  app_status: ClientApp['status']
  min_version: string | null
  allowed_checksums: string[]
  device_policy: ClientApp['device_policy']
  allow_public_session: boolean
  session_ttl_seconds: number
  heartbeat_seconds: number
  grace_seconds: number
  config_version: number
  banned: boolean
  key_id: number | null
  level: number
  entitlements: string[]
  expires_at: string | null
  duration_seconds: number | null
  expiry_basis: 'creation' | 'first_activation'
  banned_at: string | null
  ban_expires_at: string | null
  public_ban_reason: string | null
  suspended_at: string | null
  first_activated_at: string | null
  last_validated_at: string | null
  max_devices: number | null
  devices_count: number
  max_sessions: number | null
  live_sessions: number
  device_id: number | null
  device_status: 'active' | 'banned' | null
  device_key: Buffer | null
  device_components: Record<string, string> | null
}

interface FactsQuery extends CallSource {
  appId: number
  hmacs: readonly Buffer[]
  fingerprint_hash: Buffer | undefined
  /** True to count the live sessions of the key, for a call that starts one. */
  countSessions: boolean
}

// `= any(array)` would be slower. The planner does not know the length of the array, so it would plan each
// call again, or choose an index that reads all keys of the app.
const isOneOf = (column: RawBuilder<unknown>, [generatedHash, importedHash]: readonly Buffer[]) =>
  sql`${column} in (${generatedHash ?? null}::bytea, ${importedHash ?? null}::bytea)`

/**
 * Ends the sessions of a key whose lease has expired, before live sessions are counted. A late heartbeat
 * either commits first, so that its session counts, or finds its session ended. Rows are locked in order of
 * id, as in `endSessionsOfApp`. A different order could deadlock.
 */
const endExpiredSessions = (storeId: number, { appId, hmacs, now }: FactsQuery) => sql`
      update client_session set ended_at = lease_expires_at, ended_reason = 'lapsed'
       where store_id = ${storeId} and id = any(array(
         select s.id from client_session s
           join license_key k on k.store_id = s.store_id and k.id = s.key_id
          where k.store_id = ${storeId} and k.app_id = ${appId} and ${isOneOf(sql`k.key_hmac`, hmacs)}
            and k.max_sessions is not null and s.ended_at is null and s.lease_expires_at <= ${now}
          order by s.id
            for update of s))
      returning id`

/** The number of open sessions in the snapshot of the statement, minus those that the statement ends. */
const LIVE_SESSIONS = sql`
  case when k.max_sessions is null then 0
       else (select count(*) from client_session s
              where s.store_id = k.store_id and s.key_id = k.id and s.ended_at is null)
            - (select count(*) from expired_sessions) end`

/**
 * Reads all facts in one round trip. It takes no lock unless sessions are counted, so concurrent
 * validations of one key do not wait for each other.
 */
export function selectFacts(db: Db, storeId: number, query: FactsQuery) {
  const endExpired = query.countSessions
    ? sql`with expired_sessions as (${endExpiredSessions(storeId, query)})`
    : sql``
  return firstRow<FactsRow>(db)`
    ${endExpired}
    select a.status as app_status, a.min_version, a.allowed_checksums, a.device_policy,
           a.allow_public_session, a.session_ttl_seconds, a.heartbeat_seconds, a.grace_seconds,
           a.config_version, ${isDeviceOrAddressBanned(sql`${query.fingerprint_hash ?? null}::bytea`, query)} as banned, k.id as key_id, k.level, k.entitlements,
           k.expires_at, k.duration_seconds, k.expiry_basis, k.banned_at, k.ban_expires_at,
           k.public_ban_reason, k.suspended_at, k.first_activated_at, k.last_validated_at,
           k.max_devices, k.devices_count, k.max_sessions, ${query.countSessions ? LIVE_SESSIONS : sql`0`} as live_sessions,
           d.id as device_id, d.status as device_status, d.public_key as device_key,
           d.components as device_components
      from client_app a
      left join license_key k
        on k.store_id = a.store_id and k.app_id = a.id and ${isOneOf(sql`k.key_hmac`, query.hmacs)}
      left join device d
        on d.store_id = k.store_id and d.key_id = k.id
       and d.fingerprint_hash = ${query.fingerprint_hash ?? null}::bytea
     where a.store_id = ${storeId} and a.id = ${query.appId}
     limit 1`
}

/** Locks a key, so that concurrent calls for its last free device or session run one at a time. */
export const lockKeyByHash = (tx: Tx, storeId: number, appId: number, hmacs: readonly Buffer[]) =>
  execute(tx)`
    select from license_key
     where store_id = ${storeId} and app_id = ${appId} and ${isOneOf(sql`key_hmac`, hmacs)}
       for update`

export interface RegisteredDevice {
  id: number
  status: 'active' | 'banned'
  public_key: Buffer | null
  components: Record<string, string>
}

/** A registered device that may be the calling machine although its fingerprint differs. */
interface CandidateDevice extends RegisteredDevice {
  fingerprint_hash: Buffer
}

const CANDIDATES_MAX = 1_000

/** Returns the devices of a key that have components to compare. */
export const selectCandidates = (db: Db, storeId: number, keyId: number) =>
  allRows<CandidateDevice>(db)`
    select id, fingerprint_hash, status, public_key, components
      from device
     where store_id = ${storeId} and key_id = ${keyId} and components <> '{}'::jsonb
     order by id
     limit ${CANDIDATES_MAX}`

/**
 * Records when keys were last validated, in one statement for many keys. They are locked in the order of their ids, as
 * by `lockKeys` (decision 400).
 */
export const recordValidations = (
  db: Db,
  validations: readonly { store_id: number; id: number; at: string }[],
) =>
  execute(db)`
    with v as materialized (
      select * from unnest(${validations.map((item) => item.store_id)}::bigint[],
                           ${validations.map((item) => item.id)}::bigint[],
                           ${validations.map((item) => item.at)}::timestamptz[]) as v(store_id, id, at)
    ), locked as materialized (
      select k.store_id, k.id, v.at
        from license_key k
        join v on v.store_id = k.store_id and v.id = k.id
       order by k.store_id, k.id
         for no key update of k
    )
    update license_key k
       set last_validated_at = greatest(k.last_validated_at, l.at)
      from locked l
     where k.store_id = l.store_id and k.id = l.id`
