import { found } from '../../../kernel/errors.ts'
import { type Pagination, pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import { withValue } from './change-string.ts'
import * as q from './queries.ts'
import type { ListedString, ServersideString, StringQuery } from './schema.ts'

export async function listStrings(
  { db, store }: StoreContext,
  query: StringQuery,
): Promise<{ serverside_strings: ListedString[]; pagination: Pagination }> {
  const { strings, total } = await q.selectStrings(db, store.id, query)
  return { serverside_strings: strings, pagination: pagination(query, total) }
}

export async function getString(context: StoreContext, id: number): Promise<ServersideString> {
  return withValue(context, found(await q.selectString(context.db, context.store.id, id), 'String'))
}
