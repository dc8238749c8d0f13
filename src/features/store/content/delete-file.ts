import { inTransaction } from '../../../db/database.ts'
import { requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { releaseBlobs } from '../../installation/index.ts'
import { lockProductByRef } from '../products/index.ts'
import * as q from './queries.ts'

/** Deletes a file of a product. A job removes its bytes from storage. */
export async function deleteFile(context: StoreContext, ref: string, id: number) {
  const { store } = context
  return inTransaction(context.db, async (tx) => {
    const productId = await lockProductByRef(context, tx, ref)
    const { blob_id } = requireRecord(await q.deleteFile(tx, store.id, productId, id), 'File')
    await releaseBlobs(tx, store.id, [blob_id])
    return { deleted: true as const, id }
  })
}
