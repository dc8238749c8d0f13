import type { App } from '../../../app.ts'
import { SECOND_MS } from '../../../kernel/time.ts'
import { FEATURES, type Store } from '../../../store-context.ts'
import { type OpeningKey, type StoreRow, selectStore, selectStoresOfKey } from './queries.ts'

const TTL_MS = 5 * SECOND_MS
/** A test side's clock may be moved by another process: that one waits this second (decision 41). */
const TEST_TTL_MS = SECOND_MS

/** A store, and how far its quota was used when the row was read. */
export type CachedStore = Store & Pick<StoreRow, 'quota_month' | 'quota_used'>

export interface StoreDirectory {
  find(hash: string): Promise<CachedStore | undefined>
  /** The only store that a key opens; undefined if it opens several, or none. */
  findOnly(key: OpeningKey): Promise<CachedStore | undefined>
}

/** Finds stores by their public id; remembers them for a few seconds. */
export function openStoreDirectory({ db, caches }: Pick<App, 'db' | 'caches'>): StoreDirectory {
  const cache = caches.open<string, CachedStore | undefined>((store) =>
    store && !store.livemode ? TEST_TTL_MS : TTL_MS,
  )
  const only = caches.open<number, CachedStore | undefined>((store) =>
    store && !store.livemode ? TEST_TTL_MS : TTL_MS,
  )
  return {
    find: (hash) =>
      cache.get(hash, async () => {
        const row = await selectStore(db, hash)
        return row && asStore(row)
      }),
    findOnly: (key) =>
      only.get(key.id, async () => {
        const rows = await selectStoresOfKey(db, key)
        const [first] = rows
        return first && rows.length === 1 ? asStore(first) : undefined
      }),
  }
}

/** A row as use cases see it: switches with their defaults. */
export const asStore = ({ features, ...row }: StoreRow): CachedStore => ({
  ...row,
  features: { ...FEATURES, ...features },
})
