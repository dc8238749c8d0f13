import { iso, SECOND_MS } from '../../kernel/time.ts'
import type { Shop } from '../../shop.ts'
import { linkEnds, signLink } from '../../storage/link.rules.ts'
import { productId } from '../products/index.ts'
import { type StoredFile, selectFiles } from './queries.ts'
import type { ProductFile } from './schema.ts'

/** All files of a product, in the order they were added, each with a link of 15 minutes. */
export async function listFiles(shop: Shop, ref: string): Promise<{ files: ProductFile[] }> {
  const product = await productId(shop, shop.db, ref)
  const files = await selectFiles(shop.db, shop.store.id, product)
  return { files: files.map((file) => showFile(shop, file)) }
}

export function showFile(shop: Shop, { blob_id: _, ...file }: StoredFile): ProductFile {
  return { object: 'product_file', ...file, download_url: linkTo(shop, file.id).url }
}

export interface FileLink {
  url: string
  url_expires_at: string
}

/** An address that downloads a file without a key, until 15 minutes by the store's clock are over. */
export function linkTo({ vault, store, publicUrl, now }: Shop, fileId: number): FileLink {
  const sign = (text: string) => vault.hmac('download', text)
  const now_ms = Date.parse(now)
  return {
    url: `${publicUrl}/files/${signLink(`${store.id}-${fileId}`, now_ms, sign)}`,
    url_expires_at: iso(linkEnds(now_ms) * SECOND_MS),
  }
}
