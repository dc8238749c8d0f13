import type { Readable } from 'node:stream'
import { Refusal, requireRecord, unavailable } from '../../../kernel/errors.ts'
import { attachment } from '../../../kernel/file-name.ts'
import { type RangeHeaders, rangeOf } from '../../../storage/range.rules.ts'
import type { ByteRange, Storage } from '../../../storage/storage.ts'
import type { StoreContext } from '../../../store-context.ts'
import { selectRecord } from '../app-records/index.ts'
import * as q from './queries.ts'

/** The bytes of a file with their response headers. */
export interface FileContent {
  status: 200 | 206
  headers: Record<string, string>
  range: ByteRange | undefined
  body: Readable
}

type StoredContent = Omit<q.ContentColumns, 'storage'>

/** Reads a file, or the requested range of it, up to `range_max` bytes. */
export async function readContent(
  storage: Storage,
  file: StoredContent,
  { rangeHeaders, range_max }: { rangeHeaders: RangeHeaders; range_max?: number },
): Promise<FileContent> {
  const etag = `"${file.sha256}"`
  const requestedRange = rangeOf(rangeHeaders, { size_bytes: file.size_bytes, etag })
  if (requestedRange === 'unsatisfiable') {
    throw new Refusal(
      416,
      `The range is outside the file, which has ${file.size_bytes} bytes.`,
      undefined,
      {
        'content-range': `bytes */${file.size_bytes}`,
      },
    )
  }
  const range = requestedRange && limitRange(requestedRange, range_max)
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

const limitRange = ({ start, end }: ByteRange, max = Number.POSITIVE_INFINITY): ByteRange => ({
  start,
  end: Math.min(end, start + max - 1),
})

/** Reads a file for the seller. */
export async function downloadFile(
  { db, store, storage }: StoreContext,
  id: number,
  rangeHeaders: RangeHeaders,
): Promise<FileContent> {
  return readContent(
    storage,
    requireRecord(await selectRecord(db, store.id, q.FILES, id), 'File'),
    {
      rangeHeaders,
    },
  )
}

/** Reads a version of a file for the seller: the current content or a former one. */
export async function downloadVersion(
  { db, store, storage }: StoreContext,
  { id, version }: { id: number; version: number },
  rangeHeaders: RangeHeaders,
): Promise<FileContent> {
  const current = requireRecord(await selectRecord(db, store.id, q.FILES, id), 'File')
  const content =
    current.version === version
      ? current
      : requireRecord(await q.selectVersion(db, store.id, id, version), 'Version')
  return readContent(storage, content, { rangeHeaders })
}
