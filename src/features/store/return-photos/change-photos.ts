import { inTransaction, type Tx } from '../../../db/database.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import type { UploadedFile } from '../../../storage/storage.ts'
import type { StoreContext } from '../../../store-context.ts'
import { addBlobUse, releaseBlobs, storeBlob } from '../../installation/index.ts'
import { type MediaFormat, sniff } from '../content/index.ts'
import { getReturn, lockReturn } from '../returns/index.ts'
import * as q from './queries.ts'
import { PHOTOS_MAX, type ReturnPhoto } from './schema.ts'

/** A photo in storage that belongs to no return yet. */
interface PreparedPhoto {
  blob_id: string
  extension: string
  size_bytes: number
}

const showPhoto = (
  { publicUrl }: StoreContext,
  { id, blob_id, extension, created_at }: q.StoredPhoto,
): ReturnPhoto => ({ id, url: `${publicUrl}/media/${blob_id}.${extension}`, created_at })

export async function listPhotos(context: StoreContext, id: number): Promise<ReturnPhoto[]> {
  await getReturn(context, id)
  const photos = await q.selectPhotos(context.db, context.store.id, id)
  return photos.map((photo) => showPhoto(context, photo))
}

/** Stores an uploaded photo, before the transaction begins. */
export async function preparePhoto(
  context: StoreContext,
  id: number,
  file: UploadedFile | undefined,
): Promise<PreparedPhoto> {
  if (!file) throw invalid('file', 'The request has no file. Send the photo as the field file.')
  const { extension } = checkImage(sniff(file.head))
  await getReturn(context, id)
  // Checked again while the return is locked. This check avoids storing a photo that cannot be added.
  checkPhotoCount(await q.selectPhotos(context.db, context.store.id, id))
  return { blob_id: await storeBlob(context, file), extension, size_bytes: file.size_bytes }
}

function checkImage(format: MediaFormat | undefined): MediaFormat {
  if (format?.kind === 'image') return format
  throw invalid(
    'file',
    'This type of file is not supported. Send a PNG, JPEG, GIF, WebP or AVIF image.',
  )
}

function checkPhotoCount(photos: readonly q.StoredPhoto[]) {
  if (photos.length < PHOTOS_MAX) return
  throw invalid('file', `A return has at most ${PHOTOS_MAX} photos. Delete one first.`)
}

/** Adds a stored photo to a return. */
export function addPhoto(
  context: StoreContext,
  id: number,
  preparedPhoto: PreparedPhoto,
): Promise<ReturnPhoto> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    await lockReturn(tx, store.id, id)
    checkPhotoCount(await q.selectPhotos(tx, store.id, id))
    await addBlobUse(tx, store.id, preparedPhoto.blob_id)
    const row = { ...preparedPhoto, return_id: id, created_at: now }
    return showPhoto(context, await q.insertPhoto(tx, store.id, row))
  })
}

export function deletePhoto(context: StoreContext, id: number, photoId: number): Promise<void> {
  const { store } = context
  return inTransaction(context.db, async (tx) => {
    const blobId = await q.deletePhoto(tx, store.id, id, photoId)
    if (blobId === undefined) throw notFound('Photo')
    await releaseBlobs(tx, store.id, [blobId])
  })
}

/** Deletes all photos of these returns, for the erasure of a person. */
export async function deletePhotosOf(
  tx: Tx,
  storeId: number,
  returnIds: readonly number[],
): Promise<void> {
  await releaseBlobs(tx, storeId, await q.deletePhotosOf(tx, storeId, returnIds))
}
