import { found } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { selectCounts } from './queries.ts'
import type { Counts } from './schema.ts'

/** Counts the records of this store that wait for a person. */
export async function countWaiting({ db, store }: StoreContext): Promise<Counts> {
  const counts = await selectCounts(db, [store.id])
  return found(counts.get(store.id), 'Store')
}
