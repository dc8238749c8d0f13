import { requireRecord } from '../../../kernel/errors.ts'
import { pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries.ts'
import type { Return, ReturnQuery } from './schema.ts'

export async function getReturn({ db, store }: StoreContext, id: number): Promise<Return> {
  return requireRecord(await q.selectReturn(db, store.id, id), 'Return')
}

/** Returns a page of returns. */
export async function listReturns({ db, store }: StoreContext, query: ReturnQuery) {
  const { records, total } = await q.selectReturns(db, store.id, query)
  return { returns: records, pagination: pagination(query, total) }
}
