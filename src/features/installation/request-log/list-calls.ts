import type { StoreContext } from '../../../store-context.ts'
import { selectCalls } from './queries.ts'
import type { ApiCall, CallQuery } from './schema.ts'

/** Returns a page of the calls with API keys, the newest first. */
export async function listCalls(
  { db, store }: StoreContext,
  query: CallQuery,
): Promise<{ calls: ApiCall[]; next_cursor: string | null }> {
  const rows = await selectCalls(db, store.id, query)
  const calls = rows.slice(0, query.limit)
  const more = rows.length > query.limit
  return { calls, next_cursor: more ? (calls.at(-1)?.request_id ?? null) : null }
}
