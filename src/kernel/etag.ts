/** Whether `If-None-Match` names a tag: alone, in a list, as a weak one, or by `*` (RFC 9110, 13.1.2). */
export function knowsTag(header: string | undefined, etag: string): boolean {
  const known = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return known.includes('*') || known.includes(etag)
}
