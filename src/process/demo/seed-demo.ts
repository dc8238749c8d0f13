import { type App, storeContextOf } from '../../app.ts'
import { inTransaction, type Tx } from '../../db/database.ts'
import {
  addUser,
  createSignInLink,
  selectFirstOwner,
  selectStore,
  selectStores,
} from '../../features/installation/index.ts'
import {
  addKeys,
  createProduct,
  createStoreWithKeys,
  type StoreSide,
} from '../../features/store/index.ts'
import { DEMO_SLUG, lockSeeding } from '../queries.ts'
import * as q from './queries.ts'

const KEY_COUNT = 5
const LIVELY_SLUG = 'demo-shop'

/** The random seed. Every demo shop has equal records, relative to the time of its creation. */
const SEED = 20_240

/**
 * Creates the demo store if there is no store yet, and returns its sides with their keys. With `lively`
 * it also creates the demo shop, whose records are created later, unless there are other stores.
 */
export function seedDemo(app: App, { lively }: { lively: boolean }): Promise<StoreSide[]> {
  return inTransaction(app.db, async (tx) => {
    await lockSeeding(tx)
    const stores = await selectStores(tx)
    const appInTx = { ...app, db: tx }
    const needsLivelyDemo = lively && stores.every(({ slug }) => slug === DEMO_SLUG)
    return [
      ...(stores.length === 0 ? await createDemoStore(appInTx) : []),
      ...(needsLivelyDemo ? await createLivelyDemo(appInTx, tx) : []),
    ]
  })
}

/**
 * Creates the demo shop in addition to other stores, and gives the owner of the first store a role in it. Does
 * nothing if the demo shop already exists.
 */
export async function addLivelyDemo(app: App): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    await lockSeeding(tx)
    if (await q.selectLivelyStore(tx)) return
    const appInTx = { ...app, db: tx }
    const owner = await selectFirstOwner(tx, undefined)
    await createLivelyDemo(appInTx, tx)
    const livelyStore = (await selectStores(tx)).find(({ slug }) => slug === LIVELY_SLUG)
    // An existing user keeps their name.
    if (owner && livelyStore)
      await addUser(appInTx, livelyStore, { ...owner, name: '', role: 'owner' })
  })
}

async function createDemoStore(app: App): Promise<StoreSide[]> {
  const { live, test } = await createStoreWithKeys(app, {
    name: 'Demo',
    slug: DEMO_SLUG,
    currency: 'USD',
    plan: 'self_hosted',
  })
  for (const side of [live, test]) await fillStock(app, side.id)
  return [live, test]
}

async function createLivelyDemo(app: App, tx: Tx): Promise<StoreSide[]> {
  const { live, test } = await createStoreWithKeys(app, {
    name: 'Demo shop',
    slug: LIVELY_SLUG,
    currency: 'USD',
    plan: 'self_hosted',
  })
  const store = await selectStore(tx, test.id)
  if (store) await q.insertLivelyStore(tx, { store_id: store.id, seed: SEED })
  return [live, test]
}

/** Adds sample data: one product with a few stock keys. */
async function fillStock(app: App, hash: string): Promise<void> {
  const store = await selectStore(app.db, hash)
  if (!store) return
  const context = storeContextOf(app, store)
  const { product, variants } = await createProduct(context, {
    name: 'Photo editor, one licence',
    price_cents: 1999,
    details: { short_description: 'A demo product: each sale delivers one key.' },
  })
  const keys = Array.from(
    { length: KEY_COUNT },
    (_, index) => `DEMO-${product.id.toUpperCase()}-000${index + 1}`,
  )
  const variantId = variants[0]?.id ?? 0
  await addKeys(context, product.id, variantId, { keys, skip_duplicates: true, dry_run: false })
}

/**
 * Returns a one-time link for the owner of the demo store, who is created at the first start. If there is
 * a demo shop, the owner also has a role in it, and the link opens its test side, which has records.
 */
export async function demoSignInUrl(app: App): Promise<string | undefined> {
  const stores = await selectStores(app.db)
  const demo = stores.find(({ slug, livemode }) => slug === DEMO_SLUG && livemode)
  if (!demo) return undefined
  const newOwner = { email: 'owner@example.com', name: 'Demo owner', role: 'owner' } as const
  const livelyStore = await q.selectLivelyStore(app.db)
  const store = stores.find(({ id }) => id === livelyStore?.store_id)
  if (store && !(await selectFirstOwner(app.db, store.id))) await addUser(app, store, newOwner)
  const owner = await selectFirstOwner(app.db, demo.id)
  const url = owner
    ? await createSignInLink(app, owner.user_id)
    : (await addUser(app, demo, newOwner)).sign_in_url
  return store ? `${url}&store=${store.hash}` : url
}
