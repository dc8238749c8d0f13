import { found } from '../../kernel/errors.ts'
import { type Pagination, pagination } from '../../kernel/page.ts'
import type { Shop } from '../../shop.ts'
import { withValue } from './change-string.ts'
import * as q from './queries.ts'
import type { ListedString, ServersideString, StringQuery } from './schema.ts'

export async function listStrings(
  { db, store }: Shop,
  query: StringQuery,
): Promise<{ serverside_strings: ListedString[]; pagination: Pagination }> {
  const { strings, total } = await q.selectStrings(db, store.id, query)
  return { serverside_strings: strings, pagination: pagination(query, total) }
}

export async function getString(shop: Shop, id: number): Promise<ServersideString> {
  return withValue(shop, found(await q.selectString(shop.db, shop.store.id, id), 'String'))
}
