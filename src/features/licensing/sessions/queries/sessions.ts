import { sql } from 'kysely'
import type { Db, Tx } from '../../../../db/database.ts'
import { changedCount, execute, hasChanged } from '../../../../db/rows.ts'
import type { ClientApp } from '../../apps/index.ts'
import { type CallSource, isDeviceOrAddressBanned } from './banned.ts'

interface NewDeviceRow {
  app_id: number
  key_id: number
  fingerprint_hash: Buffer
  components: Record<string, string>
  public_key: Buffer | null
  public_key_thumbprint: string | null
  name: string | null
  platform: string | null
  now: string
}

/** Registers a new device, or updates a registered one. A public key is bound once and never replaced. */
const upsertDevice = (storeId: number, { row, registeredId }: DeviceRegistration) =>
  registeredId === undefined
    ? sql`
      insert into device (store_id, app_id, key_id, fingerprint_hash, components, public_key,
                          public_key_thumbprint, name, platform, status, first_seen_at, last_seen_at)
      values (${storeId}, ${row.app_id}, ${row.key_id}, ${row.fingerprint_hash},
              ${JSON.stringify(row.components)}, ${row.public_key}, ${row.public_key_thumbprint},
              ${row.name}, ${row.platform}, 'active', ${row.now}, ${row.now})
      returning id`
    : sql`
      update device
         set last_seen_at = ${row.now}, name = coalesce(${row.name}, name),
             platform = coalesce(${row.platform}, platform),
             public_key = coalesce(public_key, ${row.public_key}),
             public_key_thumbprint = coalesce(public_key_thumbprint, ${row.public_key_thumbprint})
       where store_id = ${storeId} and id = ${registeredId}
      returning id`

/** Counts a new device. The first activation sets the end of the license. */
const activateKey = (storeId: number, { keyId, newDevices, now, expires_at }: KeyActivation) => sql`
      update license_key
         set devices_count = devices_count + ${newDevices},
             updated_at = greatest(updated_at, ${now}),
             first_activated_at = coalesce(first_activated_at, ${now}), expires_at = ${expires_at}
       where store_id = ${storeId} and id = ${keyId}`

export interface DeviceRegistration {
  row: NewDeviceRow
  /** The id of the registered device; undefined to register a new one. */
  registeredId: number | undefined
}

interface KeyActivation {
  keyId: number
  newDevices: number
  now: string
  expires_at: string | null
}

interface NewSessionRow {
  app_id: number
  key_id: number | null
  token_hash: Buffer
  app_version: string | null
  started_at: string
  lease_expires_at: string
  expires_at: string
}

export interface SessionWrites {
  registration?: DeviceRegistration
  activation?: KeyActivation
}

/**
 * Registers the device, activates the key and inserts the session, in one statement. Returns the device
 * id; null for a session without a device.
 */
export async function insertSession(
  tx: Tx,
  storeId: number,
  session: NewSessionRow,
  { registration, activation }: SessionWrites = {},
): Promise<number | null> {
  const device = registration ? upsertDevice(storeId, registration) : sql`select null::bigint as id`
  const activate = activation ? sql`, activated as (${activateKey(storeId, activation)})` : sql``
  const { rows } = await sql<{ device_id: number | null }>`
    with registered as (${device})${activate}
    insert into client_session (store_id, app_id, key_id, device_id, token_hash, app_version,
                                started_at, last_heartbeat_at, lease_expires_at, expires_at)
    select ${storeId}, ${session.app_id}, ${session.key_id}, registered.id, ${session.token_hash},
           ${session.app_version}, ${session.started_at}, ${session.started_at},
           ${session.lease_expires_at}, ${session.expires_at}
      from registered
    returning device_id`.execute(tx)
  return rows[0]?.device_id ?? null
}

/** A session with the facts that decide whether it may continue. */
export interface SessionRow {
  id: number
  key_id: number | null
  device_id: number | null
  token_hash: Buffer
  device_key: Buffer | null
  device_status: 'active' | 'banned' | null
  fingerprint_hash: Buffer | null
  lease_expires_at: string
  session_expires_at: string
  ended_at: string | null
  ended_reason: string | null
  level: number
  entitlements: string[]
  expires_at: string | null
  banned_at: string | null
  ban_expires_at: string | null
  suspended_at: string | null
  first_activated_at: string | null
  app_status: ClientApp['status']
  heartbeat_seconds: number
  grace_seconds: number
  report_rules: ClientApp['report_rules']
  config_version: number
  banned: boolean
}

interface SessionScope extends CallSource {
  appId: number
}

