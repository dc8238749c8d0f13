import type { Tx } from '../../db/database.ts'
import { deleteRecords } from '../../db/delete-records.ts'
import { freeBlobs, restartOrderNumbers } from '../../features/installation/index.ts'

/** The tables whose rows remain: access to the store, and the app with which programs were built. */
const KEPT = [
  'api_key_use',
  'blob',
  'client_app',
  'client_signing_key',
  'demo_shop',
  'order_counter',
  'saved_view',
  'store_role',
  'user_invitation',
]

/** Removes the records of a store, and restarts its numbers. The store, its keys and its team stay. */
export async function emptyStore(tx: Tx, storeId: number): Promise<void> {
  await freeBlobs(tx, storeId)
  await deleteRecords(tx, storeId, KEPT)
  await restartOrderNumbers(tx, storeId)
}
