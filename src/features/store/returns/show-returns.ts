import { found } from '../../../kernel/errors.ts'
import { type Pagination, pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries.ts'
import type { Return, ReturnQuery } from './schema.ts'

export async function getReturn({ db, store }: StoreContext, id: number): Promise<Return> {
  return found(await q.selectReturn(db, store.id, id), 'Return')
}

/** A page of returns, the newest first. */
export async function listReturns(
  { db, store }: StoreContext,
  query: ReturnQuery,
): Promise<{ returns: Return[]; pagination: Pagination }> {
  const { records, total } = await q.selectReturns(db, store.id, query)
  return { returns: records, pagination: pagination(query, total) }
}
