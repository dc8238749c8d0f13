import type { Tx } from '../../db/database.ts'
import { deleteRecords } from '../../db/delete-records.ts'
import { releaseAllBlobs, restartOrderNumbers } from '../../features/installation/index.ts'

/** The tables whose rows are kept: access to and of the store, and the client app that programs were built for. */
const KEPT_TABLES = [
  'api_key_use',
  'blob',
  'client_app',
  'client_signing_key',
  'demo_shop',
  'order_counter',
  'payment_provider',
  'saved_view',
  'store_role',
  'user_invitation',
]

/** Removes the records of a store, and restarts its order numbers. The store, its API keys and its team are kept. */
export async function emptyStore(tx: Tx, storeId: number): Promise<void> {
  await releaseAllBlobs(tx, storeId)
  await deleteRecords(tx, storeId, KEPT_TABLES)
  await restartOrderNumbers(tx, storeId)
}
