import { type Page, pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries/index.ts'

/** Returns a page of the payments with an open dispute. */
export async function listDisputes({ db, store }: StoreContext, page: Page) {
  const disputes = await q.selectDisputes(db, store.id, page)
  const total = await q.countDisputes(db, store.id, page)
  return { disputes, pagination: pagination(page, total) }
}
