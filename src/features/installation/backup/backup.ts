import { basename } from 'node:path'
import type { App } from '../../../app.ts'
import type { CommandOutput } from '../../../command.ts'
import { inSnapshot, type Tx } from '../../../db/database.ts'
import { iso } from '../../../kernel/time.ts'
import { VERSION } from '../../../kernel/version.ts'
import { selectKids } from '../secrets/index.ts'
import { type BackupFile, type BackupLine, writeLines } from './backup-file.ts'
import * as q from './queries.ts'

/** The bytes of a file that one line of the backup contains. */
const CHUNK_BYTES = 192 * 1024

/**
 * Writes a snapshot of the database and the files of the local storage into one file. Files in a bucket
 * and the secrets key are not included.
 */
export async function backUp(
  app: App,
  file: string,
  { signal }: CommandOutput,
): Promise<BackupFile> {
  const backup = await inSnapshot(app.db, (tx) => writeLines(file, linesOf(app, tx, signal)))
  await q.recordBackup(app.db, {
    ...backup,
    file: basename(file),
    made_at: iso(app.clock.now()),
  })
  return backup
}

async function* linesOf(app: App, tx: Tx, signal: AbortSignal): AsyncGenerator<BackupLine> {
  yield {
    kind: 'begin',
    format: 1,
    version: VERSION,
    made_at: iso(app.clock.now()),
    migrations: await q.selectMigrations(tx),
    keys: await selectKids(tx),
  }
  let rowCount = 0
  for (const table of await q.selectTables(tx)) {
    for await (const rows of q.selectRows(tx, table)) {
      signal.throwIfAborted()
      yield { kind: 'rows', table, rows }
      rowCount += rows.length
    }
  }
  for (const sequence of await q.selectSequences(tx)) yield { kind: 'sequence', ...sequence }
  const ids = app.storage.kind === 'local' ? await q.selectBlobIds(tx) : []
  let fileCount = 0
  for (const id of ids) {
    const source = await app.storage.get(id)
    // The file was deleted since the transaction began.
    if (!source) continue
    fileCount++
    yield { kind: 'file', id }
    for await (const chunk of source) {
      signal.throwIfAborted()
      for (let start = 0; start < chunk.length; start += CHUNK_BYTES) {
        const part = chunk.subarray(start, start + CHUNK_BYTES)
        yield { kind: 'bytes', base64: part.toString('base64') }
      }
    }
  }
  yield { kind: 'end', rows: rowCount, files: fileCount }
}
