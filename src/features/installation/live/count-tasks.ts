import { requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries.ts'
import type { Counts } from './schema.ts'

/** Counts the records of this store that need action by the team. */
export async function countTasks({ db, store }: StoreContext): Promise<Counts> {
  const counts = await q.selectCounts(db, [store.id])
  return requireRecord(counts.get(store.id), 'Store')
}
