import type { Readable } from 'node:stream'
import type { App } from '../../../app.ts'
import { invalidState } from '../../../kernel/errors.ts'
import { openLink } from '../../../storage/link.rules.ts'
import type { ByteRange } from '../../../storage/storage.ts'
import * as q from './queries.ts'
import { mediaTypeOfExtension } from './sniff.rules.ts'

/** A file that is sent as an answer. */
export interface OpenedDownload {
  mime_type: string
  /** The size; undefined if only the storage has it. */
  size_bytes: number | undefined
  /** The validator of the content, with which a client avoids fetching the same bytes twice. */
  etag: string
  open(range?: ByteRange): Promise<Readable | undefined>
}

/**
 * Returns the file of a signed link, unless the link has expired by the store's clock. The link of an order on hold is
 * refused (decision 458).
 */
export async function openDownload(
  app: App,
  signedLink: string,
): Promise<(OpenedDownload & { name: string }) | undefined> {
  const { db, vault, storage, clock } = app
  const sign = (text: string) => vault.hmac('download', text)
  const link = openLink(signedLink, sign)
  const [storeId, fileId, orderId = null] = link?.target.split('-') ?? []
  if (!link || storeId === undefined || fileId === undefined) return undefined
  const target = { storeId: Number(storeId), fileId: Number(fileId), orderId }
  const file = await q.selectLinkedFile(db, target)
  if (!file || clock.now() + file.clock_offset_ms >= link.expires_ms) return undefined
  if (file.is_on_hold) throw onHold()
  const { name, mime_type, size_bytes, sha256, blob_id } = file
  return { name, mime_type, size_bytes, etag: sha256, open: (range) => storage.get(blob_id, range) }
}

const onHold = () => invalidState('on_hold', 'This order is on hold. Ask its seller about it.')

/**
 * Returns a picture or a video for anyone who has its name. The name has 128 random bits, so it cannot be
 * guessed.
 */
export function openMedia({ storage }: App, name: string): OpenedDownload | undefined {
  const [, id, extension = ''] = /^([0-9a-f]{32})\.([a-z0-9]{3,4})$/.exec(name) ?? []
  const mime_type = mediaTypeOfExtension(extension)
  if (id === undefined || mime_type === undefined) return undefined
  return { mime_type, size_bytes: undefined, etag: id, open: (range) => storage.get(id, range) }
}
