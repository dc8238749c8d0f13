import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'

const SEEDING_LOCK = 4101

/** Of two processes that start with a demo store on one database, one opens it. */
export async function lockSeeding(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${SEEDING_LOCK})`.execute(tx)
}
