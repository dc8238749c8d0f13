import type { StoreContext } from '../../../store-context.ts'
import { stockKeyHash } from './add-keys.ts'
import { showKey } from './list-keys.ts'
import { selectKeysByHash } from './queries/keys.ts'
import type { FoundKey } from './schema.ts'

/** A text is in few variants; more are never asked for. */
const FOUND_MAX = 25

/** Finds a key by its whole text, whatever became of it. It stays masked in the answer. */
export async function findKeys(context: StoreContext, text: string): Promise<FoundKey[]> {
  const { db, store } = context
  const rows = await selectKeysByHash(db, store.id, stockKeyHash(context, text), FOUND_MAX)
  return rows.map(({ product_id, product_name, ...key }) => ({
    ...showKey(context, key, 'masked'),
    product_id,
    product_name,
  }))
}
