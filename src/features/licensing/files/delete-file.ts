import { type Db, inTransaction } from '../../../db/database.ts'
import { checkVersion, found, unavailable } from '../../../kernel/errors.ts'
import { iso, SECOND_MS } from '../../../kernel/time.ts'
import type { Storage } from '../../../storage/storage.ts'
import { machineNow, type StoreContext } from '../../../store-context.ts'
import { type Actor, dropBlobs, recordChanges } from '../../installation/index.ts'
import * as q from './queries.ts'
import { shown } from './upload-file.ts'

const RETRY_MS = 60 * SECOND_MS

/**
 * Deletes a file (specification, "Client Security API"). It is hidden immediately; 200 means that its
 * bytes are deleted too. If storage fails, the answer is 503, and a job repeats the deletion.
 */
export async function deleteFile(
  context: StoreContext,
  actor: Actor,
  { id, version }: { id: number; version: number | undefined },
): Promise<void> {
  const { db, store, storage } = context
  const { blob_id } = await inTransaction(db, async (tx) => {
    const row = found(await q.lockFile(tx, store.id, id), 'File')
    if (row.upload_state === 'deleting') return row
    checkVersion(row.version, version)
    // By the machine's clock, which the job uses too.
    const delete_due_at = iso(machineNow(context) + RETRY_MS)
    await q.updateFile(tx, store.id, id, { upload_state: 'deleting', delete_due_at })
    const change = { action: 'serverside_file.delete', record_type: row.object, record_id: id }
    await recordChanges(tx, context, actor, [{ ...change, before: shown(row) }])
    return row
  })
  await removeFile(db, storage, { store_id: store.id, id, blob_id }).catch((cause) => {
    throw unavailable('The file could not be deleted from storage yet. Repeat the call.', 1, cause)
  })
}

/**
 * Deletes the bytes before the row, so a crash in between leaves a row to retry. Of concurrent calls, only
 * the one that deletes the row releases the blob.
 */
export async function removeFile(
  db: Db,
  storage: Storage,
  { store_id, id, blob_id }: { store_id: number; id: number; blob_id: string },
): Promise<void> {
  await storage.remove(blob_id)
  await inTransaction(db, async (tx) => {
    if (await q.deleteFile(tx, store_id, id)) await dropBlobs(tx, store_id, [blob_id])
  })
}
