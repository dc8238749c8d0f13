import { type Db, inTransaction } from '../../../db/database.ts'
import { checkVersion, requireRecord, unavailable } from '../../../kernel/errors.ts'
import { iso, SECOND_MS } from '../../../kernel/time.ts'
import type { Storage } from '../../../storage/storage.ts'
import { machineNow, type StoreContext } from '../../../store-context.ts'
import { type KeyActor, recordChanges, releaseBlobs } from '../../installation/index.ts'
import type { RecordAndVersion } from '../app-records/index.ts'
import { toServersideFile } from './file-records.ts'
import * as q from './queries.ts'

const RETRY_MS = 60 * SECOND_MS

/**
 * Deletes a file with its bytes and former contents (specification, "Client Security API"). The file is hidden
 * immediately. If the storage cannot delete the bytes, the call fails with 503, and a job repeats the
 * deletion.
 */
export async function deleteFile(
  context: StoreContext,
  actor: KeyActor,
  { id, version }: RecordAndVersion,
): Promise<void> {
  const { db, store, storage } = context
  await inTransaction(db, async (tx) => {
    const row = requireRecord(await q.lockAnyFile(tx, store.id, id), 'File')
    if (row.upload_state === 'deleting') return
    checkVersion(row.version, version)
    // The job compares with the machine's clock.
    const delete_due_at = iso(machineNow(context) + RETRY_MS)
    await q.updateFile(tx, store.id, id, { upload_state: 'deleting', delete_due_at })
    const change = { action: 'serverside_file.delete', record_type: row.object, record_id: id }
    await recordChanges(tx, context, actor, [{ ...change, before: toServersideFile(row) }])
  })
  await removeFile(db, storage, { store_id: store.id, id }).catch((cause) => {
    throw unavailable('The file could not be deleted from storage yet. Repeat the call.', 1, cause)
  })
}

/**
 * Deletes the bytes before the row, so after a crash in between the row remains and the deletion is
 * retried. If several calls run at once, only the call that deletes the row releases the blob.
 */
export async function removeFile(
  db: Db,
  storage: Storage,
  { store_id, id }: { store_id: number; id: number },
): Promise<void> {
  const blobIds = await q.selectBlobIds(db, store_id, id)
  await Promise.all(blobIds.map((blobId) => storage.remove(blobId)))
  await inTransaction(db, async (tx) => {
    await releaseBlobs(tx, store_id, await q.deleteFile(tx, store_id, id))
  })
}
