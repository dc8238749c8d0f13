import type { Db } from '../../../db/database.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries/index.ts'
import type { VariantStock } from './schema.ts'
import { availableUnits, isLow } from './stock.rules.ts'

/** Returns the stock of a variant. */
export async function getStock(
  context: StoreContext,
  productRef: string,
  variantId: number,
): Promise<{ stock: VariantStock }> {
  const { id } = requireRecord(
    await q.selectVariant(context.db, context.store.id, productRef, variantId),
    'Variant',
  )
  return readStock(context, context.db, id)
}

/** Returns the stock of a variant, within a transaction that may have changed it. */
export async function readStock(
  { store }: StoreContext,
  db: Db,
  variantId: number,
): Promise<{ stock: VariantStock }> {
  const storedStock = requireRecord(await q.selectStock(db, store.id, variantId), 'Variant')
  const isUnlimited = storedStock.stock_mode === 'unlimited' || !storedStock.track_inventory
  const { owed, ...stock } = storedStock
  const available = isUnlimited ? null : availableUnits(storedStock)
  const low_stock = isLow(available, stock.low_stock_threshold)
  const reserved = stock.reserved + owed
  return { stock: { object: 'stock', ...stock, reserved, available, low_stock } }
}
