import { iso, SECOND_MS } from '../../../kernel/time.ts'
import { linkEnds, signLink } from '../../../storage/link.rules.ts'
import type { StoreContext } from '../../../store-context.ts'
import { productId } from '../products/index.ts'
import { type StoredFile, selectFiles } from './queries.ts'
import type { ProductFile } from './schema.ts'

/** All files of a product, in the order they were added, each with a link of 15 minutes. */
export async function listFiles(
  context: StoreContext,
  ref: string,
): Promise<{ files: ProductFile[] }> {
  const product = await productId(context, context.db, ref)
  const files = await selectFiles(context.db, context.store.id, product)
  return { files: files.map((file) => showFile(context, file)) }
}

export function showFile(context: StoreContext, { blob_id: _, ...file }: StoredFile): ProductFile {
  return { object: 'product_file', ...file, download_url: linkTo(context, file.id).url }
}

export interface FileLink {
  url: string
  url_expires_at: string
}

/** An address that downloads a file without a key, until 15 minutes by the store's clock are over. */
export function linkTo({ vault, store, publicUrl, now }: StoreContext, fileId: number): FileLink {
  const sign = (text: string) => vault.hmac('download', text)
  const now_ms = Date.parse(now)
  return {
    url: `${publicUrl}/files/${signLink(`${store.id}-${fileId}`, now_ms, sign)}`,
    url_expires_at: iso(linkEnds(now_ms) * SECOND_MS),
  }
}
