import { newBlobId } from '../../../storage/blob-id.ts'
import type { Received } from '../../../storage/storage.ts'
import type { StoreContext } from '../../../store-context.ts'
import { insertBlob } from './queries.ts'

/**
 * Puts what was received into storage, for a record that is about to be made (decision 90). Outside
 * of any transaction: a bucket is a network away. If no record comes to use it, it goes after a day.
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
