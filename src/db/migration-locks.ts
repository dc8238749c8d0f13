import { setTimeout as pause } from 'node:timers/promises'
import { MINUTE_MS, SECOND_MS } from '../kernel/time.ts'
import type { Db } from './database.ts'
import { allValues } from './rows.ts'

/**
 * The time for which a migration waits for a lock. Calls that need the same table queue behind the
 * migration, which therefore gives up after this time and retries later (decision 232).
 */
export const LOCK_TIMEOUT = '2s'
/** After this time a migration is no longer retried. */
const TIMEOUT_MS = 5 * MINUTE_MS
const FIRST_PAUSE_MS = 250
const PAUSE_MAX_MS = 4 * SECOND_MS
/** The codes of a lock timeout, and of the deadlock of two processes that build the same index. */
const RETRYABLE_CODES = ['55P03', '40P01']
/** Matches the error if two sessions changed the same row of a catalog. Compared as text, because every internal error has the same code. */
const CATALOG_CONFLICT = /^tuple concurrently (updated|deleted)$/

/** A lock that a migration did not get, and the sessions that hold it. */
export interface LockWait {
  /** Null while the applied migrations are checked. */
  migration: string | null
  holders: string[]
}

export interface LockRetryOptions {
  onWait?: ((wait: LockWait) => void) | undefined
  timeout_ms?: number | undefined
}

/** The error if a migration did not get its lock. No part of it was applied. */
export class LockedDatabaseError extends Error {}

/** Runs work, and retries it with growing pauses while it does not get its lock. */
export async function retryLocked<T>(
  db: Db,
  migration: string | null,
  { onWait, timeout_ms = TIMEOUT_MS }: LockRetryOptions,
  work: () => Promise<T>,
): Promise<T> {
  const since = performance.now()
  for (let pause_ms = FIRST_PAUSE_MS; ; pause_ms = Math.min(pause_ms * 2, PAUSE_MAX_MS)) {
    try {
      return await work()
    } catch (error) {
      if (!isRetryable(error as { code?: string; message: string })) throw error
      const holders = await selectHolders(db)
      onWait?.({ migration, holders })
      if (performance.now() - since + pause_ms > timeout_ms)
        throw lockedDatabaseError(migration, holders)
    }
    await pause(pause_ms)
  }
}

const isRetryable = ({ code = '', message }: { code?: string; message: string }) =>
  RETRYABLE_CODES.includes(code) || CATALOG_CONFLICT.test(message)

function lockedDatabaseError(
  migration: string | null,
  holders: readonly string[],
): LockedDatabaseError {
  const holderText = holders.length > 0 ? `\nThese sessions hold locks: ${holders.join('; ')}.` : ''
  const failureText =
    migration === null
      ? 'The list of applied migrations could not be locked, so no migration was applied.'
      : `The migration ${migration} could not lock the tables that it changes, and was not applied.`
  return new LockedDatabaseError(
    `${failureText}${holderText}\nEnd the transaction that holds the lock, then start again.`,
  )
}

/** Describes other transactions with locks in this database, the oldest first. */
const selectHolders = (db: Db) =>
  allValues<string>(db)`
    select format('process %s (%s for %s s: %s)', a.pid, coalesce(a.state, 'unknown'),
                  extract(epoch from now() - a.xact_start)::int,
                  string_agg(distinct c.relname, ', ' order by c.relname)) as holder
      from pg_locks l
      join pg_class c on c.oid = l.relation and c.relkind in ('r', 'p')
      join pg_namespace n on n.oid = c.relnamespace and n.nspname = current_schema()
      join pg_stat_activity a on a.pid = l.pid
     where l.granted and l.database = (select oid from pg_database where datname = current_database())
       and l.pid <> pg_backend_pid()
     group by a.pid, a.state, a.xact_start
     order by a.xact_start
     limit 5`
