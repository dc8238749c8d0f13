import type { ByteRange } from './storage.ts'

/** The headers that request a part of a file. */
export interface RangeHeaders {
  range?: string | undefined
  'if-range'?: string | string[] | undefined
}

/**
 * Returns the requested range, limited to the size of the file; `unsatisfiable` if it begins after the end.
 * Returns undefined for no range, several ranges, an invalid range, or an `If-Range` of another version (RFC
 * 9110, 13.1.5 and 14.2).
 */
export function rangeOf(
  { range: header, 'if-range': condition }: RangeHeaders,
  { size_bytes, etag }: { size_bytes: number; etag: string },
): ByteRange | 'unsatisfiable' | undefined {
  if (condition !== undefined && condition !== etag) return undefined
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first === '') return suffixRange(Number(last), size_bytes)
  const start = Number(first)
  const end = last === '' ? size_bytes - 1 : Math.min(Number(last), size_bytes - 1)
  if (last !== '' && Number(last) < start) return undefined
  return start < size_bytes ? { start, end } : 'unsatisfiable'
}

/** Returns the range of the last `length` bytes. */
function suffixRange(length: number, size_bytes: number): ByteRange | 'unsatisfiable' {
  if (length === 0 || size_bytes === 0) return 'unsatisfiable'
  return { start: Math.max(0, size_bytes - length), end: size_bytes - 1 }
}
