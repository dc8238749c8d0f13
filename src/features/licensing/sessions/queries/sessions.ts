import { sql } from 'kysely'
import type { Db, Tx } from '../../../../db/database.ts'
import type { ClientApp } from '../../apps/index.ts'
import { type Asker, isBannedAt } from './banned.ts'

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

/** A machine that was never seen is registered; one that was is noted, and bound to its first key once. */
const enter = (storeId: number, { row, knownId }: Entering) =>
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

/** Counts a new device, and begins the term with the first activation. */
const activate = (storeId: number, { keyId, newDevices, now, expires_at }: Activation) => sql`
      update license_key
         set devices_count = devices_count + ${newDevices},
             updated_at = greatest(updated_at, ${now}),
             first_activated_at = coalesce(first_activated_at, ${now}), expires_at = ${expires_at}
       where store_id = ${storeId} and id = ${keyId}`

export interface Entering {
  row: NewDeviceRow
  /** The device that the machine is; undefined for a new one. */
  knownId: number | undefined
}

export interface Activation {
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

/**
 * Takes a seat: the machine enters, the key is activated where it was not, and the session begins, in
 * one statement. Gives the device.
 */
export async function registerDevice(
  tx: Tx,
  storeId: number,
  session: NewSessionRow,
  { entering, activation }: { entering?: Entering; activation?: Activation } = {},
): Promise<number | null> {
  const entered = entering ? enter(storeId, entering) : sql`select null::bigint as id`
  const activated = activation ? sql`, activated as (${activate(storeId, activation)})` : sql``
  const { rows } = await sql<{ device_id: number | null }>`
    with entered as (${entered})${activated}
    insert into client_session (store_id, app_id, key_id, device_id, token_hash, app_version,
                                started_at, last_heartbeat_at, lease_expires_at, expires_at)
    select ${storeId}, ${session.app_id}, ${session.key_id}, entered.id, ${session.token_hash},
           ${session.app_version}, ${session.started_at}, ${session.started_at},
           ${session.lease_expires_at}, ${session.expires_at}
      from entered
    returning device_id`.execute(tx)
  return rows[0]?.device_id ?? null
}

/** A session with all that decides whether it still may. */
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

interface Asking extends Asker {
  appId: number
}

const sessionWhere = (
  storeId: number,
  { appId, ip, now }: Asking,
  which: ReturnType<typeof sql>,
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
   where s.store_id = ${storeId} and s.app_id = ${appId} and ${which}`

export async function selectSession(
  db: Db,
  storeId: number,
  { token_hash, ...asking }: Asking & { token_hash: Buffer },
): Promise<SessionRow | undefined> {
  const { rows } = await sessionWhere(storeId, asking, sql`s.token_hash = ${token_hash}`).execute(
    db,
  )
  return rows[0]
}

export async function selectSessionById(
  db: Db,
  storeId: number,
  { id, ...asking }: Asking & { id: number },
): Promise<SessionRow | undefined> {
  const { rows } = await sessionWhere(storeId, asking, sql`s.id = ${id}`).execute(db)
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

/** A proof whose signature fits, and whose nonce is still to be used up. */
export interface Proof {
  device_id: number
  nonce: Buffer
  /** By the machine's clock. */
  expires_at: string
}

/** Uses a nonce up; false where it was used before. */
export async function useNonce(db: Db, storeId: number, proof: Proof): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into client_proof (store_id, device_id, nonce, expires_at)
    values (${storeId}, ${proof.device_id}, ${proof.nonce}, ${proof.expires_at})
        on conflict do nothing`.execute(db)
  return numAffectedRows === 1n
}

/**
 * Extends a lease, and uses the proof's nonce up in the same statement. False where the session has
 * ended meanwhile, or the nonce was used before.
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

/** Forgets proofs that would not be believed any more. */
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

/** Bans one device: its own, for a report that its session made. */
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
