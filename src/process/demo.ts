import { type App, storeContextOf } from '../app.ts'
import { inTransaction } from '../db/database.ts'
import {
  addUser,
  asStore,
  linkFor,
  selectFirstOwner,
  selectStore,
  selectStores,
} from '../features/installation/index.ts'
import { addKeys, createProduct, type OpenedSide, openStore } from '../features/store/index.ts'
import { DEMO_SLUG, lockSeeding } from './queries.ts'

const KEYS = 5

/** Creates the demo store if there is no store yet, and returns its sides with their keys. */
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
    for (const side of [live, test]) await fillStock(within, side.id)
    return [live, test]
  })
}

/** Adds sample data: one product with a few stock keys. */
async function fillStock(app: App, hash: string): Promise<void> {
  const row = await selectStore(app.db, hash)
  if (!row) return
  const context = storeContextOf(app, asStore(row))
  const { product, variants } = await createProduct(context, {
    name: 'Photo editor, one licence',
    price_cents: 1999,
    details: { short_description: 'A demo product: each sale hands over one key.' },
  })
  const keys = Array.from(
    { length: KEYS },
    (_, n) => `DEMO-${product.id.toUpperCase()}-000${n + 1}`,
  )
  const variantId = variants[0]?.id ?? 0
  await addKeys(context, product.id, variantId, { keys, skip_duplicates: true, dry_run: false })
}

/** A one-time link for the owner of the demo store, who is created on the first start. */
export async function demoSignInUrl(app: App): Promise<string | undefined> {
  const demo = (await selectStores(app.db)).find(
    ({ slug, livemode }) => slug === DEMO_SLUG && livemode,
  )
  if (!demo) return undefined
  const owner = await selectFirstOwner(app.db, demo.id)
  if (owner) return linkFor(app, owner.user_id)
  const first = { email: 'owner@example.com', name: 'Demo owner', role: 'owner' } as const
  return (await addUser(app, demo, first)).sign_in_url
}
