import { sql } from 'kysely'
import { lockDatabase } from '../db/advisory-locks.ts'
import type { Db, Tx } from '../db/database.ts'

export const DEMO_SLUG = 'demo'

/** If two processes start with the demo on one database, only one creates the demo store. */
export async function lockSeeding(tx: Tx): Promise<void> {
  await lockDatabase(tx, 'demo')
}

/** True if the demo store exists. */
export async function holdsDemo(db: Db): Promise<boolean> {
  const { rows } = await sql`select from store where slug = ${DEMO_SLUG} limit 1`.execute(db)
  return rows.length > 0
}
