import { requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import type { KeyActor } from '../../installation/index.ts'
import type { RecordAndVersion } from '../app-records/index.ts'
import { changeContent } from './change-content.ts'
import { files } from './file-records.ts'
import * as q from './queries.ts'
import type { ServersideFile } from './schema.ts'

/**
 * Restores a former content, as a new version. Its bytes are shared with the former content. The
 * name, the status and the access of the file stay unchanged.
 */
export const rollBackFile = (
  context: StoreContext,
  actor: KeyActor,
  target: RecordAndVersion,
  restoredVersion: number,
): Promise<ServersideFile> =>
  files.change(context, actor, {
    ...target,
    verb: 'rollback',
    async update(tx, { id }, next) {
      const formerVersion = requireRecord(
        await q.selectVersion(tx, context.store.id, id, restoredVersion),
        'Version',
        restoredVersion,
      )
      const { version, replaced_at, actor_key_id, actor_name, ...content } = formerVersion
      await changeContent(tx, context, actor, { id, ...next, content })
    },
  })
