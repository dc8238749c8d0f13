import { requireRecord } from '../../../kernel/errors.ts'
import { type Page, pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries.ts'
import type { ClientApp } from './schema.ts'

export async function listApps({ db, store }: StoreContext, page: Page) {
  const { records, total } = await q.selectApps(db, store.id, page)
  return { apps: records, pagination: pagination(page, total) }
}

export const getApp = async ({ db, store }: StoreContext, id: number): Promise<ClientApp> =>
  requireRecord(await q.selectApp(db, store.id, id), 'App')
