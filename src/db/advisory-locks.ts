import { sql } from 'kysely'
import { emailKey } from '../kernel/email.ts'
import type { Tx } from './database.ts'
import { execute } from './rows.ts'

/**
 * The numbers of PostgreSQL's advisory locks, listed here so that no two features use the same number.
 * The lock of a whole database has one number. The lock of a record has a number and the record's id;
 * PostgreSQL does not mix up the two kinds. The lock of an email address has a number and a hash of 32 bits. The lock
 * of an idempotency key is a hash of 63 bits (`http/stored-answers.ts`).
 */
const DATABASE_LOCKS = { migration: 4100, demo: 4101 } as const
const RECORD_LOCKS = {
  product_stock: 41,
  store_webhooks: 42,
  store_zones: 51,
  store_locations: 52,
  store_categories: 53,
  store_groups: 54,
  store_replies: 55,
  webhook_claims: 126,
} as const

const EMAIL_LOCKS = { store: 61, user: 62 } as const

/** Ids beyond 31 bits share locks with smaller ids. Sharing can only cause a wait. */
const ID_MODULUS = 2_147_483_647

/** Returns SQL that takes the lock of a record until the transaction ends. `id` is an SQL expression. */
export const recordLock = (lock: keyof typeof RECORD_LOCKS, id: unknown) =>
  sql`pg_advisory_xact_lock(${sql.lit(RECORD_LOCKS[lock])}, (${id} % ${sql.lit(ID_MODULUS)})::int)`

/** Waits for the lock of a record. The transaction holds it until it ends. */
export const lockRecord = (tx: Tx, lock: keyof typeof RECORD_LOCKS, id: number) =>
  execute(tx)`select ${recordLock(lock, sql`${id}::bigint`)}`

/** Waits for a lock of the whole database. The transaction holds it until it ends. */
export const lockDatabase = (tx: Tx, lock: keyof typeof DATABASE_LOCKS) =>
  execute(tx)`select pg_advisory_xact_lock(${sql.lit(DATABASE_LOCKS[lock])})`

/**
 * Waits for the lock of an email address in all its forms. The transaction holds it until it ends. `storeId` is 0 for
 * the address of a user. A transaction takes it before it locks records with this address (decision 448).
 */
export const lockEmail = (
  tx: Tx,
  lock: keyof typeof EMAIL_LOCKS,
  { storeId, email }: { storeId: number; email: string },
) =>
  execute(tx)`
    select pg_advisory_xact_lock(${sql.lit(EMAIL_LOCKS[lock])}, hashtext(${`${storeId}|${emailKey(email)}`}))`
