import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries.ts'
import type { CallQuery } from './schema.ts'

/** Returns a page of the calls with API keys, newest first. */
export async function listCalls({ db, store }: StoreContext, query: CallQuery) {
  const rows = await q.selectCalls(db, store.id, query)
  const calls = rows.slice(0, query.limit)
  const hasMore = rows.length > query.limit
  return { calls, next_cursor: hasMore ? (calls.at(-1)?.request_id ?? null) : null }
}
