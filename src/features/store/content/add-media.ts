import { inTransaction } from '../../../db/database.ts'
import { invalid } from '../../../kernel/errors.ts'
import { fetchPublic } from '../../../network/fetch-public.ts'
import type { ReceivedFile } from '../../../storage/storage.ts'
import type { StoreContext } from '../../../store-context.ts'
import { addBlobUse, storeBlob } from '../../installation/index.ts'
import { findProductId, lockProductByRef } from '../products/index.ts'
import { placeNewMedia } from './media.rules.ts'
import * as q from './queries.ts'
import { type AddedMedia, FETCHED_MAX, type Media } from './schema.ts'
import { showMedia } from './show-media.ts'
import { type MediaFormat, sniff } from './sniff.rules.ts'

/** A picture or a video that belongs to no product yet. */
interface PreparedMedia {
  kind: Media['kind']
  url: string
  blob_id: string | null
  meta: Media['meta']
}

/**
 * Stores an uploaded picture or video, or fetches and stores a picture, before the transaction begins.
 * A video with a URL is not copied.
 */
export async function prepareMedia(
  context: StoreContext,
  ref: string,
  { url, kind, is_main }: AddedMedia,
  file: ReceivedFile | undefined,
): Promise<PreparedMedia> {
  const productId = await findProductId(context, context.db, ref)
  const upload = file && checkUpload(sniff(file.head), kind)
  const siblings = await q.selectMedia(context.db, context.store.id, productId)
  // Only checks that the media can be added, so that no file is stored in vain. `addMedia` checks again under the
  // lock of the product.
  placeNewMedia(siblings, upload?.kind ?? kind ?? 'image', { url, is_main })
  if (file && upload) return storeFile(context, file, upload)
  if (url === undefined)
    throw invalid('url', 'The request has neither a URL nor a file. Send one of them.')
  if (kind === 'video') return { kind, url, blob_id: null, meta: {} }
  return fetchImage(context, url)
}

function checkUpload(
  format: MediaFormat | undefined,
  kind: Media['kind'] | undefined,
): MediaFormat {
  if (!format)
    throw invalid(
      'file',
      'This type of file is not supported. Send a PNG, JPEG, GIF, WebP, AVIF, MP4 or WebM file.',
    )
  if (kind !== undefined && kind !== format.kind) {
    throw invalid(
      'kind',
      `This file is of the kind ${format.kind}. Send this kind, or omit the field.`,
    )
  }
  return format
}

async function fetchImage(context: StoreContext, url: string): Promise<PreparedMedia> {
  const { storage, allowedHosts } = context
  const fetchResult = await fetchPublic(url, { allowedHosts }, (body) =>
    storage.receive(body, FETCHED_MAX),
  )
  if ('message' in fetchResult) throw invalid('url', fetchResult.message)
  try {
    const format = sniff(fetchResult.value.head)
    if (format?.kind !== 'image') {
      throw invalid(
        'url',
        'This URL leads to no PNG, JPEG, GIF, WebP or AVIF image. Use the URL of an image.',
      )
    }
    return await storeFile(context, fetchResult.value, format)
  } finally {
    // Does nothing if the file was stored.
    await storage.discard(fetchResult.value)
  }
}

async function storeFile(
  context: StoreContext,
  receivedFile: ReceivedFile,
  { kind, mime_type, extension }: MediaFormat,
): Promise<PreparedMedia> {
  const { size_bytes } = receivedFile
  const blob_id = await storeBlob(context, receivedFile)
  return { kind, url: `/media/${blob_id}.${extension}`, blob_id, meta: { mime_type, size_bytes } }
}

/** Adds a stored picture or video to a product. The first image is the main image. */
export async function addMedia(
  context: StoreContext,
  ref: string,
  media: AddedMedia,
  preparedMedia: PreparedMedia,
) {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const productId = await lockProductByRef(context, tx, ref)
    const placement = placeNewMedia(
      await q.selectMedia(tx, store.id, productId),
      preparedMedia.kind,
      media,
    )
    // A stored file without a counted use is removed after a day.
    if (preparedMedia.blob_id) await addBlobUse(tx, store.id, preparedMedia.blob_id)
    if (placement.is_main) await q.clearMain(tx, store.id, productId)
    const id = await q.insertMedia(tx, store.id, productId, {
      ...preparedMedia,
      ...placement,
      created_at: now,
    })
    return showMedia(context, tx, productId, id)
  })
}
