import { type App, storeContextOf } from '../../../app.ts'
import { inTransaction } from '../../../db/database.ts'
import {
  type CachedStore,
  createKey,
  createStore,
  type NewStore,
} from '../../installation/index.ts'
import { defaultApp } from '../../licensing/index.ts'

/** One side of a store as the ready file shows it. */
export interface OpenedSide {
  id: string
  slug: string
  livemode: boolean
  /** Shown only once, by the start or the command that created it. */
  api_key?: string
  /** The same for the Client Security API. */
  security_key?: string
  /** The public id of the store's default app, with which its client programs are built. */
  app_public_id?: string
}

export interface OpenedStore {
  live: OpenedSide
  test: OpenedSide
}

/** Creates a store with its default app, and with keys to each side that have all permissions. */
export async function openStore(app: App, fields: NewStore): Promise<OpenedStore> {
  const { live, test } = await createStore(app, fields)
  return { live: await withKey(app, live), test: await withKey(app, test) }
}

async function withKey(app: App, store: CachedStore): Promise<OpenedSide> {
  const { id, account_id, livemode } = store
  const fields = { account_id, livemode, store_ids: [id], name: 'First key' }
  const { key } = await createKey(app, fields)
  const security = await createKey(app, { ...fields, kind: 'security' })
  const { public_id } = await inTransaction(app.db, (tx) =>
    defaultApp(tx, storeContextOf(app, store, tx)),
  )
  return { ...sideOf(store, public_id), api_key: key, security_key: security.key }
}

export const sideOf = (
  { hash, slug, livemode }: CachedStore,
  app_public_id: string | undefined,
): OpenedSide => ({ id: hash, slug, livemode, ...(app_public_id && { app_public_id }) })
