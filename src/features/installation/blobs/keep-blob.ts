import { newBlobId } from '../../../storage/blob-id.ts'
import type { Received } from '../../../storage/storage.ts'
import type { StoreContext } from '../../../store-context.ts'
import { insertBlob } from './queries.ts'

/**
 * Puts received bytes into storage, for a record that is about to be made (decision 90). Runs
 * outside of any transaction, because a bucket is a network call. If no record uses the blob, it is
 * deleted after a day.
 */
export async function keepBlob(
  { db, store, storage }: StoreContext,
  received: Received,
): Promise<string> {
  const id = newBlobId()
  await insertBlob(db, store.id, id)
  await storage.put(id, received)
  return id
}
