import { CompiledQuery } from 'kysely'
import type { Db } from './database.ts'
import type { ConcurrentIndex } from './migration-files.ts'
import { firstValue, hasRows, onlyValue } from './rows.ts'
import { SET_SESSION_LIMITS } from './session.ts'

/** The timeouts of a build, which waits for old transactions and blocks only other changes of the schema. */
const BUILD_LIMITS = "set statement_timeout = 0; set lock_timeout = '5min'"
const LOCK_TIMED_OUT = '55P03'

/**
 * Builds an index while the table is in use (decision 232). An interrupted build leaves an invalid
 * index, which is dropped and built again, because it slows down writes and is not used by reads.
 */
export function buildIndex(db: Db, index: ConcurrentIndex): Promise<void> {
  return db.connection().execute(async (connection) => {
    const canSetLimits = await hasSessionLimits(connection)
    if (canSetLimits) await run(connection, BUILD_LIMITS)
    try {
      await replaceInvalidIndex(connection, index)
    } finally {
      if (canSetLimits) await run(connection, SET_SESSION_LIMITS)
    }
  })
}

/** Returns the statement that builds the index within a transaction. */
export const plainStatement = ({ text }: ConcurrentIndex) =>
  text.replace('index concurrently', 'index')

async function replaceInvalidIndex(db: Db, { name, text }: ConcurrentIndex): Promise<void> {
  // If two processes start, the second must not drop the index that the first is building.
  if (await isBeingBuilt(db, name)) throw builtElsewhereError(name)
  if ((await isValid(db, name)) === false) {
    await run(db, `drop index concurrently if exists "${name}"`)
  }
  await run(db, text)
  if ((await isValid(db, name)) !== true) throw builtElsewhereError(name)
}

const builtElsewhereError = (name: string) =>
  Object.assign(new Error(`Another process builds the index ${name}.`), { code: LOCK_TIMED_OUT })

/** Returns undefined if the index does not exist. */
const isValid = (db: Db, name: string) =>
  firstValue<boolean>(db)`
    select indisvalid as valid from pg_index where indexrelid = to_regclass(${name})`

const isBeingBuilt = (db: Db, name: string) =>
  hasRows(db)`
    select from pg_stat_progress_create_index
     where index_relid = to_regclass(${name}) and pid <> pg_backend_pid()`

/** Returns true if the session has its own limits. Behind a pooler, sessions are shared and have none. */
const hasSessionLimits = (db: Db) =>
  onlyValue<boolean>(db)`select current_setting('statement_timeout') <> '0' as is_limited`

const run = (db: Db, text: string) => db.executeQuery(CompiledQuery.raw(text))
