import { inTransaction } from '../../../db/database.ts'
import { invalid } from '../../../kernel/errors.ts'
import { fetchPublic } from '../../../network/fetch-public.ts'
import type { Received } from '../../../storage/storage.ts'
import type { StoreContext } from '../../../store-context.ts'
import { keepBlob, useBlob } from '../../installation/index.ts'
import { lockedProduct, productId } from '../products/index.ts'
import { positionOf } from './media.rules.ts'
import * as q from './queries.ts'
import { type AddedMedia, FETCHED_MAX, type Media } from './schema.ts'
import { showMedia } from './show-media.ts'
import { type Sniffed, sniff } from './sniff.rules.ts'

/** A picture or a video, after any upload or download has ended. */
export interface Brought {
  kind: Media['kind']
  url: string
  blob_id: string | null
  meta: Media['meta']
}

/**
 * Stores a picture or a video (decision 92). An upload and a fetched picture are kept in our
 * storage. A video with a URL is not copied.
 */
export async function bringMedia(
  context: StoreContext,
  ref: string,
  { url, kind, is_main }: AddedMedia,
  file: Received | undefined,
): Promise<Brought> {
  const product = await productId(context, context.db, ref)
  const upload = file && checkUpload(sniff(file.head), kind)
  const siblings = await q.selectMedia(context.db, context.store.id, product)
  // Checked again with the product locked. This check avoids storing a file that no product lists.
  positionOf(siblings, upload?.kind ?? kind ?? 'image', { url, is_main })
  if (file && upload) return keep(context, file, upload)
  if (url === undefined) throw invalid('url', 'Send an address, or a file.')
  if (kind === 'video') return { kind, url, blob_id: null, meta: {} }
  return fetchImage(context, url)
}

function checkUpload(sniffed: Sniffed | undefined, kind: Media['kind'] | undefined): Sniffed {
  if (!sniffed) throw invalid('file', 'Send a PNG, JPEG, GIF, WebP, AVIF, MP4 or WebM file.')
  if (kind !== undefined && kind !== sniffed.kind) {
    throw invalid('kind', `This file is of the kind ${sniffed.kind}.`)
  }
  return sniffed
}

async function fetchImage(context: StoreContext, url: string): Promise<Brought> {
  const { storage, allowedHosts } = context
  const fetched = await fetchPublic(url, { allowedHosts }, (body) =>
    storage.receive(body, FETCHED_MAX),
  )
  if ('why' in fetched) throw invalid('url', fetched.why)
  try {
    const sniffed = sniff(fetched.value.head)
    if (sniffed?.kind !== 'image') {
      throw invalid('url', 'There is no PNG, JPEG, GIF, WebP or AVIF image at this address.')
    }
    return await keep(context, fetched.value, sniffed)
  } finally {
    await storage.discard(fetched.value)
  }
}

async function keep(
  context: StoreContext,
  received: Received,
  { kind, mime_type, extension }: Sniffed,
): Promise<Brought> {
  const { size_bytes } = received
  const blob_id = await keepBlob(context, received)
  return { kind, url: `/media/${blob_id}.${extension}`, blob_id, meta: { mime_type, size_bytes } }
}

/** Adds a stored picture or video to a product. The first image is its main one. */
export async function addMedia(
  context: StoreContext,
  ref: string,
  media: AddedMedia,
  brought: Brought,
): Promise<{ media: Media }> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const product = await lockedProduct(context, tx, ref)
    const position = positionOf(await q.selectMedia(tx, store.id, product), brought.kind, media)
    if (brought.blob_id) await useBlob(tx, store.id, brought.blob_id)
    if (position.is_main) await q.setMain(tx, store.id, product)
    const id = await q.insertMedia(tx, store.id, product, {
      ...brought,
      ...position,
      created_at: now,
    })
    return showMedia(context, tx, product, id)
  })
}
