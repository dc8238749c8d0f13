import { sql } from 'kysely'
import type { Db, Tx } from '../db/database.ts'

interface Row {
  store_id: number
  api_key_id: number
  key: string
  request_hash: Buffer
  created_at: string
}

/** The key of a stored answer. */
export interface Scope {
  storeId: number
  keyId: number
  key: string
}

export interface StoredAnswer {
  request_hash: Buffer
  running: boolean
  status: number | null
  body_enc: Buffer | null
  created_at: string
}

/** Waits for the advisory lock; this transaction then holds it until it ends. */
export async function lock(tx: Tx, key: bigint): Promise<void> {
  await sql`select pg_advisory_xact_lock(${String(key)}::bigint)`.execute(tx)
}

/** Returns false if another transaction holds the lock. This transaction holds it until it ends. */
export async function tryLock(tx: Tx, lock: bigint): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(${String(lock)}::bigint) as locked`.execute(tx)
  return rows[0]?.locked ?? false
}

export async function selectAnswer(
  tx: Tx,
  { storeId, keyId, key }: Scope,
): Promise<StoredAnswer | undefined> {
  const { rows } = await sql<StoredAnswer>`
    select request_hash, coalesce(running_until > clock_timestamp(), false) as running,
           status, body_enc, created_at
      from idempotent_answer
     where store_id = ${storeId} and api_key_id = ${keyId} and key = ${key}`.execute(tx)
  return rows[0]
}

export async function upsertAnswer(
  tx: Tx,
  row: Row & { status: number; body_enc: Buffer },
): Promise<void> {
  await tx
    .insertInto('idempotent_answer')
    .values({ ...row, running_until: null, lease_token: null })
    .onConflict((conflict) =>
      conflict.columns(['store_id', 'api_key_id', 'key']).doUpdateSet({
        ...row,
        // A call that moves the clock of its store is as old as the clock that it leaves.
        created_at: sql`greatest(idempotent_answer.created_at, excluded.created_at)`,
        running_until: null,
        lease_token: null,
      }),
    )
    .execute()
}

/** The exclusive right to run a call with network calls, until the lease ends. */
export interface Lease extends Scope {
  token: string
  lease_ms: number
}

/** Takes the key for a call with network calls, also from a call whose lease ended. */
export async function upsertRunning(tx: Tx, row: Row, lease: Omit<Lease, keyof Scope>) {
  await sql`
    insert into idempotent_answer (store_id, api_key_id, key, request_hash, created_at, running_until,
                                   lease_token)
    values (${row.store_id}, ${row.api_key_id}, ${row.key}, ${row.request_hash}, ${row.created_at},
            clock_timestamp() + ${lease.lease_ms} * interval '1 ms', ${lease.token})
        on conflict (store_id, api_key_id, key) do update
       set request_hash = excluded.request_hash, created_at = excluded.created_at,
           running_until = excluded.running_until, lease_token = excluded.lease_token,
           status = null, body_enc = null`.execute(tx)
}

/** A running call does not grow old while it moves the clock of its store. */
export async function moveRunning(tx: Tx, storeId: number, step_ms: number): Promise<void> {
  await sql`
    update idempotent_answer
       set created_at = created_at + ${step_ms} * interval '1 ms'
     where store_id = ${storeId} and running_until > clock_timestamp()`.execute(tx)
}

const ownedBy = ({ storeId, keyId, key, token }: Lease) => sql`
  store_id = ${storeId} and api_key_id = ${keyId} and key = ${key} and lease_token = ${token}`

/** Does nothing if another call has taken the key, or if this one is answered. */
export async function renewLease(db: Db, lease: Lease): Promise<void> {
  await sql`
    update idempotent_answer
       set running_until = clock_timestamp() + ${lease.lease_ms} * interval '1 ms'
     where ${ownedBy(lease)}`.execute(db)
}

/** Must be called under the key's lock, which a call that takes over the key holds too. */
export async function ownsLease(tx: Tx, lease: Lease): Promise<boolean> {
  const { rows } = await sql`
    select from idempotent_answer where ${ownedBy(lease)}`.execute(tx)
  return rows.length > 0
}

/**
 * For a call that ended without an answer; does not touch the lease of a later call with the same
 * key.
 */
export async function deleteRunning(db: Db, lease: Lease): Promise<void> {
  await sql`delete from idempotent_answer where ${ownedBy(lease)}`.execute(db)
}

export const savepoint = (tx: Tx) => sql`savepoint handler`.execute(tx)
export const rollbackToSavepoint = (tx: Tx) => sql`rollback to savepoint handler`.execute(tx)
