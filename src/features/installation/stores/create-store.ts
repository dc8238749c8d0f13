import type { App } from '../../../app.ts'
import { changesOf } from '../../../audit/changes.rules.ts'
import { insertStoresEvent } from '../../../audit/queries.ts'
import { inTransaction, type Tx } from '../../../db/database.ts'
import { newHash, randomText } from '../../../kernel/ids.ts'
import { slugOf } from '../../../kernel/slug.ts'
import { iso } from '../../../kernel/time.ts'
import * as q from './queries.ts'

export interface NewStore {
  name: string
  /** The ISO 4217 code. It cannot be changed later (decision 6). */
  currency: string
  plan: string
  /** Generated from the name if omitted. */
  slug?: string
}

interface StoreSides {
  live: q.StoreRow
  test: q.StoreRow
}

/** Creates the live and the test side of a store. The first store also creates the account. */
export function createStore(
  app: App,
  { name, currency, plan, slug }: NewStore,
): Promise<StoreSides> {
  return inTransaction(app.db, async (tx) => {
    const created_at = iso(app.clock.now())
    const account_id = await q.selectOrInsertAccount(tx, created_at)
    const sharedFields = {
      account_id,
      name,
      currency,
      plan,
      created_at,
      slug: await findFreeSlug(tx, slug ?? name),
    }
    const live = await q.insertStore(tx, {
      ...sharedFields,
      hash: newHash(),
      livemode: true,
      payment_providers: [],
    })
    const test = await q.insertStore(tx, {
      ...sharedFields,
      hash: newHash(),
      livemode: false,
      payment_providers: ['test'],
    })
    const sides = { ids: [live.id, test.id] }
    const changes = changesOf(null, { name, currency, plan, slug: sharedFields.slug })
    const event = { action: 'store.create', object: 'store', object_id: live.hash, changes }
    await insertStoresEvent(tx, sides, { origin: app.origin, now: created_at }, event)
    return { live, test }
  })
}

async function findFreeSlug(tx: Tx, name: string): Promise<string> {
  const slug = slugOf(name) || 'store'
  let free = slug
  while (await q.slugExists(tx, free)) free = `${slug}-${randomText(6).toLowerCase()}`
  return free
}
