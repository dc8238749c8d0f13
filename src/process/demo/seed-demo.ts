import { type App, storeContextOf } from '../../app.ts'
import { inTransaction, type Tx } from '../../db/database.ts'
import {
  addUser,
  asStore,
  linkFor,
  selectFirstOwner,
  selectStore,
  selectStores,
} from '../../features/installation/index.ts'
import { addKeys, createProduct, type OpenedSide, openStore } from '../../features/store/index.ts'
import { DEMO_SLUG, lockSeeding } from '../queries.ts'
import { insertLivelyStore, selectLivelyStore } from './queries.ts'

const KEYS = 5
const LIVELY_SLUG = 'demo-shop'

/** The trade of every demo shop is the same, relative to the moment at which it is made. */
const SEED = 20_240

/**
 * Creates the demo store if there is no store yet, and returns its sides with their keys. With `lively`
 * also the demo shop, whose records are made later; never in an installation that has stores of its own.
 */
export function seedDemo(app: App, { lively }: { lively: boolean }): Promise<OpenedSide[]> {
  return inTransaction(app.db, async (tx) => {
    await lockSeeding(tx)
    const stores = await selectStores(tx)
    const within = { ...app, db: tx }
    const isMissing = lively && stores.every(({ slug }) => slug === DEMO_SLUG)
    return [
      ...(stores.length === 0 ? await openDemo(within) : []),
      ...(isMissing ? await openTrade(within, tx) : []),
    ]
  })
}

async function openDemo(within: App): Promise<OpenedSide[]> {
  const { live, test } = await openStore(within, {
    name: 'Demo',
    slug: DEMO_SLUG,
    currency: 'USD',
    plan: 'self_hosted',
  })
  for (const side of [live, test]) await fillStock(within, side.id)
  return [live, test]
}

async function openTrade(within: App, tx: Tx): Promise<OpenedSide[]> {
  const { live, test } = await openStore(within, {
    name: 'Demo shop',
    slug: LIVELY_SLUG,
    currency: 'USD',
    plan: 'self_hosted',
  })
  const row = await selectStore(tx, test.id)
  if (row) await insertLivelyStore(tx, { store_id: row.id, seed: SEED })
  return [live, test]
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

/**
 * A one-time link for the owner of the demo store, who is created on the first start. The demo shop has
 * the same owner; its test side, which has records to look at, is opened first.
 */
export async function demoSignInUrl(app: App): Promise<string | undefined> {
  const stores = await selectStores(app.db)
  const demo = stores.find(({ slug, livemode }) => slug === DEMO_SLUG && livemode)
  if (!demo) return undefined
  const first = { email: 'owner@example.com', name: 'Demo owner', role: 'owner' } as const
  const trade = await selectLivelyStore(app.db)
  const row = stores.find(({ id }) => id === trade?.store_id)
  if (row && !(await selectFirstOwner(app.db, row.id))) await addUser(app, row, first)
  const owner = await selectFirstOwner(app.db, demo.id)
  const url = owner
    ? await linkFor(app, owner.user_id)
    : (await addUser(app, demo, first)).sign_in_url
  return row ? `${url}&store=${row.hash}` : url
}
