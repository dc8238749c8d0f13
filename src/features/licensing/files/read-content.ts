import type { Readable } from 'node:stream'
import { found, Refusal, unavailable } from '../../../kernel/errors.ts'
import { attachment } from '../../../kernel/file-name.ts'
import { type AskedRange, rangeOf } from '../../../storage/range.rules.ts'
import type { ByteRange, Storage } from '../../../storage/storage.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type FileRow, selectFile } from './queries.ts'

/** The bytes of a file with their response headers. */
export interface Content {
  status: 200 | 206
  headers: Record<string, string>
  range: ByteRange | undefined
  body: Readable
}

/** Reads a file, or the requested range of it, up to `range_max` bytes. */
export async function readContent(
  storage: Storage,
  file: FileRow,
  { asked, range_max }: { asked: AskedRange; range_max?: number },
): Promise<Content> {
  const etag = `"${file.sha256}"`
  const requested = rangeOf(asked, { size_bytes: file.size_bytes, etag })
  if (requested === 'unsatisfiable') {
    throw new Refusal(
      416,
      `The range is outside the file, which has ${file.size_bytes} bytes.`,
      undefined,
      {
        'content-range': `bytes */${file.size_bytes}`,
      },
    )
  }
  const range = requested && cut(requested, range_max)
  const body = await storage.get(file.blob_id, range)
  if (!body)
    throw unavailable('The bytes of this file are not in storage at the moment. Try again later.')
  const length = range ? range.end - range.start + 1 : file.size_bytes
  return {
    status: range ? 206 : 200,
    range,
    body,
    headers: {
      'content-type': file.content_type,
      'content-length': String(length),
      'content-disposition': attachment(file.filename),
      'accept-ranges': 'bytes',
      etag,
      'x-content-type-options': 'nosniff',
      ...(range && { 'content-range': `bytes ${range.start}-${range.end}/${file.size_bytes}` }),
    },
  }
}

const cut = ({ start, end }: ByteRange, max = Number.POSITIVE_INFINITY): ByteRange => ({
  start,
  end: Math.min(end, start + max - 1),
})

/** Reads a file for the seller. */
export async function downloadFile(
  { db, store, storage }: StoreContext,
  id: number,
  asked: AskedRange,
): Promise<Content> {
  return readContent(storage, found(await selectFile(db, store.id, id), 'File'), { asked })
}
