import type { Tx } from '../../../db/database.ts'
import type { StoreContext } from '../../../store-context.ts'
import { addBlobUse, type KeyActor } from '../../installation/index.ts'
import * as q from './queries.ts'

interface NextContent {
  id: number
  version: number
  updated_at: string
  content: q.ContentColumns
}

/**
 * Replaces the content of a locked file, and stores the former content. The use of the new blob
 * is counted before old versions are deleted, because a roll-back may restore the blob of the oldest version.
 */
export async function changeContent(
  tx: Tx,
  { store, now, audit }: StoreContext,
  { key_id: actor_key_id }: KeyActor,
  { id, content, ...next }: NextContent,
): Promise<void> {
  await addBlobUse(tx, store.id, content.blob_id)
  await q.insertVersion(tx, store.id, id, {
    replaced_at: now,
    actor_key_id,
    actor_name: audit.origin.actor.name,
  })
  await q.updateFile(tx, store.id, id, { ...content, ...next })
  await q.deleteOldVersions(tx, store.id, id)
}
