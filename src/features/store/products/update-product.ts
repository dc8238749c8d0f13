import { inTransaction } from '../../../db/database.ts'
import { found } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { watchStock } from '../stock/index.ts'
import { cleanDetails } from './clean-html.ts'
import { listIn, refusingTaken } from './create-product.ts'
import { checkCurrency, checkProduct, planMethods } from './products.rules.ts'
import * as q from './queries/products.ts'
import { updateDefaultPrice } from './queries/variants.ts'
import type { ProductPatch, ProductSections } from './schema.ts'
import { readProduct } from './show-product.ts'

/** Fields that lists count products by (decision 100). */
const FACETS = ['status', 'visibility', 'active', 'type', 'product_kind'] as const

/**
 * Changes a product. Fields left out keep their value; null clears a nullable one. `at` is the path
 * of the details.
 */
export async function updateProduct(
  context: StoreContext,
  ref: string,
  patch: ProductPatch,
  at = 'details.',
): Promise<ProductSections> {
  const { store, now } = context
  const { category_ids, details, seo, methods, currency, ...fields } = patch

  const content = { ...(await cleanDetails(details ?? {}, at)), ...seo }

  return refusingTaken({}, () =>
    inTransaction(context.db, async (tx) => {
      const before = found(await q.lockProduct(tx, store.id, ref), 'Product')
      checkProduct({ ...before, ...fields })
      checkCurrency(currency, store.currency)

      // Categories are locked before the list counters of the product, as in its deletion.
      if (category_ids) await listIn(tx, store.id, before.id, category_ids)

      context.audit.changed(before, fields)
      const planned = methods && planMethods(store.livemode, before.methods, methods)
      const change = { ...fields, ...(planned && { methods: planned }), updated_at: now }
      const update = () => q.updateProduct(tx, store.id, before.id, change)
      if (FACETS.some((name) => (fields[name] ?? before[name]) !== before[name])) {
        await watchStock(tx, context, before.id, update)
        await q.moveInTally(tx, store.id, before)
      } else await update()
      const { price_cents } = fields
      if (price_cents !== undefined) {
        await updateDefaultPrice(tx, store.id, before.id, { price_cents, updated_at: now })
      }
      if (Object.keys(content).length > 0) await q.updateContent(tx, store.id, before.id, content)
      return readProduct(context, tx, before.id)
    }),
  )
}
