import { inTransaction } from '../../../db/database.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries.ts'
import { credentialsSealContext } from './sealed.ts'

/** The credentials of a connected provider. */
export interface OpenedCredentials {
  credentials: Record<string, string>
  /** True if the provider refused them last. */
  isFailing: boolean
}

/** Returns the credentials of a provider; undefined if it is not connected. */
export async function openCredentials(
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

/** Records whether a provider accepts the credentials of its store (decision 150). */
export const recordHealth = (
  { db, store, now }: StoreContext,
  provider: string,
  last_error: string | null,
): Promise<unknown> =>
  inTransaction(db, (tx) => q.updateHealth(tx, store.id, provider, { last_error, now }))
