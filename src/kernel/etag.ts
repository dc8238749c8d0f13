/**
 * Returns true if `If-None-Match` matches the tag: alone, in a list, as a weak tag, or as `*` (RFC 9110,
 * 13.1.2).
 */
export function matchesTag(header: string | undefined, etag: string): boolean {
  const tags = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes('*') || tags.includes(etag)
}
