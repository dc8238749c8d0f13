import { requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries/index.ts'
import type { ImportedStockKeys, ImportsQuery } from './schema.ts'

/** Returns the newest batches of keys that were added to a variant. */
export async function listImports(
  { db, store }: StoreContext,
  { product_id, variant_id }: ImportsQuery,
): Promise<ImportedStockKeys[]> {
  requireRecord(await q.selectVariant(db, store.id, product_id, variant_id), 'Variant')
  return q.selectImports(db, store.id, variant_id)
}
