import type { Readable } from 'node:stream'
import { found, PlainError, unavailable } from '../../../kernel/errors.ts'
import { attachment } from '../../../kernel/file-name.ts'
import { type AskedRange, rangeOf } from '../../../storage/range.rules.ts'
import type { ByteRange, Storage } from '../../../storage/storage.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type FileRow, selectFile } from './queries.ts'

/** Bytes of a file, as they are sent. */
export interface Content {
  status: 200 | 206
  headers: Record<string, string>
  range: ByteRange | undefined
  body: Readable
}

/** The bytes of a file, or the one range of them that is asked for, at most so many. */
export async function readContent(
  storage: Storage,
  file: FileRow,
  { asked: headers, range_max }: { asked: AskedRange; range_max?: number },
): Promise<Content> {
  const etag = `"${file.sha256}"`
  const asked = rangeOf(headers, { size_bytes: file.size_bytes, etag })
  if (asked === 'unsatisfiable') {
    throw new PlainError(416, `The file has ${file.size_bytes} bytes.`, {
      'content-range': `bytes */${file.size_bytes}`,
    })
  }
  const range = asked && cut(asked, range_max)
  const body = await storage.get(file.blob_id, range)
  if (!body) throw unavailable('The bytes of this file are not in storage now.')
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

/** The bytes of a file for its seller. */
export async function downloadFile(
  { db, store, storage }: StoreContext,
  id: number,
  asked: AskedRange,
): Promise<Content> {
  return readContent(storage, found(await selectFile(db, store.id, id), 'File'), { asked })
}
