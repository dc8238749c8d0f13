const DOT_SEGMENT = /(?:^|[/\\])(?:\.|%2e){1,2}(?=[/\\]|$)/i

/**
 * Returns true if the path of a request target has a segment `.` or `..`, plain or encoded. Many programs resolve
 * such a segment, so the path could name another resource to them than to us (decision 171).
 */
export const hasDotSegment = (target: string): boolean => DOT_SEGMENT.test(splitTarget(target).path)

/**
 * Returns the target of a call again, built from the path of its endpoint, such as `/v1/products/:id`, with the
 * parameters and the query of the call. Undefined if the target is none of this endpoint.
 */
export function rebuildTarget(endpointPath: string, target: string): string | undefined {
  if (hasDotSegment(target)) return undefined
  const { path, query } = splitTarget(target)
  const segments = path.split('/')
  const names = endpointPath.split('/')
  if (segments.length !== names.length) return undefined
  const rebuilt = names.map((name, index) => rebuildSegment(name, segments[index] ?? ''))
  if (rebuilt.includes(undefined)) return undefined
  return [rebuilt.join('/'), ...(query ? [new URLSearchParams(query)] : [])].join('?')
}

function rebuildSegment(name: string, segment: string): string | undefined {
  const value = decode(segment)
  if (name.startsWith(':')) return value ? encodeURIComponent(value) : undefined
  return value === name ? name : undefined
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

function splitTarget(target: string): { path: string; query: string } {
  const [path = ''] = target.split(/[?#]/, 1)
  return { path, query: target.slice(path.length + 1) }
}
