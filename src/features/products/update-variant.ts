import { inTransaction, type Tx } from '../../db/database.ts'
import { found } from '../../kernel/errors.ts'
import type { Shop } from '../../shop.ts'
import { countKeys, noteMode, setQuantity, watchStock } from '../stock/index.ts'
import { refusingTaken } from './create-product.ts'
import { lockProduct } from './queries/products.ts'
import * as q from './queries/variants.ts'
import { readVariant } from './show-variants.ts'
import type { Variant, VariantPatch } from './variant-schema.ts'
import { planChange, type VariantChange } from './variants.rules.ts'

/** Changes a variant. Fields left out keep their value; null clears a nullable one. */
export async function updateVariant(
  shop: Shop,
  ref: string,
  id: number,
  patch: VariantPatch,
): Promise<{ variant: Variant }> {
  const { store } = shop
  return refusingTaken({}, () =>
    inTransaction(shop.db, async (tx) => {
      const product = found(await lockProduct(tx, store.id, ref), 'Product')
      await watchStock(tx, shop, product.id, async () => {
        const { variant } = await readVariant(shop, tx, product.id, id)
        const place = { product_id: product.id, variant_id: id }
        shop.audit.changed(variant, patch)
        return change(tx, shop, place, planChange(variant, patch))
      })
      return readVariant(shop, tx, product.id, id)
    }),
  )
}

/** What says how a variant is counted. */
const MODE = ['stock_mode', 'track_inventory', 'allow_backorder'] as const

async function change(
  tx: Tx,
  shop: Shop,
  place: { product_id: number; variant_id: number },
  { fields, stock_quantity, countsKeys }: VariantChange,
): Promise<void> {
  const { store, now } = shop
  const { product_id, variant_id } = place
  if (fields.is_default) await q.demoteDefault(tx, store.id, product_id, now)
  await q.updateVariant(tx, store.id, variant_id, { ...fields, updated_at: now })
  if (MODE.some((field) => fields[field] !== undefined)) await noteMode(tx, shop, variant_id)
  await q.copyDefaultPrice(tx, store.id, product_id, now)
  if (countsKeys) await countKeys(tx, shop, variant_id)
  if (stock_quantity !== undefined) await setQuantity(tx, shop, place, { quantity: stock_quantity })
}
