import type { CreatedPeriod } from '../../../db/created.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import { type Page, pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import type { Kind } from './kinds.ts'
import * as q from './queries.ts'
import type { Grouping } from './schema.ts'

/** Returns a category or a group. */
export async function getGrouping<S extends Grouping>(
  { db, store }: StoreContext,
  kind: Kind<S>,
  id: number,
): Promise<S> {
  return requireRecord(await q.selectGrouping(db, store.id, kind, id), kind.name)
}

/** Returns a page of categories or groups, by position (decision 44). */
export async function listGroupings<S extends Grouping>(
  { db, store }: StoreContext,
  kind: Kind<S>,
  page: Page & CreatedPeriod,
) {
  const { groupings, total } = await q.selectGroupings(db, store.id, kind, page)
  return { groupings, pagination: pagination(page, total) }
}
