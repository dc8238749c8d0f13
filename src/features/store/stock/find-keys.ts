import type { StoreContext } from '../../../store-context.ts'
import { stockKeyHash } from './add-keys.ts'
import { showKey } from './list-keys.ts'
import * as q from './queries/index.ts'
import type { KeyWithProduct } from './schema.ts'

/** The maximum number of results. The same text is rarely a key of several variants. */
const RESULTS_MAX = 25

/** Finds the keys with this complete text, of any status. The answer masks them. */
export async function findKeys(context: StoreContext, text: string): Promise<KeyWithProduct[]> {
  const { db, store } = context
  const rows = await q.selectKeysByHash(db, store.id, stockKeyHash(context, text), RESULTS_MAX)
  return rows.map(({ product_id, product_name, ...key }) => ({
    ...showKey(context, key, 'masked'),
    product_id,
    product_name,
  }))
}
