import { sql } from 'kysely'
import { lockDatabase } from '../db/advisory-locks.ts'
import type { Db, Tx } from '../db/database.ts'
import { hasRows } from '../db/rows.ts'
import { MINUTE_MS } from '../kernel/time.ts'

export const DEMO_SLUG = 'demo'

/** The time that a process waits while another one creates the demo store, on a machine that may be busy. */
const SEEDING_TIMEOUT_MS = MINUTE_MS
const LOCK_TIMED_OUT = '55P03'

/**
 * Takes the lock under which the demo store is created, so that two processes do not create it twice. It waits
 * for longer than the lock timeout of a session, because a timeout would end the start.
 */
export async function lockSeeding(tx: Tx): Promise<void> {
  const since = performance.now()
  await sql`savepoint seeding`.execute(tx)
  for (;;) {
    try {
      return await lockDatabase(tx, 'demo')
    } catch (error) {
      const isTimeout = (error as { code?: string }).code === LOCK_TIMED_OUT
      if (!isTimeout || performance.now() - since > SEEDING_TIMEOUT_MS) throw error
      await sql`rollback to savepoint seeding`.execute(tx)
    }
  }
}

/** Returns true if the demo store exists. */
export const hasDemoStore = (db: Db) =>
  hasRows(db)`select from store where slug = ${DEMO_SLUG} limit 1`
