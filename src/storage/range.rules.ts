import type { ByteRange } from './storage.ts'

/**
 * What a `Range` header asks for of so many bytes: one range cut to what there is, `unsatisfiable`
 * where it begins past the end, and nothing where it asks for several or is no range (RFC 9110, 14.2).
 */
export function rangeOf(
  header: string | undefined,
  size_bytes: number,
): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
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
