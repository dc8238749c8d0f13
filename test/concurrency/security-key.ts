import { createKey } from '../../src/features/installation/api-keys/index.ts'
import { selectStoreById } from '../../src/features/installation/stores/index.ts'
import type { ServedStore } from './open-served-database.ts'

/** Creates a key for the Client Security API of a store, without a rate limit. */
export async function createSecurityKey({ app, storeId }: ServedStore): Promise<string> {
  const store = await selectStoreById(app.db, storeId)
  if (!store) throw new Error('No such store.')
  const { account_id, livemode } = store
  const { key } = await createKey(app, {
    account_id,
    livemode,
    kind: 'security',
    store_ids: [storeId],
    rate_limit: 0,
  })
  return key
}
