import type { App } from '../../../app.ts'
import { CommandError } from '../../../command.ts'
import { inBackground, type Tx } from '../../../db/database.ts'
import { type Begin, checkBackup, type Line, readLines } from './backup-file.ts'
import * as q from './queries.ts'

export interface Restored {
  /** The file. */
  from: string
  /** The restored stores; the live and the test side count as two, as in `stores list`. */
  stores: number
}

/**
 * Fills an empty database from a backup, in one transaction: it is restored whole, or not at all. Works
 * between the embedded database and a server.
 */
export async function restore(app: App, file: string): Promise<Restored> {
  const begin = await checkBackup(file)
  const stores = await inBackground(app.db, async (tx) => {
    await refuseUnlike(tx, begin)
    const existing = await q.countStores(tx)
    if (existing > 0) {
      throw new CommandError(
        `This database has ${existing} stores already. Restore into an empty one: another DATA_DIR or DATABASE_URL.`,
      )
    }
    await fill(app, tx, file)
    return q.countStores(tx)
  })
  return { from: file, stores }
}

/** Rows fit only the schema that they come from. */
async function refuseUnlike(tx: Tx, { version, migrations }: Begin): Promise<void> {
  const own = await q.selectMigrations(tx)
  const same = own.length === migrations.length && own.every((name, at) => name === migrations[at])
  if (same) return
  throw new CommandError(
    `The backup was made by version ${version}, whose schema is another one (${migrations.length} migrations, here ${own.length}). Restore it with that version; then start this one, which migrates it.`,
  )
}

async function fill(app: App, tx: Tx, file: string): Promise<void> {
  const foreignKeys = await q.dropForeignKeys(tx)
  const triggered = await q.selectTriggered(tx)
  await q.switchTriggers(tx, triggered, 'disable')
  await q.empty(tx, await q.selectTables(tx))
  const columns = await q.selectColumns(tx)
  const lines = readLines(file)
  for (let next = await lines.next(); !next.done; ) {
    const line = next.value
    if (line.kind === 'rows')
      await q.insertRows(tx, line.table, columns.get(line.table) ?? [], line.rows)
    if (line.kind === 'sequence') await q.setSequence(tx, line)
    next = line.kind === 'file' ? await storeFile(app, line.id, lines) : await lines.next()
  }
  await q.switchTriggers(tx, triggered, 'enable')
  await q.addForeignKeys(tx, foreignKeys)
}

/** Stores the bytes that follow, and returns the first line after them. */
async function storeFile(app: App, id: string, lines: AsyncGenerator<Line>) {
  let next = await lines.next()
  const bytes = async function* () {
    while (!next.done && next.value.kind === 'bytes') {
      yield Buffer.from(next.value.base64, 'base64')
      next = await lines.next()
    }
  }
  const received = await app.storage.receive(bytes(), Number.MAX_SAFE_INTEGER)
  await app.storage.put(id, received)
  return next
}
