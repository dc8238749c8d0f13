import { iso, SECOND_MS } from '../../../kernel/time.ts'
import { linkExpiry_s, signLink } from '../../../storage/link.rules.ts'
import type { StoreContext } from '../../../store-context.ts'
import { findProductId } from '../products/index.ts'
import * as q from './queries.ts'
import type { ProductFile } from './schema.ts'

/** Returns the files of a product, the oldest first, each with a link that is valid for 15 minutes. */
export async function listFiles(context: StoreContext, ref: string) {
  const productId = await findProductId(context, context.db, ref)
  const files = await q.selectFiles(context.db, context.store.id, productId)
  return { files: files.map((file) => showFile(context, file)) }
}

export function showFile(context: StoreContext, { blob_id, ...file }: q.StoredFile): ProductFile {
  return {
    object: 'product_file',
    ...file,
    download_url: signedFileLink(context, { fileId: file.id }).url,
  }
}

/**
 * Returns a URL that downloads a file without an API key for 15 minutes by the store's clock. The link of an order ends
 * with its id.
 */
export function signedFileLink(
  { vault, store, publicUrl, now }: StoreContext,
  { fileId, orderId }: { fileId: number; orderId?: string },
) {
  const sign = (text: string) => vault.hmac('download', text)
  const now_ms = Date.parse(now)
  const target = [store.id, fileId, ...(orderId === undefined ? [] : [orderId])].join('-')
  return {
    url: `${publicUrl}/files/${signLink(target, now_ms, sign)}`,
    url_expires_at: iso(linkExpiry_s(now_ms) * SECOND_MS),
  }
}
