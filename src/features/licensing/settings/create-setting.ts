import { invalid } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import type { KeyActor } from '../../installation/index.ts'
import { checkSetting } from './check-content.ts'
import * as q from './queries.ts'
import { type NewSetting, type RemoteSetting, SETTINGS_MAX } from './schema.ts'
import { saveVersionsBy, settingRecords } from './setting-records.ts'

export async function createSetting(
  context: StoreContext,
  actor: KeyActor,
  { app_id, ...body }: NewSetting,
): Promise<RemoteSetting> {
  await checkSetting(body)
  const { store, now } = context
  return settingRecords.create(context, actor, {
    app_id,
    async insert(tx, app) {
      await q.incrementConfigVersion(tx, store.id, app.id)
      if ((await q.countSettings(tx, store.id, app.id)) >= SETTINGS_MAX) {
        throw invalid('key', `An app has at most ${SETTINGS_MAX} settings. Delete one first.`)
      }
      const row = { ...body, app_id: app.id, version: 1, created_at: now, updated_at: now }
      const id = await q.insertSetting(tx, store.id, row)
      await saveVersionsBy(tx, context, actor, [id])
      return id
    },
  })
}
