import { found } from '../../../kernel/errors.ts'
import { type Page, type Pagination, pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries.ts'
import type { ClientApp } from './schema.ts'

export async function listApps(
  { db, store }: StoreContext,
  page: Page,
): Promise<{ apps: ClientApp[]; pagination: Pagination }> {
  const { apps, total } = await q.selectApps(db, store.id, page)
  return { apps, pagination: pagination(page, total) }
}

export const getApp = async ({ db, store }: StoreContext, id: number): Promise<ClientApp> =>
  found(await q.selectApp(db, store.id, id), 'App')
