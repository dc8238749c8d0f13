import { sql } from 'kysely'
import type { Tx } from './database.ts'

/**
 * The numbers of PostgreSQL's advisory locks, so that no two features use the same. Locks of a whole
 * database have one number, locks of a record a number and the record's id: PostgreSQL keeps the two
 * apart. The lock of an idempotency key is a hash of 63 bits (`http/stored-answers.ts`).
 */
const DATABASE_LOCKS = { migration: 4100, demo: 4101 } as const
const RECORD_LOCKS = {
  product_stock: 41,
  store_webhooks: 42,
  store_zones: 51,
  store_locations: 52,
  store_categories: 53,
  store_groups: 54,
  webhook_claims: 126,
} as const

/** Ids beyond 31 bits share locks with smaller ones, which only costs a wait. */
const ID_MODULUS = 2_147_483_647

/** SQL that takes the lock of a record until the transaction ends. `id` is SQL too. */
export const recordLock = (lock: keyof typeof RECORD_LOCKS, id: unknown) =>
  sql`pg_advisory_xact_lock(${sql.lit(RECORD_LOCKS[lock])}, (${id} % ${sql.lit(ID_MODULUS)})::int)`

/** Waits for the lock of a record; this transaction then holds it until it ends. */
export async function lockRecord(
  tx: Tx,
  lock: keyof typeof RECORD_LOCKS,
  id: number,
): Promise<void> {
  await sql`select ${recordLock(lock, sql`${id}::bigint`)}`.execute(tx)
}

/** Waits for a lock of the whole database; this transaction then holds it until it ends. */
export async function lockDatabase(tx: Tx, lock: keyof typeof DATABASE_LOCKS): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(DATABASE_LOCKS[lock])})`.execute(tx)
}
