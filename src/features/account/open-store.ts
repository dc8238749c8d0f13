import type { App } from '../../app.ts'
import { createKey } from '../api-keys/index.ts'
import { type BookedStore, createStore, type NewStore } from '../stores/index.ts'

/** One side of a store as the ready file shows it. */
export interface OpenedSide {
  id: string
  slug: string
  livemode: boolean
  /** Shown once: on the start, or by the command, that made it. */
  api_key?: string
}

export interface OpenedStore {
  live: OpenedSide
  test: OpenedSide
}

/** Opens a store, with a key to each side that may do everything. */
export async function openStore(app: App, fields: NewStore): Promise<OpenedStore> {
  const { live, test } = await createStore(app, fields)
  return { live: await withKey(app, live), test: await withKey(app, test) }
}

async function withKey(app: App, store: BookedStore): Promise<OpenedSide> {
  const { id, account_id, livemode } = store
  const { key } = await createKey(app, { account_id, livemode, store_ids: [id], name: 'First key' })
  return { ...sideOf(store), api_key: key }
}

export const sideOf = ({ hash, slug, livemode }: BookedStore): OpenedSide => ({
  id: hash,
  slug,
  livemode,
})
