import type { App } from '../../../app.ts'
import type { CommandOutput } from '../../../command.ts'
import { inSnapshot, type Tx } from '../../../db/database.ts'
import { iso } from '../../../kernel/time.ts'
import { VERSION } from '../../../kernel/version.ts'
import { selectKids } from '../secrets/index.ts'
import { type Line, type Written, writeLines } from './backup-file.ts'
import * as q from './queries.ts'

const CHUNK_BYTES = 192 * 1024

/**
 * Writes the database, as it is at one moment, and the files of the local storage into one file. Files in a
 * bucket stay there, and the secrets key is never in it.
 */
export const backUp = (app: App, file: string, { signal }: CommandOutput): Promise<Written> =>
  inSnapshot(app.db, (tx) => writeLines(file, linesOf(app, tx, signal)))

async function* linesOf(app: App, tx: Tx, signal: AbortSignal): AsyncGenerator<Line> {
  yield {
    kind: 'begin',
    format: 1,
    version: VERSION,
    made_at: iso(app.clock.now()),
    migrations: await q.selectMigrations(tx),
    keys: await selectKids(tx),
  }
  let count = 0
  for (const table of await q.selectTables(tx)) {
    for await (const rows of q.selectRows(tx, table)) {
      signal.throwIfAborted()
      yield { kind: 'rows', table, rows }
      count += rows.length
    }
  }
  for (const sequence of await q.selectSequences(tx)) yield { kind: 'sequence', ...sequence }
  const ids = app.storage.kind === 'local' ? await q.selectBlobIds(tx) : []
  let files = 0
  for (const id of ids) {
    const source = await app.storage.get(id)
    // Deleted since the transaction began; nothing of the present needs it.
    if (!source) continue
    files++
    yield { kind: 'file', id }
    for await (const chunk of source) {
      signal.throwIfAborted()
      for (let at = 0; at < chunk.length; at += CHUNK_BYTES) {
        yield { kind: 'bytes', base64: chunk.subarray(at, at + CHUNK_BYTES).toString('base64') }
      }
    }
  }
  yield { kind: 'end', rows: count, files }
}
