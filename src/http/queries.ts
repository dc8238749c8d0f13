import { sql } from 'kysely'
import type { Db, Tx } from '../db/database.ts'

interface Row {
  store_id: number
  api_key_id: number
  key: string
  request_hash: Buffer
  created_at: string
}

/** What an answer is kept for. */
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

/** Held until the transaction ends; false where another transaction holds it. */
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
    .values({ ...row, running_until: null })
    .onConflict((conflict) =>
      conflict
        .columns(['store_id', 'api_key_id', 'key'])
        .doUpdateSet({ ...row, running_until: null }),
    )
    .execute()
}

/** Until when it is held: who crashed while it spoke to the network is repeated after 30 s. */
export async function upsertRunning(tx: Tx, row: Row): Promise<string> {
  const { rows } = await sql<{ running_until: string }>`
    insert into idempotent_answer (store_id, api_key_id, key, request_hash, created_at, running_until)
    values (${row.store_id}, ${row.api_key_id}, ${row.key}, ${row.request_hash}, ${row.created_at},
            clock_timestamp() + interval '30 s')
        on conflict (store_id, api_key_id, key) do update
       set request_hash = excluded.request_hash, created_at = excluded.created_at,
           running_until = excluded.running_until, status = null, body_enc = null
    returning running_until`.execute(tx)
  const [running] = rows
  if (!running) throw new Error('A row that was written did not come back.')
  return running.running_until
}

/** The call ended without an answer; a later one that holds its key is left alone. */
export async function deleteRunning(
  db: Db,
  { storeId, keyId, key }: Scope,
  until: string,
): Promise<void> {
  await db
    .deleteFrom('idempotent_answer')
    .where('store_id', '=', storeId)
    .where('api_key_id', '=', keyId)
    .where('key', '=', key)
    .where('running_until', '=', until)
    .execute()
}

export const savepoint = (tx: Tx) => sql`savepoint handler`.execute(tx)
export const rollbackToSavepoint = (tx: Tx) => sql`rollback to savepoint handler`.execute(tx)
