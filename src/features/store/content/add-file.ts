import { Readable } from 'node:stream'
import { type Db, inTransaction } from '../../../db/database.ts'
import { invalid } from '../../../kernel/errors.ts'
import { fileNameOf, mediaTypeOf } from '../../../kernel/file-name.ts'
import type { Received, Uploaded } from '../../../storage/storage.ts'
import type { StoreContext } from '../../../store-context.ts'
import { keepBlob, useBlob } from '../../installation/index.ts'
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
  context: StoreContext,
  ref: string,
  file: AddedFile,
  upload: Uploaded | undefined,
): Promise<BroughtFile> {
  await checkTarget(
    context,
    context.db,
    await productId(context, context.db, ref),
    file.variant_id ?? null,
  )
  const received = upload ?? (await receiveText(context, file.content_base64 ?? ''))
  try {
    if (received.size_bytes === 0) throw invalid('file', 'This file is empty.')
    const { size_bytes, sha256 } = received
    return {
      blob_id: await keepBlob(context, received),
      name: fileNameOf(file.name ?? upload?.name ?? ''),
      mime_type: mediaTypeOf(file.mime_type ?? upload?.mime_type),
      size_bytes,
      sha256,
    }
  } finally {
    await context.storage.discard(received)
  }
}

const receiveText = ({ storage }: StoreContext, base64: string): Promise<Received> =>
  storage.receive(Readable.from([Buffer.from(base64, 'base64')]), FILE_MAX)

/** Adds a kept file to a product, or to one variant of it. */
export async function addFile(
  context: StoreContext,
  ref: string,
  { variant_id = null }: { variant_id?: number | null | undefined },
  brought: BroughtFile,
): Promise<{ file: ProductFile }> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const product_id = await lockedProduct(context, tx, ref)
    await checkTarget(context, tx, product_id, variant_id)
    await useBlob(tx, store.id, brought.blob_id)
    const row = { ...brought, product_id, variant_id, created_at: now }
    return { file: showFile(context, await q.insertFile(tx, store.id, row)) }
  })
}

/** Checked before the file is kept, and again under the lock that keeps the answer from changing. */
async function checkTarget(
  context: StoreContext,
  db: Db,
  product: number,
  variantId: number | null,
) {
  const variants = variantId === null ? [] : await getVariants(context, db, product)
  if (variantId !== null && !variants.some(({ id }) => id === variantId)) {
    throw invalid('variant_id', 'This product has no variant with this id.')
  }
  const files = await q.selectFiles(db, context.store.id, product)
  if (files.length >= FILES_MAX) {
    throw invalid('name', `A product has at most ${FILES_MAX} files; delete one first.`)
  }
}
