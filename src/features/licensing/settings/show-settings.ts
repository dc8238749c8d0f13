import { found } from '../../../kernel/errors.ts'
import { type Page, type Pagination, pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries.ts'
import type { RemoteSetting, SettingQuery, SettingVersion } from './schema.ts'

export async function listSettings(
  { db, store }: StoreContext,
  query: SettingQuery,
): Promise<{ remote_settings: RemoteSetting[]; pagination: Pagination }> {
  const { settings, total } = await q.selectSettings(db, store.id, query)
  return { remote_settings: settings, pagination: pagination(query, total) }
}

export const getSetting = async ({ db, store }: StoreContext, id: number): Promise<RemoteSetting> =>
  found(await q.selectSetting(db, store.id, id), 'Setting')

/** The versions of a setting, newest first. */
export async function listVersions(
  { db, store }: StoreContext,
  id: number,
  page: Page,
): Promise<{ versions: SettingVersion[]; pagination: Pagination }> {
  found(await q.selectSetting(db, store.id, id), 'Setting')
  const { versions, total } = await q.selectVersions(db, store.id, id, page)
  return { versions, pagination: pagination(page, total) }
}
