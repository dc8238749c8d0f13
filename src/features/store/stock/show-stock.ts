import type { Db } from '../../../db/database.ts'
import { found } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { selectStock } from './queries/counters.ts'
import { selectVariant } from './queries/keys.ts'
import type { VariantStock } from './schema.ts'
import { free, isLow } from './stock.rules.ts'

/**
 * Returns the units of a variant in stock, the units that unpaid orders hold, and the units ever
 * sold.
 */
export async function getStock(
  context: StoreContext,
  productRef: string,
  variantId: number,
): Promise<{ stock: VariantStock }> {
  const { id } = found(
    await selectVariant(context.db, context.store.id, productRef, variantId),
    'Variant',
  )
  return readStock(context, context.db, id)
}

/** Returns the same within a transaction that changed it. */
export async function readStock(
  { store }: StoreContext,
  db: Db,
  variantId: number,
): Promise<{ stock: VariantStock }> {
  const stored = found(await selectStock(db, store.id, variantId), 'Variant')
  const endless = stored.stock_mode === 'unlimited' || !stored.track_inventory
  const available = endless ? null : free(stored)
  const low_stock = isLow(available, stored.low_stock_threshold)
  return { stock: { object: 'stock', ...stored, available, low_stock } }
}
