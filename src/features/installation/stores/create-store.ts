import type { App } from '../../../app.ts'
import { changesOf } from '../../../audit/changes.rules.ts'
import { insertStoresEvent } from '../../../audit/queries.ts'
import { inTransaction, type Tx } from '../../../db/database.ts'
import { newHash, randomText } from '../../../kernel/ids.ts'
import { slugOf } from '../../../kernel/slug.ts'
import { iso } from '../../../kernel/time.ts'
import * as q from './queries.ts'
import { asStore, type CachedStore } from './store-book.ts'

export interface NewStore {
  name: string
  /** ISO 4217; fixed for the store's life (decision 6). */
  currency: string
  plan: string
  /** Absent: generated from the name. */
  slug?: string
}

export interface StoreSides {
  live: CachedStore
  test: CachedStore
}

/** Opens a store: its live side and its test side. The account is made with its first store. */
export function createStore(
  app: App,
  { name, currency, plan, slug }: NewStore,
): Promise<StoreSides> {
  return inTransaction(app.db, async (tx) => {
    const created_at = iso(app.clock.now())
    const account_id = await q.selectOrInsertAccount(tx, created_at)
    const shared = {
      account_id,
      name,
      currency,
      plan,
      created_at,
      slug: await freeSlug(tx, slug ?? name),
    }
    const live = await q.insertStore(tx, { ...shared, hash: newHash(), livemode: true })
    const test = await q.insertStore(tx, { ...shared, hash: newHash(), livemode: false })
    const both = { ids: [live.id, test.id] }
    const changes = changesOf(null, { name, currency, plan, slug: shared.slug })
    const act = { action: 'store.create', object: 'store', object_id: live.hash, changes }
    await insertStoresEvent(tx, both, { origin: app.origin, now: created_at }, act)
    return { live: asStore(live), test: asStore(test) }
  })
}

async function freeSlug(tx: Tx, name: string): Promise<string> {
  const slug = slugOf(name) || 'store'
  return (await q.slugExists(tx, slug)) ? `${slug}-${randomText(4).toLowerCase()}` : slug
}
