import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OpenedDownload } from '../features/store/index.ts'
import { notFound } from '../kernel/errors.ts'
import { matchesTag } from '../kernel/etag.ts'
import { attachment } from '../kernel/file-name.ts'
import { rangeOf } from '../storage/range.rules.ts'

/** Headers that prevent uploaded content from running scripts on our origin, with any type. */
const SANDBOX_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
}

/** Streams a file or the requested range of it. If it has a name, browsers save the file and do not display it. */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  download: OpenedDownload & { name?: string; cache?: string },
): Promise<FastifyReply> {
  const { size_bytes, etag, mime_type, name, cache = 'private, no-store' } = download
  const tag = `"${etag}"`
  const fileHeaders = { ...SANDBOX_HEADERS, etag: tag, 'cache-control': cache }
  if (matchesTag(request.headers['if-none-match'], tag)) {
    return reply.headers(fileHeaders).code(304).send()
  }
  const range =
    size_bytes === undefined ? undefined : rangeOf(request.headers, { size_bytes, etag: tag })
  if (range === 'unsatisfiable') {
    const rangeHeaders = { 'content-range': `bytes */${size_bytes}` }
    return reply
      .headers({ ...fileHeaders, ...rangeHeaders })
      .code(416)
      .send()
  }
  const bytes = await download.open(range)
  reply.headers(fileHeaders)
  if (!bytes) throw notFound('The file')
  const length = range ? range.end - range.start + 1 : size_bytes
  return reply
    .headers({
      'content-type': mime_type,
      ...(name !== undefined && { 'content-disposition': attachment(name) }),
      ...(length !== undefined && { 'content-length': length, 'accept-ranges': 'bytes' }),
      ...(range && { 'content-range': `bytes ${range.start}-${range.end}/${size_bytes}` }),
    })
    .code(range ? 206 : 200)
    .send(bytes)
}

/** Streams generated text as a file download. */
export const sendLines = (
  reply: FastifyReply,
  { name, lines }: { name: string; lines: AsyncIterable<string> },
): FastifyReply =>
  reply
    .headers({
      ...SANDBOX_HEADERS,
      'cache-control': 'private, no-store',
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': attachment(name),
    })
    .send(Readable.from(lines))
