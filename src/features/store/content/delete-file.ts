import { inTransaction } from '../../../db/database.ts'
import { found } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { dropBlobs } from '../../installation/index.ts'
import { lockedProduct } from '../products/index.ts'
import * as q from './queries.ts'

/** Removes a file from a product, and its bytes from storage soon after. */
export async function deleteFile(
  context: StoreContext,
  ref: string,
  id: number,
): Promise<{ deleted: true; id: number }> {
  const { store } = context
  return inTransaction(context.db, async (tx) => {
    const product = await lockedProduct(context, tx, ref)
    const { blob_id } = found(await q.deleteFile(tx, store.id, product, id), 'File')
    await dropBlobs(tx, store.id, [blob_id])
    return { deleted: true, id }
  })
}
