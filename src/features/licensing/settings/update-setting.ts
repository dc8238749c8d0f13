import { inTransaction, type Tx } from '../../../db/database.ts'
import { holdsTogether, LEVEL_NEEDS_LICENSE } from '../../../kernel/client-shapes.ts'
import { checkVersion, found, invalid } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type Actor, recordChanges } from '../../installation/index.ts'
import { checkContent } from './check-content.ts'
import { refusingTakenKey } from './create-setting.ts'
import * as q from './queries.ts'
import type { RemoteSetting, SettingPatch } from './schema.ts'

/** A setting, and the version that its caller knows, if they say one. */
export interface KnownSetting {
  id: number
  version: number | undefined
}

/** Changes a setting. What is left out keeps its value; a new type needs a value of it. */
export function updateSetting(
  context: StoreContext,
  actor: Actor,
  known: KnownSetting,
  sent: SettingPatch,
): Promise<RemoteSetting> {
  if (sent.type !== undefined && sent.value === undefined) {
    throw invalid('value', 'Send a value with the new type.')
  }
  return change(context, actor, { ...known, action: 'remote_setting.update' }, async () => sent)
}

/** Brings the content of an old version back, as a new version. */
export function rollBackSetting(
  context: StoreContext,
  actor: Actor,
  known: KnownSetting,
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
  { id, version, action }: KnownSetting & { action: string },
  plan: (tx: Tx) => Promise<SettingPatch>,
): Promise<RemoteSetting> {
  const { store, now } = context
  return refusingTakenKey(() =>
    inTransaction(context.db, async (tx) => {
      const { app_id } = found(await q.selectSetting(tx, store.id, id), 'Setting')
      await q.bumpConfig(tx, store.id, app_id)
      const before = found(await q.selectSetting(tx, store.id, id), 'Setting')
      checkVersion(before.version, version)
      const { id: _i, object, ...row } = before
      // A clock that went back takes no time with it.
      const updated_at = now > row.updated_at ? now : row.updated_at
      const next = { ...row, ...(await plan(tx)), version: before.version + 1, updated_at }
      if (!holdsTogether(next)) throw invalid('min_level', LEVEL_NEEDS_LICENSE)
      await checkContent(next)
      await q.updateSetting(tx, store.id, id, next)
      await q.keepVersions(tx, store.id, [id], { actor_key_id: actor.key_id, now })
      const after = { id, object, ...next }
      const told = { action, record_type: object, record_id: id, before, after }
      await recordChanges(tx, context, actor, [told])
      return after
    }),
  )
}
