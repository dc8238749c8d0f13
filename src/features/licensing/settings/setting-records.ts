import type { Tx } from '../../../db/database.ts'
import type { StoreContext } from '../../../store-context.ts'
import type { KeyActor } from '../../installation/index.ts'
import { type RecordAndVersion, versionedRecords } from '../app-records/index.ts'
import * as q from './queries.ts'
import type { RemoteSetting } from './schema.ts'

export const settingRecords = versionedRecords({
  table: q.SETTINGS,
  noun: 'Setting',
  unique: 'key',
  lock: q.lockSetting,
  toRecord: (_context, row): RemoteSetting => q.fromRow(row),
})

/** Saves the current content of settings as versions, with the name of the actor. */
export const saveVersionsBy = (
  tx: Tx,
  { store, now, audit }: StoreContext,
  { key_id: actor_key_id }: KeyActor,
  ids: readonly number[],
): Promise<void> =>
  q.saveVersions(tx, store.id, ids, { actor_key_id, actor_name: audit.origin.actor.name, now })

/** Deletes a setting with its history (specification, "Client Security API"). */
export const deleteSetting = (
  context: StoreContext,
  actor: KeyActor,
  target: RecordAndVersion,
): Promise<void> =>
  settingRecords.delete(context, actor, {
    ...target,
    remove: (tx, storeId, id) => q.deleteSettings(tx, storeId, [id]),
  })
