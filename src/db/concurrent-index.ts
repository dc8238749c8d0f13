import { CompiledQuery, sql } from 'kysely'
import type { Db } from './database.ts'
import type { ConcurrentIndex } from './migration-files.ts'
import { KEEP_LIMITS } from './session.ts'

/** A build waits for old transactions; that blocks only other changes of the schema. */
const OWN_LIMITS = "set statement_timeout = 0; set lock_timeout = '5min'"
const LOCK_TIMED_OUT = '55P03'

/**
 * Builds an index while the table is in use (decision 232). An interrupted build leaves an invalid
 * index, which slows down writes and serves no reads, so it is dropped and built again.
 */
export function buildIndex(db: Db, index: ConcurrentIndex): Promise<void> {
  return db.connection().execute(async (connection) => {
    const limited = await hasOwnLimits(connection)
    if (limited) await run(connection, OWN_LIMITS)
    try {
      await build(connection, index)
    } finally {
      if (limited) await run(connection, KEEP_LIMITS)
    }
  })
}

async function build(db: Db, { name, text }: ConcurrentIndex): Promise<void> {
  // If two processes start, the second waits: the index is invalid until the first has built it.
  if (await isBeingBuilt(db, name)) throw beingBuilt(name)
  if ((await isValid(db, name)) === false) {
    await run(db, `drop index concurrently if exists "${name}"`)
  }
  await run(db, text)
  if ((await isValid(db, name)) !== true) throw beingBuilt(name)
}

const beingBuilt = (name: string) =>
  Object.assign(new Error(`Another process builds the index ${name}.`), { code: LOCK_TIMED_OUT })

/** Returns undefined if the index does not exist. */
async function isValid(db: Db, name: string): Promise<boolean | undefined> {
  const { rows } = await sql<{ valid: boolean }>`
    select indisvalid as valid from pg_index where indexrelid = to_regclass(${name})`.execute(db)
  return rows[0]?.valid
}

async function isBeingBuilt(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_progress_create_index
     where index_relid = to_regclass(${name}) and pid <> pg_backend_pid()`.execute(db)
  return rows.length > 0
}

/** True if the session keeps its own limits; behind a pooler, sessions are shared and may not. */
async function hasOwnLimits(db: Db): Promise<boolean> {
  const { rows } = await sql<{ limit: string }>`
    select current_setting('statement_timeout') as limit`.execute(db)
  return rows[0]?.limit !== '0'
}

const run = (db: Db, text: string) => db.executeQuery(CompiledQuery.raw(text))
