import type { Tx } from '../../../db/database.ts'
import { isLevelAllowed, LEVEL_NEEDS_LICENSE } from '../../../kernel/client-shapes.ts'
import { isEmptyChange } from '../../../kernel/empty-change.ts'
import { invalid, requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import type { KeyActor } from '../../installation/index.ts'
import type { RecordAndVersion } from '../app-records/index.ts'
import { checkSetting } from './check-content.ts'
import * as q from './queries.ts'
import type { RemoteSetting, SettingPatch } from './schema.ts'
import { saveVersionsBy, settingRecords } from './setting-records.ts'

/** Updates a setting. An omitted field keeps its value. A new type requires a new value. */
export function updateSetting(
  context: StoreContext,
  actor: KeyActor,
  target: RecordAndVersion,
  body: SettingPatch,
): Promise<RemoteSetting> {
  if (body.type !== undefined && body.value === undefined) {
    throw invalid('value', 'Send a value with the new type.')
  }
  const isEmpty = isEmptyChange(body)
  return change(context, actor, { ...target, verb: 'update', isEmpty }, async () => body)
}

/** Restores the content of an old version, as a new version. */
export function rollBackSetting(
  context: StoreContext,
  actor: KeyActor,
  target: RecordAndVersion,
  restoredVersion: number,
): Promise<RemoteSetting> {
  return change(context, actor, { ...target, verb: 'rollback' }, async (tx) => {
    const oldVersion = requireRecord(
      await q.selectVersion(tx, context.store.id, target.id, restoredVersion),
      'Version',
      restoredVersion,
    )
    const { object, version, created_at, actor_key_id, actor_name, ...content } = oldVersion
    return content
  })
}

const change = (
  context: StoreContext,
  actor: KeyActor,
  target: RecordAndVersion & { verb: string; isEmpty?: boolean },
  loadPatch: (tx: Tx) => Promise<SettingPatch>,
): Promise<RemoteSetting> =>
  settingRecords.change(context, actor, {
    ...target,
    async update(tx, storedRow, next) {
      const { store } = context
      const { id, object, ...before } = q.fromRow(storedRow)
      const row = { ...before, ...(await loadPatch(tx)), ...next }
      if (!isLevelAllowed(row)) throw invalid('min_level', LEVEL_NEEDS_LICENSE)
      await checkSetting(row)
      await q.updateSetting(tx, store.id, id, row)
      await saveVersionsBy(tx, context, actor, [id])
    },
  })
