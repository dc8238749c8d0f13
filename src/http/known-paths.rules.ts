/** The method and the path of an endpoint, such as `/products/:id`. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
}

/** A path of endpoints, such as `/products/:id`, with the methods that it supports. */
export interface KnownPath {
  path: string
  /** With the prefix of its surface. */
  full: string
  methods: readonly string[]
  pattern: RegExp
}

/**
 * The paths of endpoints; a path with a word comes before one with a parameter at the same
 * position.
 */
export function knownPaths(prefix: string, endpoints: readonly Route[]): KnownPath[] {
  const paths = new Map<string, string[]>()
  for (const { path, method } of endpoints) {
    const methods = paths.get(path) ?? []
    methods.push(method, ...(method === 'GET' ? ['HEAD'] : []))
    paths.set(path, methods)
  }
  return [...paths]
    .map(([path, methods]) => {
      const full = prefix + path
      return { path, full, methods, pattern: patternOf(full) }
    })
    .sort((one, other) => (rankOf(one.path) < rankOf(other.path) ? -1 : 1))
}

/** The methods of all paths that match this one, if their parameters may be its words. */
export const methodsOfPatterns = (known: readonly KnownPath[], full: string): string[] => [
  ...new Set(known.flatMap(({ pattern, methods }) => (pattern.test(full) ? methods : []))),
]

const rankOf = (path: string): string =>
  path
    .split('/')
    .map((segment) => (segment.startsWith(':') ? '1' : '0'))
    .join('')

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')}$`)
