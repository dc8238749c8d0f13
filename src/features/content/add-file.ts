import { Readable } from 'node:stream'
import { inTransaction } from '../../db/database.ts'
import { invalid } from '../../kernel/errors.ts'
import { fileNameOf, mediaTypeOf } from '../../kernel/file-name.ts'
import type { Shop } from '../../shop.ts'
import type { Received, Uploaded } from '../../storage/storage.ts'
import { keepBlob, useBlob } from '../blobs/index.ts'
import { getVariants, lockedProduct, productId } from '../products/index.ts'
import * as q from './queries.ts'
import { type AddedFile, FILE_MAX, FILES_MAX, type ProductFile } from './schema.ts'
import { showFile } from './show-files.ts'

/** A file that lies in storage, and is in no list yet. */
export interface BroughtFile {
  blob_id: string
  name: string
  mime_type: string
  size_bytes: number
  sha256: string
}

/** Keeps an upload, or the bytes of a JSON body, in storage. */
export async function bringFile(
  shop: Shop,
  ref: string,
  sent: AddedFile,
  upload: Uploaded | undefined,
): Promise<BroughtFile> {
  await productId(shop, shop.db, ref)
  const received = upload ?? (await receiveText(shop, sent.content_base64 ?? ''))
  try {
    if (received.size_bytes === 0) throw invalid('file', 'This file is empty.')
    const { size_bytes, sha256 } = received
    return {
      blob_id: await keepBlob(shop, received),
      name: fileNameOf(sent.name ?? upload?.name ?? ''),
      mime_type: mediaTypeOf(sent.mime_type ?? upload?.mime_type),
      size_bytes,
      sha256,
    }
  } finally {
    await shop.storage.discard(received)
  }
}

const receiveText = ({ storage }: Shop, base64: string): Promise<Received> =>
  storage.receive(Readable.from([Buffer.from(base64, 'base64')]), FILE_MAX)

/** Adds a kept file to a product, or to one variant of it. */
export async function addFile(
  shop: Shop,
  ref: string,
  { variant_id = null }: { variant_id?: number | null | undefined },
  brought: BroughtFile,
): Promise<{ file: ProductFile }> {
  const { store, now } = shop
  return inTransaction(shop.db, async (tx) => {
    const product_id = await lockedProduct(shop, tx, ref)
    const variants = await getVariants(shop, tx, product_id)
    if (variant_id !== null && !variants.some(({ id }) => id === variant_id)) {
      throw invalid('variant_id', 'This product has no variant with this id.')
    }
    const files = await q.selectFiles(tx, store.id, product_id)
    if (files.length >= FILES_MAX) throw invalid('', `A product has at most ${FILES_MAX} files.`)
    await useBlob(tx, store.id, brought.blob_id)
    const row = { ...brought, product_id, variant_id, created_at: now }
    return { file: showFile(shop, await q.insertFile(tx, store.id, row)) }
  })
}
