import { inTransaction } from '../../../db/database.ts'
import { invalid, requireRecord, unknownId } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import type { Kind } from './kinds.ts'
import * as q from './queries.ts'
import type { Grouping } from './schema.ts'

/** Replaces the products of a category or a group. */
export function replaceGroupingProducts<S extends Grouping>(
  { db, store, audit }: StoreContext,
  kind: Kind<S>,
  id: number,
  refs: readonly string[],
): Promise<S> {
  return inTransaction(db, async (tx) => {
    await q.lockGroupings(tx, store.id, kind)
    requireRecord(await q.selectGrouping(tx, store.id, kind, id), kind.name)
    const product_ids = checkedIds(refs, await q.lockProductIds(tx, store.id, refs))
    if (!(await q.replaceProducts(tx, store.id, kind, { id, product_ids }))) audit.skipEvent()
    return requireRecord(await q.selectGrouping(tx, store.id, kind, id), kind.name)
  })
}

/** Returns the ids of the products. Refuses the first one that does not exist or is repeated. */
function checkedIds(refs: readonly string[], existingIds: ReadonlyMap<string, number>): number[] {
  const ids = new Set<number>()
  for (const [index, ref] of refs.entries()) {
    const id = existingIds.get(ref)
    if (id === undefined) throw unknownId(`product_ids[${index}]`, ref, 'This store has no product')
    if (ids.has(id))
      throw invalid(`product_ids[${index}]`, 'Name each product once.', { rule: 'unique' })
    ids.add(id)
  }
  return [...ids]
}
