import { inTransaction } from '../../../db/database.ts'
import { found, invalid } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import type { Kind } from './kinds.ts'
import * as q from './queries.ts'
import type { Grouping } from './schema.ts'

/** Puts these products into a category or a group, and takes all others out of it (decision 97). */
export function replaceGroupingProducts<S extends Grouping>(
  { db, store }: StoreContext,
  kind: Kind<S>,
  id: number,
  refs: readonly string[],
): Promise<S> {
  return inTransaction(db, async (tx) => {
    await q.lockGroupings(tx, store.id, kind)
    found(await q.selectGrouping(tx, store.id, kind, id), kind.name)
    const product_ids = named(refs, await q.lockProductIds(tx, store.id, refs))
    await q.replaceProducts(tx, store.id, kind, { id, product_ids })
    return found(await q.selectGrouping(tx, store.id, kind, id), kind.name)
  })
}

/** The products, or the first that does not exist or was named before. */
function named(refs: readonly string[], known: ReadonlyMap<string, number>): number[] {
  const ids = new Set<number>()
  for (const [at, ref] of refs.entries()) {
    const id = known.get(ref)
    if (id === undefined) throw invalid(`product_ids[${at}]`, 'There is no product with this id.')
    if (ids.has(id)) throw invalid(`product_ids[${at}]`, 'Name each product once.')
    ids.add(id)
  }
  return [...ids]
}
