import { inTransaction } from '../../../db/database.ts'
import { holdsTogether, LEVEL_NEEDS_LICENSE } from '../../../kernel/client-shapes.ts'
import { checkVersion, found, invalid, notFound } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type Actor, recordChanges } from '../../installation/index.ts'
import { safeFilename } from './filename.rules.ts'
import * as q from './queries.ts'
import type { FilePatch, ServersideFile } from './schema.ts'
import { refuseTakenName, shown } from './upload-file.ts'

/** Updates the metadata of a file. Its bytes stay unchanged. */
export function updateFile(
  context: StoreContext,
  actor: Actor,
  { id, version }: { id: number; version: number | undefined },
  body: FilePatch,
): Promise<ServersideFile> {
  const { store, now } = context
  return refuseTakenName(() =>
    inTransaction(context.db, async (tx) => {
      const row = found(await q.lockFile(tx, store.id, id), 'File')
      if (row.upload_state === 'deleting') throw notFound('File')
      checkVersion(row.version, version)
      if (!holdsTogether({ ...row, ...body })) throw invalid('min_level', LEVEL_NEEDS_LICENSE)
      await q.updateFile(tx, store.id, id, {
        ...body,
        ...(body.filename !== undefined && { filename: safeFilename(body.filename) }),
        version: row.version + 1,
        updated_at: now,
      })
      const after = shown(found(await q.selectFile(tx, store.id, id), 'File'))
      const change = { action: 'serverside_file.update', record_type: after.object, record_id: id }
      await recordChanges(tx, context, actor, [{ ...change, before: shown(row), after }])
      return after
    }),
  )
}
