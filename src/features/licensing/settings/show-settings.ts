import { type Page, pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import { selectRecords } from '../app-records/index.ts'
import * as q from './queries.ts'
import type { SettingQuery } from './schema.ts'
import { settingRecords } from './setting-records.ts'

export async function listSettings({ db, store }: StoreContext, query: SettingQuery) {
  const { records, total } = await selectRecords(db, store.id, q.SETTINGS, query)
  return { remote_settings: records.map(q.fromRow), pagination: pagination(query, total) }
}

/** Returns the versions of a setting, newest first. */
export async function listVersions(context: StoreContext, id: number, page: Page) {
  await settingRecords.get(context, id)
  const { versions, total } = await q.selectVersions(context.db, context.store.id, id, page)
  return { versions, pagination: pagination(page, total) }
}
