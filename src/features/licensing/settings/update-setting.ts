import { inTransaction, type Tx } from '../../../db/database.ts'
import { holdsTogether, LEVEL_NEEDS_LICENSE } from '../../../kernel/client-shapes.ts'
import { checkVersion, found, invalid } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type Actor, recordChanges } from '../../installation/index.ts'
import { checkContent } from './check-content.ts'
import { refuseTakenKey } from './create-setting.ts'
import * as q from './queries.ts'
import type { RemoteSetting, SettingPatch } from './schema.ts'

/** A setting, and the version from `If-Match` if the caller sent one. */
export interface SettingAndVersion {
  id: number
  version: number | undefined
}

/** Updates a setting. A field that is left out keeps its value. A new type requires a new value. */
export function updateSetting(
  context: StoreContext,
  actor: Actor,
  known: SettingAndVersion,
  body: SettingPatch,
): Promise<RemoteSetting> {
  if (body.type !== undefined && body.value === undefined) {
    throw invalid('value', 'Send a value with the new type.')
  }
  return change(context, actor, { ...known, action: 'remote_setting.update' }, async () => body)
}

/** Restores the content of an old version, as a new version. */
export function rollBackSetting(
  context: StoreContext,
  actor: Actor,
  known: SettingAndVersion,
  to: number,
): Promise<RemoteSetting> {
  return change(context, actor, { ...known, action: 'remote_setting.rollback' }, async (tx) => {
    const old = found(await q.selectVersion(tx, context.store.id, known.id, to), 'Version', to)
    const { object: _o, version: _v, actor_key_id: _a, created_at: _c, ...content } = old
    return content
  })
}

function change(
  context: StoreContext,
  actor: Actor,
  { id, version, action }: SettingAndVersion & { action: string },
  plan: (tx: Tx) => Promise<SettingPatch>,
): Promise<RemoteSetting> {
  const { store, now } = context
  return refuseTakenKey(() =>
    inTransaction(context.db, async (tx) => {
      const { app_id } = found(await q.selectSetting(tx, store.id, id), 'Setting')
      await q.bumpConfig(tx, store.id, app_id)
      const before = found(await q.selectSetting(tx, store.id, id), 'Setting')
      checkVersion(before.version, version)
      const { id: _i, object, ...row } = before
      // `updated_at` never decreases, even if the clock was set back.
      const updated_at = now > row.updated_at ? now : row.updated_at
      const next = { ...row, ...(await plan(tx)), version: before.version + 1, updated_at }
      if (!holdsTogether(next)) throw invalid('min_level', LEVEL_NEEDS_LICENSE)
      await checkContent(next)
      await q.updateSetting(tx, store.id, id, next)
      await q.saveVersions(tx, store.id, [id], { actor_key_id: actor.key_id, now })
      const after = { id, object, ...next }
      const entry = { action, record_type: object, record_id: id, before, after }
      await recordChanges(tx, context, actor, [entry])
      return after
    }),
  )
}
