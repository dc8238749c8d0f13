import { newBlobId } from '../../../storage/blob-id.ts'
import type { ReceivedFile } from '../../../storage/storage.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries.ts'

/**
 * Puts received bytes into storage, for a record that is about to be created (decision 90). Must run
 * outside of any transaction, because a bucket is reached over the network. If no record uses the
 * blob, it is deleted after a day.
 */
export async function storeBlob(
  { db, store, storage }: StoreContext,
  receivedFile: ReceivedFile,
): Promise<string> {
  const id = newBlobId()
  await q.insertBlob(db, store.id, id)
  await storage.put(id, receivedFile)
  return id
}
