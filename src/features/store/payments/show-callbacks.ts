import { cutPage } from '../../../kernel/client-shapes.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries.ts'
import type { CallbackQuery } from './schema.ts'

/** Returns a page of the callbacks of payment providers, the newest first. */
export async function listCallbacks({ db, store }: StoreContext, query: CallbackQuery) {
  const rows = await q.selectCallbacks(db, store.id, query)
  const { page, next_cursor } = cutPage(rows, query.limit)
  return { payment_callbacks: page, next_cursor }
}
