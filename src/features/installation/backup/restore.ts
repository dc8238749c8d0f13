import type { App } from '../../../app.ts'
import { CommandError } from '../../../command.ts'
import { inBackground, type Tx } from '../../../db/database.ts'
import { type BackupHeader, type BackupLine, checkBackup, readLines } from './backup-file.ts'
import * as q from './queries.ts'

interface RestoreResult {
  /** The path of the backup. */
  from: string
  /** The number of restored stores, each with a live and a test side. */
  stores: number
}

/**
 * Fills an empty database from a backup, in one transaction. A backup of the embedded database can be
 * restored to a server, and vice versa.
 */
export async function restore(app: App, file: string): Promise<RestoreResult> {
  const header = await checkBackup(file)
  const stores = await inBackground(app.db, async (tx) => {
    await checkSchema(tx, header)
    const storeCount = await q.countStores(tx)
    if (storeCount > 0) {
      throw new CommandError(
        `This database is not empty. Stores: ${storeCount}. Restore into an empty database: set another DATA_DIR or DATABASE_URL.`,
      )
    }
    await fillDatabase(app, tx, file)
    return q.countStores(tx)
  })
  return { from: file, stores }
}

/** Throws if the migrations differ, because rows fit only the schema that they were read from. */
async function checkSchema(tx: Tx, { version, migrations }: BackupHeader): Promise<void> {
  const appliedMigrations = await q.selectMigrations(tx)
  if (appliedMigrations.join() === migrations.join()) return
  throw new CommandError(
    `The backup was made by version ${version}, which has another schema (${migrations.length} migrations; this version has ${appliedMigrations.length}). Restore it with version ${version}. Then start this version, which migrates the database.`,
  )
}

async function fillDatabase(app: App, tx: Tx, file: string): Promise<void> {
  const foreignKeys = await q.dropForeignKeys(tx)
  const tablesWithTriggers = await q.selectTablesWithTriggers(tx)
  await q.switchTriggers(tx, tablesWithTriggers, 'disable')
  await q.emptyTables(tx, await q.selectTables(tx))
  const columns = await q.selectColumns(tx)
  const lines = readLines(file)
  for (let next = await lines.next(); !next.done; ) {
    const line = next.value
    if (line.kind === 'rows')
      await q.insertRows(tx, line.table, columns.get(line.table) ?? [], line.rows)
    if (line.kind === 'sequence') await q.setSequence(tx, line)
    next = line.kind === 'file' ? await storeFile(app, line.id, lines) : await lines.next()
  }
  await q.switchTriggers(tx, tablesWithTriggers, 'enable')
  await q.addForeignKeys(tx, foreignKeys)
}

/** Stores the file whose bytes come next, and returns the first line after them. */
async function storeFile(app: App, id: string, lines: AsyncGenerator<BackupLine>) {
  let next = await lines.next()
  const bytes = async function* () {
    while (!next.done && next.value.kind === 'bytes') {
      yield Buffer.from(next.value.base64, 'base64')
      next = await lines.next()
    }
  }
  const receivedFile = await app.storage.receive(bytes(), Number.MAX_SAFE_INTEGER)
  await app.storage.put(id, receivedFile)
  return next
}
