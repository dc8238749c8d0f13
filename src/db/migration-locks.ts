import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { MINUTE_MS, SECOND_MS } from '../kernel/time.ts'
import type { Db } from './database.ts'

/**
 * Calls that need the same table queue behind a migration that waits for its lock. So it waits only
 * this long, lets the calls pass, and tries again (decision 232).
 */
export const LOCK_TIMEOUT = '2s'
const PATIENCE_MS = 5 * MINUTE_MS
const FIRST_PAUSE_MS = 250
const PAUSE_MAX_MS = 4 * SECOND_MS
/** A lock timeout; and the deadlock of two processes that build the same index. */
const NOT_YET = ['55P03', '40P01']

/** A lock that a migration did not get, and the sessions that hold it. */
export interface LockWait {
  migration: string
  holders: string[]
}

export interface LockPatience {
  onWait?: ((wait: LockWait) => void) | undefined
  patience_ms?: number | undefined
}

/** The migration did not get its lock; nothing of it was applied. */
export class LockedDatabaseError extends Error {}

/** Retries work that did not get its lock, with growing pauses. */
export async function retryLocked<T>(
  db: Db,
  migration: string,
  { onWait, patience_ms = PATIENCE_MS }: LockPatience,
  work: () => Promise<T>,
): Promise<T> {
  const since = performance.now()
  for (let pause_ms = FIRST_PAUSE_MS; ; pause_ms = Math.min(pause_ms * 2, PAUSE_MAX_MS)) {
    try {
      return await work()
    } catch (error) {
      if (!NOT_YET.includes((error as { code?: string }).code ?? '')) throw error
      const holders = await selectHolders(db)
      onWait?.({ migration, holders })
      if (performance.now() - since + pause_ms > patience_ms) throw givenUp(migration, holders)
    }
    await pause(pause_ms)
  }
}

function givenUp(migration: string, holders: readonly string[]): LockedDatabaseError {
  const holderText = holders.length > 0 ? `\nThese sessions hold locks: ${holders.join('; ')}.` : ''
  return new LockedDatabaseError(
    `The migration ${migration} could not lock what it changes, and was not applied.${holderText}\n` +
      'End the transaction that holds it, then start again.',
  )
}

/** Other transactions with locks in this database, the oldest first. */
async function selectHolders(db: Db): Promise<string[]> {
  const { rows } = await sql<{ pid: number; tables: string; state: string; age_s: number }>`
    select a.pid, coalesce(a.state, 'unknown') as state,
           extract(epoch from now() - a.xact_start)::int as age_s,
           string_agg(distinct c.relname, ', ' order by c.relname) as tables
      from pg_locks l
      join pg_class c on c.oid = l.relation and c.relkind in ('r', 'p')
      join pg_namespace n on n.oid = c.relnamespace and n.nspname = current_schema()
      join pg_stat_activity a on a.pid = l.pid
     where l.granted and l.database = (select oid from pg_database where datname = current_database())
       and l.pid <> pg_backend_pid()
     group by a.pid, a.state, a.xact_start
     order by a.xact_start
     limit 5`.execute(db)
  return rows.map(
    ({ pid, tables, state, age_s }) => `process ${pid} (${state} for ${age_s} s: ${tables})`,
  )
}
