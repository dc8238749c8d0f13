import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Download } from '../features/store/index.ts'
import { notFound } from '../kernel/errors.ts'
import { knowsTag } from '../kernel/etag.ts'
import { attachment } from '../kernel/file-name.ts'
import { rangeOf } from '../storage/range.rules.ts'

/**
 * Prevents uploaded content from running scripts on our origin, whatever type a browser detects.
 */
const HARMLESS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
}

/**
 * Streams a file or the requested range. With a name, browsers save the file and never display it.
 */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  download: Download & { name?: string; cache?: string },
): Promise<FastifyReply> {
  const { size_bytes, etag, mime_type, name, cache = 'private, no-store' } = download
  const tag = `"${etag}"`
  const asked =
    size_bytes === undefined ? undefined : rangeOf(request.headers, { size_bytes, etag: tag })
  const same = knowsTag(request.headers['if-none-match'], tag)
  const partly = asked === 'unsatisfiable' ? undefined : asked
  const bytes = same || asked === 'unsatisfiable' ? undefined : await download.open(partly)
  reply.headers({ ...HARMLESS, etag: tag, 'cache-control': cache })
  if (same) return reply.code(304).send()
  if (asked === 'unsatisfiable') {
    return reply.code(416).header('content-range', `bytes */${size_bytes}`).send()
  }
  if (!bytes) throw notFound('The file')
  const length = partly ? partly.end - partly.start + 1 : size_bytes
  return reply
    .headers({
      'content-type': mime_type,
      ...(name !== undefined && { 'content-disposition': attachment(name) }),
      ...(length !== undefined && { 'content-length': length, 'accept-ranges': 'bytes' }),
      ...(partly && { 'content-range': `bytes ${partly.start}-${partly.end}/${size_bytes}` }),
    })
    .code(partly ? 206 : 200)
    .send(bytes)
}

/** Streams generated text as a file download. */
export const sendLines = (
  reply: FastifyReply,
  { name, lines }: { name: string; lines: AsyncIterable<string> },
): FastifyReply =>
  reply
    .headers({
      ...HARMLESS,
      'cache-control': 'private, no-store',
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': attachment(name),
    })
    .send(Readable.from(lines))
