import type { App } from '../app.ts'
import type { StoreDirectory, StoreRow } from '../features/installation/index.ts'
import {
  openSigners,
  type PublicAppRow,
  type Signer,
  selectPublicApp,
} from '../features/licensing/index.ts'
import { SECOND_MS } from '../kernel/time.ts'

const TTL_MS = SECOND_MS

/** An app with its store and the keys that sign its answers. */
export interface FoundApp {
  app: PublicAppRow
  store: StoreRow
  signers: readonly Signer[]
}

/** Finds apps and their signing keys by public id, cached for a second. */
export interface AppDirectory {
  find(publicId: string): Promise<FoundApp | undefined>
}

export function openAppDirectory(
  { db, vault, clock, caches }: App,
  stores: StoreDirectory,
): AppDirectory {
  const cache = caches.open<string, FoundApp | undefined>(TTL_MS)

  async function load(publicId: string): Promise<FoundApp | undefined> {
    const app = await selectPublicApp(db, publicId)
    const store = app && (await stores.find(app.store_hash))
    if (!app || !store) return undefined
    const signers = await openSigners(db, vault, {
      storeId: store.id,
      appId: app.id,
      now_ms: clock.now(),
    })
    return { app, store, signers }
  }

  return { find: (publicId) => cache.get(publicId, () => load(publicId)) }
}
