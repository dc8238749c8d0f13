import { type App, storeContextOf } from '../../../app.ts'
import { inTransaction } from '../../../db/database.ts'
import { createKey, createStore, type NewStore, type StoreRow } from '../../installation/index.ts'
import { findOrCreateDefaultApp } from '../../licensing/index.ts'

/** One side of a store as the ready file shows it. */
export interface StoreSide {
  id: string
  slug: string
  livemode: boolean
  /** The API key for the Store API. Shown only once, by `start` or by the command that created it. */
  api_key?: string
  /** The API key for the Client Security API, also shown only once. */
  security_key?: string
  /** The public id of the store's default app, with which its client programs are built. */
  app_public_id?: string
}

interface BothSides {
  live: StoreSide
  test: StoreSide
}

/** Creates a store. Each side gets a default app and API keys with all permissions. */
export async function createStoreWithKeys(app: App, fields: NewStore): Promise<BothSides> {
  const { live, test } = await createStore(app, fields)
  return { live: await createKeysOfSide(app, live), test: await createKeysOfSide(app, test) }
}

async function createKeysOfSide(app: App, store: StoreRow): Promise<StoreSide> {
  const { id, account_id, livemode } = store
  const fields = { account_id, livemode, store_ids: [id], name: 'First key' }
  const store_key = await createKey(app, fields)
  const security_key = await createKey(app, { ...fields, kind: 'security' })
  const { public_id } = await inTransaction(app.db, (tx) =>
    findOrCreateDefaultApp(tx, storeContextOf(app, store, tx)),
  )
  return {
    ...toStoreSide(store, public_id),
    api_key: store_key.key,
    security_key: security_key.key,
  }
}

export const toStoreSide = (
  { hash, slug, livemode }: StoreRow,
  app_public_id: string | undefined,
): StoreSide => ({ id: hash, slug, livemode, ...(app_public_id && { app_public_id }) })
