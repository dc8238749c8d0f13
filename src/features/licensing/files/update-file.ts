import { isLevelAllowed, LEVEL_NEEDS_LICENSE } from '../../../kernel/client-shapes.ts'
import { isEmptyChange } from '../../../kernel/empty-change.ts'
import { invalid } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import type { KeyActor } from '../../installation/index.ts'
import type { RecordAndVersion } from '../app-records/index.ts'
import { files } from './file-records.ts'
import { safeFilename } from './filename.rules.ts'
import * as q from './queries.ts'
import type { FilePatch, ServersideFile } from './schema.ts'

/** Updates the metadata of a file. Its bytes stay unchanged. */
export const updateFile = (
  context: StoreContext,
  actor: KeyActor,
  target: RecordAndVersion,
  body: FilePatch,
): Promise<ServersideFile> =>
  files.change(context, actor, {
    ...target,
    isEmpty: isEmptyChange(body),
    update(tx, row, next) {
      if (!isLevelAllowed({ ...row, ...body })) throw invalid('min_level', LEVEL_NEEDS_LICENSE)
      const filename = body.filename === undefined ? row.filename : safeFilename(body.filename)
      return q.updateFile(tx, context.store.id, row.id, { ...body, filename, ...next })
    },
  })
