import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import { isLeased } from './lease.ts'

/** Returns the milliseconds until the next delivery is due: 0 or less if one is due, undefined if none is pending. */
export async function selectNextAttempt(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ due_ms: number | null }>`
    select case when exists (select from webhook_fanout where not ${isLeased(sql`lease_until`)}) then 0
                else (select (extract(epoch from min(due_at) - clock_timestamp()) * 1000)::float8
                        from webhook_retry
                       where due_at < 'infinity') end as due_ms`.execute(db)
  return rows[0]?.due_ms ?? undefined
}
