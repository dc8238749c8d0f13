import { sql } from 'kysely'
import type { Db, Tx } from '../../../../db/database.ts'
import type { ClientApp } from '../../apps/index.ts'
import { type CallSource, isBannedAt } from './banned.ts'

export interface NewDeviceRow {
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

/** Registers a new device, or updates a known one. A public key is bound once and never replaced. */
const upsertDevice = (storeId: number, { row, knownId }: DeviceRegistration) =>
  knownId === undefined
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
       where store_id = ${storeId} and id = ${knownId}
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
  /** Id of the registered device; undefined for a new one. */
  knownId: number | undefined
}

export interface KeyActivation {
  keyId: number
  newDevices: number
  now: string
  expires_at: string | null
}

export interface NewSessionRow {
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
 * Registers the device, activates the key and inserts the session, in one statement. Returns the id of
 * the device; null for a session without one.
 */
export async function insertSession(
  tx: Tx,
  storeId: number,
  session: NewSessionRow,
  { registration, activation }: SessionWrites = {},
): Promise<number | null> {
  const device = registration ? upsertDevice(storeId, registration) : sql`select null::bigint as id`
  const activated = activation ? sql`, activated as (${activateKey(storeId, activation)})` : sql``
  const { rows } = await sql<{ device_id: number | null }>`
    with registered as (${device})${activated}
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

const sessionWhere = (
  storeId: number,
  { appId, ip, now }: SessionScope,
  condition: ReturnType<typeof sql>,
) => sql<SessionRow>`
  select s.id, s.key_id, s.device_id, s.token_hash, d.public_key as device_key, d.status as device_status,
         d.fingerprint_hash, s.lease_expires_at, s.expires_at as session_expires_at, s.ended_at,
         s.ended_reason, k.level, k.entitlements, k.expires_at, k.banned_at, k.ban_expires_at,
         k.suspended_at, k.first_activated_at, a.status as app_status, a.heartbeat_seconds,
         a.grace_seconds, a.report_rules, a.config_version,
         ${isBannedAt(sql`d.fingerprint_hash`, { ip, now })} as banned
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
  const { rows } = await sessionWhere(storeId, scope, sql`s.token_hash = ${token_hash}`).execute(db)
  return rows[0]
}

export async function selectSessionById(
  db: Db,
  storeId: number,
  { id, ...scope }: SessionScope & { id: number },
): Promise<SessionRow | undefined> {
  const { rows } = await sessionWhere(storeId, scope, sql`s.id = ${id}`).execute(db)
  return rows[0]
}

export async function endSession(
  db: Db,
  storeId: number,
  id: number,
  { now, reason }: { now: string; reason: string },
): Promise<void> {
  await sql`
    update client_session set ended_at = ${now}, ended_reason = ${reason}
     where store_id = ${storeId} and id = ${id} and ended_at is null`.execute(db)
}

/** A proof with a valid signature, whose nonce has not been recorded yet. */
export interface Proof {
  device_id: number
  nonce: Buffer
  /** By the machine's clock. */
  expires_at: string
}

/** Records a nonce. Returns false if it was used before. */
export async function useNonce(db: Db, storeId: number, proof: Proof): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into client_proof (store_id, device_id, nonce, expires_at)
    values (${storeId}, ${proof.device_id}, ${proof.nonce}, ${proof.expires_at})
        on conflict do nothing`.execute(db)
  return numAffectedRows === 1n
}

/**
 * Extends a lease and records the proof's nonce, in one statement. Returns false if the session has
 * ended meanwhile, or if the nonce was used before.
 */
export async function extendLease(
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
): Promise<boolean> {
  const used = proof
    ? sql`insert into client_proof (store_id, device_id, nonce, expires_at)
          values (${storeId}, ${proof.device_id}, ${proof.nonce}, ${proof.expires_at})
              on conflict do nothing
          returning 1`
    : sql`select 1`
  const { numAffectedRows } = await sql`
    with used as (${used})
    update client_session
       set last_heartbeat_at = ${now}, lease_expires_at = ${lease_expires_at}
     where store_id = ${storeId} and id = ${id} and ended_at is null
       and exists (select from used)`.execute(db)
  return numAffectedRows === 1n
}

/** Deletes the nonces of proofs that have expired. */
export async function deleteProofsBefore(db: Db, moment: string, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from client_proof
     where (store_id, device_id, nonce) in (
       select store_id, device_id, nonce from client_proof
        where expires_at < ${moment}
        order by expires_at
        limit ${limit})`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Bans the device of a session, because of a report that the session sent. */
export async function banDevice(tx: Tx, storeId: number, id: number): Promise<void> {
  await sql`
    update device set status = 'banned'
     where store_id = ${storeId} and id = ${id}`.execute(tx)
}

export async function endSessionsOfDevice(
  tx: Tx,
  storeId: number,
  { keyId, deviceId, now }: { keyId: number; deviceId: number; now: string },
): Promise<void> {
  await sql`
    update client_session set ended_at = ${now}, ended_reason = 'device_banned'
     where store_id = ${storeId} and id = any(array(
       select id from client_session
        where store_id = ${storeId} and key_id = ${keyId} and device_id = ${deviceId}
          and ended_at is null
        order by id
          for update))`.execute(tx)
}
