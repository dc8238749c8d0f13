import type { App } from '../../../app.ts'
import { SECOND_MS } from '../../../kernel/time.ts'
import * as q from './queries.ts'

const TTL_MS = 5 * SECOND_MS
/** A process that moves the clock of a test side waits until this time has passed (decision 41). */
const TEST_TTL_MS = SECOND_MS

export interface StoreDirectory {
  find(hash: string): Promise<q.StoreRow | undefined>
  /** Returns the only store for which a key is valid, or undefined if there are several or none. */
  findOnly(key: q.KeyScope): Promise<q.StoreRow | undefined>
}

/** Finds stores by their public id. Stores are cached for a few seconds. */
export function openStoreDirectory({ db, caches }: Pick<App, 'db' | 'caches'>): StoreDirectory {
  const ttlOf = (store: q.StoreRow | undefined) => (store && !store.livemode ? TEST_TTL_MS : TTL_MS)
  const byHash = caches.open<string, q.StoreRow | undefined>(ttlOf)
  const byKey = caches.open<number, q.StoreRow | undefined>(ttlOf)
  return {
    find: (hash) => byHash.get(hash, () => q.selectStore(db, hash)),
    findOnly: (key) =>
      byKey.get(key.id, async () => {
        const stores = await q.selectStoresOfKey(db, key)
        return stores.length === 1 ? stores[0] : undefined
      }),
  }
}
