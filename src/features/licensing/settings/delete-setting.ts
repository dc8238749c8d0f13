import { inTransaction } from '../../../db/database.ts'
import { checkVersion, found } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type Actor, recordChanges } from '../../installation/index.ts'
import * as q from './queries.ts'
import type { SettingAndVersion } from './update-setting.ts'

/** Deletes a setting with its history (specification, "Client Security API"). */
export function deleteSetting(
  context: StoreContext,
  actor: Actor,
  { id, version }: SettingAndVersion,
): Promise<void> {
  const { store } = context
  return inTransaction(context.db, async (tx) => {
    const { app_id } = found(await q.selectSetting(tx, store.id, id), 'Setting')
    await q.bumpConfig(tx, store.id, app_id)
    const before = found(await q.selectSetting(tx, store.id, id), 'Setting')
    checkVersion(before.version, version)
    await q.deleteSettings(tx, store.id, [id])
    const change = { action: 'remote_setting.delete', record_type: before.object, record_id: id }
    await recordChanges(tx, context, actor, [{ ...change, before }])
  })
}
