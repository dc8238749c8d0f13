import { type RawBuilder, sql } from 'kysely'
import type { Db, Expression } from '../../../db/database.ts'

/**
 * SQL that is true while a lease with this end is held. A lease lasts 30 s. One that ends more than
 * 60 s from now was given before the machine's clock was put back, so it counts as expired (decision 245).
 */
export const isHeld = (end: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(${end} > clock_timestamp() and ${end} <= clock_timestamp() + interval '60 s')`

/**
 * Retries whose time was set before the machine's clock was put back: leases, and deliveries without a
 * failed attempt, which never wait for more than a second. First attempts need none of this: their
 * claim reads every row of the fan-out that is not leased.
 */
const IS_AHEAD = sql`
  (lease_token <> 0 or step = 0)
  and due_at > clock_timestamp() + interval '60 s' and due_at < 'infinity'`

/** Makes retries due that were set ahead of the clock. */
export async function freeLeasesAhead(db: Db): Promise<void> {
  await sql`update webhook_retry set due_at = clock_timestamp() where ${IS_AHEAD}`.execute(db)
}

/** A lease ahead of the clock is due at once. */
export const nextLeaseAhead: Expression = sql`
  (select to_timestamp(0) from webhook_retry where ${IS_AHEAD} limit 1)`
