import { Readable } from 'node:stream'
import { type Db, inTransaction } from '../../../db/database.ts'
import { invalid, unknownId } from '../../../kernel/errors.ts'
import { fileNameOf, mediaTypeOf } from '../../../kernel/file-name.ts'
import type { ReceivedFile, UploadedFile } from '../../../storage/storage.ts'
import type { StoreContext } from '../../../store-context.ts'
import { addBlobUse, storeBlob } from '../../installation/index.ts'
import { findProductId, getVariants, lockProductByRef } from '../products/index.ts'
import * as q from './queries.ts'
import { type AddedFile, FILE_MAX, FILES_MAX, type ProductFile } from './schema.ts'
import { showFile } from './show-files.ts'

/** A file in storage that belongs to no product yet. */
interface PreparedFile {
  blob_id: string
  name: string
  mime_type: string
  size_bytes: number
  sha256: string
}

/** Stores an upload or the bytes of a JSON body, before the transaction begins. */
export async function prepareFile(
  context: StoreContext,
  ref: string,
  file: AddedFile,
  upload: UploadedFile | undefined,
): Promise<PreparedFile> {
  await checkFileFits(
    context,
    context.db,
    await findProductId(context, context.db, ref),
    file.variant_id ?? null,
  )
  const receivedFile = upload ?? (await receiveBase64(context, file.content_base64 ?? ''))
  try {
    if (receivedFile.size_bytes === 0)
      throw invalid('file', 'This file is empty. Send at least one byte.')
    const { size_bytes, sha256 } = receivedFile
    return {
      blob_id: await storeBlob(context, receivedFile),
      name: fileNameOf(file.name ?? upload?.name ?? ''),
      mime_type: mediaTypeOf(file.mime_type ?? upload?.mime_type),
      size_bytes,
      sha256,
    }
  } finally {
    await context.storage.discard(receivedFile)
  }
}

const receiveBase64 = ({ storage }: StoreContext, base64: string): Promise<ReceivedFile> =>
  storage.receive(Readable.from([Buffer.from(base64, 'base64')]), FILE_MAX)

/** Adds a stored file to a product or to one of its variants. */
export async function addFile(
  context: StoreContext,
  ref: string,
  { variant_id = null }: { variant_id?: number | null | undefined },
  preparedFile: PreparedFile,
): Promise<{ file: ProductFile }> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const product_id = await lockProductByRef(context, tx, ref)
    await checkFileFits(context, tx, product_id, variant_id)
    await addBlobUse(tx, store.id, preparedFile.blob_id)
    const row = { ...preparedFile, product_id, variant_id, created_at: now }
    return { file: showFile(context, await q.insertFile(tx, store.id, row)) }
  })
}

/**
 * Refuses a variant of another product, and a product that has the maximum number of files. Called before the file is
 * stored, and again while the product is locked.
 */
async function checkFileFits(
  context: StoreContext,
  db: Db,
  productId: number,
  variantId: number | null,
) {
  const variants = variantId === null ? [] : await getVariants(context, db, productId)
  if (variantId !== null && !variants.some(({ id }) => id === variantId)) {
    throw unknownId(
      'variant_id',
      variantId,
      'This product has no variant',
      'Send the id of one of its variants.',
    )
  }
  const files = await q.selectFiles(db, context.store.id, productId)
  if (files.length >= FILES_MAX) {
    throw invalid('name', `A product has at most ${FILES_MAX} files. Delete one first.`)
  }
}
