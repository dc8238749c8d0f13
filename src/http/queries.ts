import { sql } from 'kysely'
import type { Db, Tx } from '../db/database.ts'
import { execute, firstRow, hasRows, onlyValue, send } from '../db/rows.ts'

interface RunningCallRow {
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

/** Waits for the advisory lock. The transaction holds it until it ends. */
export const lockKey = (tx: Tx, key: bigint) =>
  execute(tx)`select pg_advisory_xact_lock(${String(key)}::bigint)`

/** Takes the lock until the transaction ends, or returns false if another transaction holds it. */
export const tryLockKey = (tx: Tx, key: bigint) =>
  onlyValue<boolean>(tx)`
    select pg_try_advisory_xact_lock(${String(key)}::bigint) as locked`

export const selectAnswer = (tx: Tx, { storeId, keyId, key }: Scope) =>
  firstRow<StoredAnswer>(tx)`
    select request_hash, coalesce(running_until > clock_timestamp(), false) as running,
           status, body_enc, created_at
      from idempotent_answer
     where store_id = ${storeId} and api_key_id = ${keyId} and key = ${key}`

export async function upsertAnswer(
  tx: Tx,
  row: RunningCallRow & { status: number; body_enc: Buffer },
): Promise<void> {
  const upsert = tx
    .insertInto('idempotent_answer')
    .values({ ...row, running_until: null, lease_token: null })
    .onConflict((conflict) =>
      conflict.columns(['store_id', 'api_key_id', 'key']).doUpdateSet({
        ...row,
        // A call that moves the clock of its store has moved the time of its row, too.
        created_at: sql`greatest(idempotent_answer.created_at, excluded.created_at)`,
        running_until: null,
        lease_token: null,
      }),
    )
  await send(tx)`${upsert}`
}

/** Changes the answer of a call. */
export const updateAnswer = (
  db: Db,
  { storeId, keyId, key }: Scope,
  { status, body_enc }: { status: number; body_enc: Buffer },
) =>
  execute(db)`
    update idempotent_answer set status = ${status}, body_enc = ${body_enc}
     where store_id = ${storeId} and api_key_id = ${keyId} and key = ${key}`

/** The exclusive right to run a call that makes network calls, until the lease expires. */
export interface Lease extends Scope {
  token: string
  lease_ms: number
}

/** Claims the key for a call that makes network calls. An expired lease of another call is replaced. */
export const upsertRunning = (tx: Tx, row: RunningCallRow, lease: Omit<Lease, keyof Scope>) =>
  execute(tx)`
    insert into idempotent_answer (store_id, api_key_id, key, request_hash, created_at, running_until,
                                   lease_token)
    values (${row.store_id}, ${row.api_key_id}, ${row.key}, ${row.request_hash}, ${row.created_at},
            clock_timestamp() + ${lease.lease_ms} * interval '1 ms', ${lease.token})
        on conflict (store_id, api_key_id, key) do update
       set request_hash = excluded.request_hash, created_at = excluded.created_at,
           running_until = excluded.running_until, lease_token = excluded.lease_token,
           status = null, body_enc = null`

/** Moves the times of running calls with the store's clock, so that a call that moves the clock does not expire. */
export const moveRunning = (tx: Tx, storeId: number, step_ms: number) =>
  execute(tx)`
    update idempotent_answer
       set created_at = created_at + ${step_ms} * interval '1 ms'
     where store_id = ${storeId} and running_until > clock_timestamp()`

const isOwnedBy = ({ storeId, keyId, key, token }: Lease) => sql`
  store_id = ${storeId} and api_key_id = ${keyId} and key = ${key} and lease_token = ${token}`

/** Renews the lease unless another call has the key or this call is answered. */
export const renewLease = (db: Db, lease: Lease) =>
  execute(db)`
    update idempotent_answer
       set running_until = clock_timestamp() + ${lease.lease_ms} * interval '1 ms'
     where ${isOwnedBy(lease)}`

/** Returns true if the call still has the lease. The caller must hold the key's lock, so that this stays true. */
export const ownsLease = (tx: Tx, lease: Lease) =>
  hasRows(tx)`
    select from idempotent_answer where ${isOwnedBy(lease)}`

/**
 * Deletes the row of a call that ended without an answer. The lease of a later call with the same key is
 * kept.
 */
export const deleteRunning = (db: Db, lease: Lease) =>
  execute(db)`delete from idempotent_answer where ${isOwnedBy(lease)}`

export const savepoint = (tx: Tx) => send(tx)`savepoint handler`
export const rollbackToSavepoint = (tx: Tx) => execute(tx)`rollback to savepoint handler`
