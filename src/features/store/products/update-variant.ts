import { inTransaction, type Tx } from '../../../db/database.ts'
import { found } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { countKeys, markModeChanged, setQuantity, watchStock } from '../stock/index.ts'
import { refusingTaken } from './create-product.ts'
import { lockProduct } from './queries/products.ts'
import * as q from './queries/variants.ts'
import { readVariant } from './show-variants.ts'
import type { Variant, VariantPatch } from './variant-schema.ts'
import { planChange, type VariantChange } from './variants.rules.ts'

/** Changes a variant. Fields left out keep their value; null clears a nullable one. */
export async function updateVariant(
  context: StoreContext,
  ref: string,
  id: number,
  patch: VariantPatch,
): Promise<{ variant: Variant }> {
  const { store } = context
  return refusingTaken({}, () =>
    inTransaction(context.db, async (tx) => {
      const product = found(await lockProduct(tx, store.id, ref), 'Product')
      await watchStock(tx, context, product.id, async () => {
        const { variant } = await readVariant(context, tx, product.id, id)
        const ids = { product_id: product.id, variant_id: id }
        context.audit.changed(variant, patch)
        return change(tx, context, ids, planChange(variant, patch))
      })
      return readVariant(context, tx, product.id, id)
    }),
  )
}

/** Fields that decide how a variant is counted. */
const MODE = ['stock_mode', 'track_inventory', 'allow_backorder'] as const

async function change(
  tx: Tx,
  context: StoreContext,
  ids: { product_id: number; variant_id: number },
  { fields, stock_quantity, countsKeys }: VariantChange,
): Promise<void> {
  const { store, now } = context
  const { product_id, variant_id } = ids
  if (fields.is_default) await q.demoteDefault(tx, store.id, product_id, now)
  await q.updateVariant(tx, store.id, variant_id, { ...fields, updated_at: now })
  if (MODE.some((field) => fields[field] !== undefined))
    await markModeChanged(tx, context, variant_id)
  await q.copyDefaultPrice(tx, store.id, product_id, now)
  if (countsKeys) await countKeys(tx, context, variant_id)
  if (stock_quantity !== undefined)
    await setQuantity(tx, context, ids, { quantity: stock_quantity })
}
