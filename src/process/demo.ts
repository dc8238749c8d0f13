import { type App, shopOf } from '../app.ts'
import { inTransaction } from '../db/database.ts'
import { type OpenedSide, openStore } from '../features/account/index.ts'
import { createProduct } from '../features/products/index.ts'
import { addKeys } from '../features/stock/index.ts'
import { asStore, selectStore, selectStores } from '../features/stores/index.ts'
import { DEMO_SLUG, lockSeeding } from './queries.ts'

const KEYS = 5

/** Opens the demo store, where there is no store yet, and gives its sides with their keys. */
export function seedDemo(app: App): Promise<OpenedSide[]> {
  return inTransaction(app.db, async (tx) => {
    await lockSeeding(tx)
    if ((await selectStores(tx)).length > 0) return []
    const within = { ...app, db: tx }
    const { live, test } = await openStore(within, {
      name: 'Demo',
      slug: DEMO_SLUG,
      currency: 'USD',
      plan: 'self_hosted',
    })
    for (const side of [live, test]) await stockShelf(within, side.id)
    return [live, test]
  })
}

/** Something to look at: one product with a few keys. */
async function stockShelf(app: App, hash: string): Promise<void> {
  const row = await selectStore(app.db, hash)
  if (!row) return
  const shop = shopOf(app, asStore(row))
  const { product, variants } = await createProduct(shop, {
    name: 'Photo editor, one licence',
    price_cents: 1999,
    details: { short_description: 'A demo product: each sale hands over one key.' },
  })
  const keys = Array.from(
    { length: KEYS },
    (_, n) => `DEMO-${product.id.toUpperCase()}-000${n + 1}`,
  )
  const variantId = variants[0]?.id ?? 0
  await addKeys(shop, product.id, variantId, { keys, skip_duplicates: true, dry_run: false })
}
