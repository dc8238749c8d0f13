import { found } from '../../../kernel/errors.ts'
import { type Page, type Pagination, pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import type { Kind } from './kinds.ts'
import { selectGrouping, selectGroupings } from './queries.ts'
import type { Grouping } from './schema.ts'

/** One category or group. */
export async function getGrouping<S extends Grouping>(
  { db, store }: StoreContext,
  kind: Kind<S>,
  id: number,
): Promise<S> {
  return found(await selectGrouping(db, store.id, kind, id), kind.name)
}

/** A page of categories or groups, by position (decision 44). */
export async function listGroupings<S extends Grouping>(
  { db, store }: StoreContext,
  kind: Kind<S>,
  page: Page,
): Promise<{ groupings: S[]; pagination: Pagination }> {
  const { groupings, total } = await selectGroupings(db, store.id, kind, page)
  return { groupings, pagination: pagination(page, total) }
}
