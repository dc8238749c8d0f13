import { type RawBuilder, sql } from 'kysely'
import type { Db, Expression } from '../../../db/database.ts'
import { execute } from '../../../db/rows.ts'

/**
 * SQL that is true while a lease with this end is valid. A lease lasts 30 s. A lease that ends more than 60 s
 * from now was taken before the machine's clock was set back, so it counts as expired.
 */
export const isLeased = (end: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(${end} > clock_timestamp() and ${end} <= clock_timestamp() + interval '60 s')`

/**
 * SQL for retries whose due time was set before the machine's clock was set back: leases, and deliveries
 * without a failed attempt, which are due within a second. Fan-outs need no such check, because a claim reads
 * every fan-out that is not leased.
 */
const IS_DUE_TOO_LATE = sql`
  (lease_token <> 0 or step = 0)
  and due_at > clock_timestamp() + interval '60 s' and due_at < 'infinity'`

/** Corrects due times that are too late because the machine's clock was set back. */
export const freeLeasesAhead = (db: Db) =>
  execute(db)`update webhook_retry set due_at = clock_timestamp() where ${IS_DUE_TOO_LATE}`

/** The due time of the job: at once if a lease is ahead of the clock. */
export const nextLeaseAhead: Expression = sql`
  (select to_timestamp(0) from webhook_retry where ${IS_DUE_TOO_LATE} limit 1)`
