import { inTransaction } from '../../../db/database.ts'
import { uniqueViolation } from '../../../db/failure.ts'
import { alreadyTaken, found, invalid } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type Actor, recordChanges } from '../../installation/index.ts'
import { appNamed } from '../apps/index.ts'
import { checkContent } from './check-content.ts'
import * as q from './queries.ts'
import { type NewSetting, type RemoteSetting, SETTINGS_MAX } from './schema.ts'

export async function createSetting(
  context: StoreContext,
  actor: Actor,
  body: NewSetting,
): Promise<RemoteSetting> {
  await checkContent(body)
  const { store, now } = context
  const { app_id, ...fields } = body
  return refuseTakenKey(() =>
    inTransaction(context.db, async (tx) => {
      const app = await appNamed(tx, context, app_id)
      await q.bumpConfig(tx, store.id, app.id)
      if ((await q.countSettings(tx, store.id, app.id)) >= SETTINGS_MAX) {
        throw invalid('key', `An app has at most ${SETTINGS_MAX} settings. Delete one first.`)
      }
      const id = await q.insertSetting(tx, store.id, {
        ...fields,
        app_id: app.id,
        version: 1,
        created_at: now,
        updated_at: now,
      })
      await q.saveVersions(tx, store.id, [id], { actor_key_id: actor.key_id, now })
      const after = found(await q.selectSetting(tx, store.id, id), 'Setting')
      const change = { action: 'remote_setting.create', record_type: after.object, record_id: id }
      await recordChanges(tx, context, actor, [{ ...change, after }])
      return after
    }),
  )
}

export async function refuseTakenKey<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (uniqueViolation(error)?.index !== 'remote_setting_key_taken') throw error
    throw alreadyTaken('key', 'Another setting of this app has this key. Use another key.')
  }
}
