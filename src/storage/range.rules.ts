import type { ByteRange } from './storage.ts'

/** The headers that ask for a part of a file. */
export interface AskedRange {
  range?: string | undefined
  'if-range'?: string | string[] | undefined
}

/**
 * What a `Range` header asks for of a file: one range cut to what there is, `unsatisfiable` where it
 * begins past the end, and nothing where it asks for several, is no range, or where `If-Range` means
 * another file than this one (RFC 9110, 13.1.5 and 14.2).
 */
export function rangeOf(
  { range: header, 'if-range': of }: AskedRange,
  { size_bytes, etag }: { size_bytes: number; etag: string },
): ByteRange | 'unsatisfiable' | undefined {
  if (of !== undefined && of !== etag) return undefined
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first === '') return suffix(Number(last), size_bytes)
  const start = Number(first)
  const end = last === '' ? size_bytes - 1 : Math.min(Number(last), size_bytes - 1)
  if (last !== '' && Number(last) < start) return undefined
  return start < size_bytes ? { start, end } : 'unsatisfiable'
}

/** The last few bytes. */
function suffix(length: number, size_bytes: number): ByteRange | 'unsatisfiable' {
  if (length === 0 || size_bytes === 0) return 'unsatisfiable'
  return { start: Math.max(0, size_bytes - length), end: size_bytes - 1 }
}
