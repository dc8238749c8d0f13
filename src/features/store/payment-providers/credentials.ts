import { inTransaction } from '../../../db/database.ts'
import type { Cache, Caches } from '../../../kernel/caches.ts'
import { SECOND_MS } from '../../../kernel/time.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries.ts'
import { credentialsSealContext } from './sealed.ts'

/** The credentials of a connected provider. */
export interface OpenedCredentials {
  credentials: Record<string, string>
  /** True if the provider refused them last. */
  isFailing: boolean
}

/** Other processes notice new credentials after this time. */
const TTL_MS = 5 * SECOND_MS
/** The opened credentials of each process, so that most callbacks, also forged ones, need no statement to be verified. */
const cachesOfProcesses = new WeakMap<Caches, Cache<string, OpenedCredentials | undefined>>()

/** Returns the credentials of a provider; undefined if it is not connected. They are cached for a few seconds. */
export function openCredentials(
  context: StoreContext,
  provider: string,
): Promise<OpenedCredentials | undefined> {
  const { caches, store } = context
  const cache = cachesOfProcesses.get(caches) ?? caches.open(TTL_MS)
  cachesOfProcesses.set(caches, cache)
  return cache.get(`${store.id} ${provider}`, () => readCredentials(context, provider))
}

async function readCredentials(
  { db, store, vault }: StoreContext,
  provider: string,
): Promise<OpenedCredentials | undefined> {
  const row = await q.selectCredentials(db, store.id, provider)
  if (!row) return undefined
  const text = vault.open(credentialsSealContext(store.id, provider), row.credentials_enc)
  return { credentials: JSON.parse(text.toString()), isFailing: row.status === 'failing' }
}

/** Seals credentials for the row of their provider. */
export const sealCredentials = (
  { store, vault }: StoreContext,
  provider: string,
  credentials: Record<string, string>,
): Buffer => vault.seal(credentialsSealContext(store.id, provider), JSON.stringify(credentials))

/** Records whether a provider accepts the credentials of its store (decision 460). */
export const recordHealth = (
  { db, store, now, clearCachesAfterCommit }: StoreContext,
  provider: string,
  last_error: string | null,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    await q.updateHealth(tx, store.id, provider, { last_error, now })
    clearCachesAfterCommit(tx)
  })
