import { inTransaction, type Tx } from '../../../db/database.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { markModeChanged, setOnHandToKeyCount, setQuantity, watchStock } from '../stock/index.ts'
import { refuseProductDuplicates } from './create-product.ts'
import * as q from './queries/index.ts'
import { readVariant } from './show-variants.ts'
import type { VariantPatch } from './variant-schema.ts'
import { planChange, type VariantChange } from './variants.rules.ts'

/** Changes a variant. Absent fields keep their values; null clears a nullable field. */
export async function updateVariant(
  context: StoreContext,
  ref: string,
  id: number,
  patch: VariantPatch,
) {
  const { store } = context
  return refuseProductDuplicates(() =>
    inTransaction(context.db, async (tx) => {
      const product = requireRecord(await q.lockProduct(tx, store.id, ref), 'Product')
      await watchStock(tx, context, product.id, async () => {
        const { variant } = await readVariant(context, tx, product.id, id)
        const ids = { product_id: product.id, variant_id: id }
        context.audit.reportChange(variant, patch)
        return changeVariant(tx, context, ids, planChange(variant, patch))
      })
      return readVariant(context, tx, product.id, id)
    }),
  )
}

/** The fields that decide how stock of a variant is counted. */
const MODE_FIELDS = ['stock_mode', 'track_inventory', 'allow_backorder'] as const

async function changeVariant(
  tx: Tx,
  context: StoreContext,
  ids: { product_id: number; variant_id: number },
  { fields, stock_quantity, recountsKeys }: VariantChange,
): Promise<void> {
  const { store, now } = context
  const { product_id, variant_id } = ids
  if (fields.is_default) await q.demoteDefault(tx, store.id, product_id, now)
  await q.updateVariant(tx, store.id, variant_id, { ...fields, updated_at: now })
  if (MODE_FIELDS.some((field) => fields[field] !== undefined))
    await markModeChanged(tx, store.id, variant_id)
  await q.copyDefaultPrice(tx, store.id, product_id, now)
  if (recountsKeys) await setOnHandToKeyCount(tx, context, variant_id)
  if (stock_quantity !== undefined)
    await setQuantity(tx, context, ids, { quantity: stock_quantity })
}