const selectWhere = (
  storeId: number,
  { appId, ip, now }: SessionScope,
  condition: ReturnType<typeof sql>,
) => sql<SessionRow>`
  select s.id, s.key_id, s.device_id, s.token_hash, d.public_key as device_key, d.status as device_status,
         d.fingerprint_hash, s.lease_expires_at, s.expires_at as session_expires_at, s.ended_at,
         s.ended_reason, k.level, k.entitlements, k.expires_at, k.banned_at, k.ban_expires_at,
         k.suspended_at, k.first_activated_at, a.status as app_status, a.heartbeat_seconds,
         a.grace_seconds, a.report_rules, a.config_version,
         ${isDeviceOrAddressBanned(sql`d.fingerprint_hash`, { ip, now })} as banned
    from client_session s
    join client_app a on a.store_id = s.store_id and a.id = s.app_id
    left join license_key k on k.store_id = s.store_id and k.id = s.key_id
    left join device d on d.store_id = s.store_id and d.id = s.device_id
   where s.store_id = ${storeId} and s.app_id = ${appId} and ${condition}`

export async function selectSession(
  db: Db,
  storeId: number,
  { token_hash, ...scope }: SessionScope & { token_hash: Buffer },
): Promise<SessionRow | undefined> {
  const { rows } = await selectWhere(storeId, scope, sql`s.token_hash = ${token_hash}`).execute(db)
  return rows[0]
}

export async function selectSessionById(
  db: Db,
  storeId: number,
  { id, ...scope }: SessionScope & { id: number },
): Promise<SessionRow | undefined> {
  const { rows } = await selectWhere(storeId, scope, sql`s.id = ${id}`).execute(db)
  return rows[0]
}

export const endSession = (
  db: Db,
  storeId: number,
  id: number,
  { now, reason }: { now: string; reason: string },
) =>
  execute(db)`
    update client_session set ended_at = ${now}, ended_reason = ${reason}
     where store_id = ${storeId} and id = ${id} and ended_at is null`

/** A proof with a valid signature, whose nonce has not been recorded yet. */
export interface Proof {
  device_id: number
  nonce: Buffer
  /** The end of the time in which the nonce is stored, by the machine's clock. */
  expires_at: string
}

const insertNonce = (storeId: number, { device_id, nonce, expires_at }: Proof) => sql`
    insert into client_proof (store_id, device_id, nonce, expires_at)
    values (${storeId}, ${device_id}, ${nonce}, ${expires_at})
        on conflict do nothing
    returning 1`

/** Records a nonce. Returns false if it was used before. */
export async function recordNonce(db: Db, storeId: number, proof: Proof): Promise<boolean> {
  const { rows } = await insertNonce(storeId, proof).execute(db)
  return rows.length > 0
}

/**
 * Extends a lease and records the nonce of the proof, in one statement. Returns false if the session has
 * ended meanwhile or the nonce was used before.
 */
export function extendLease(
  db: Db,
  storeId: number,
  id: number,
  {
    now,
    lease_expires_at,
    proof,
  }: {
    now: string
    lease_expires_at: string
    proof: Proof | undefined
  },
) {
  const nonce = proof ? insertNonce(storeId, proof) : sql`select 1`
  return hasChanged(db)`
    with new_nonce as (${nonce})
    update client_session
       set last_heartbeat_at = ${now}, lease_expires_at = ${lease_expires_at}
     where store_id = ${storeId} and id = ${id} and ended_at is null
       and exists (select from new_nonce)`
}

/** Deletes the nonces of proofs that have expired. */
export const deleteProofsBefore = (db: Db, moment: string, limit: number) =>
  changedCount(db)`
    delete from client_proof
     where (store_id, device_id, nonce) in (
       select store_id, device_id, nonce from client_proof
        where expires_at < ${moment}
        order by expires_at
        limit ${limit})`

/** Bans the device of a session, because of a report that the session sent. */
export const banDevice = (tx: Tx, storeId: number, id: number) =>
  execute(tx)`
    update device set status = 'banned'
     where store_id = ${storeId} and id = ${id}`

export const endSessionsOfDevice = (
  tx: Tx,
  storeId: number,
  { keyId, deviceId, now }: { keyId: number; deviceId: number; now: string },
) =>
  execute(tx)`
    update client_session set ended_at = ${now}, ended_reason = 'device_banned'
     where store_id = ${storeId} and id = any(array(
       select id from client_session
        where store_id = ${storeId} and key_id = ${keyId} and device_id = ${deviceId}
          and ended_at is null
        order by id
          for update))`
