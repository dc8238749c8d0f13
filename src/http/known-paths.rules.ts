/** The method and the path of an endpoint, such as `/products/:id`. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
}

/** A path of endpoints, such as `/products/:id`, with the methods that it supports. */
interface KnownPath {
  path: string
  /** The path with the prefix of its surface. */
  fullPath: string
  methods: readonly string[]
  pattern: RegExp
  /** The number of segments. The pattern matches no path with another number. */
  depth: number
}

/** Returns the paths of endpoints. A literal segment precedes a parameter at the same position. */
export function knownPaths(prefix: string, endpoints: readonly Route[]): KnownPath[] {
  const paths = new Map<string, string[]>()
  for (const { path, method } of endpoints) {
    const methods = paths.get(path) ?? []
    methods.push(method, ...(method === 'GET' ? ['HEAD'] : []))
    paths.set(path, methods)
  }
  return [...paths]
    .map(([path, methods]) => {
      const fullPath = prefix + path
      return { path, fullPath, methods, pattern: patternOf(fullPath), depth: depthOf(fullPath) }
    })
    .sort((first, second) => (rankOf(first.path) < rankOf(second.path) ? -1 : 1))
}

/** Returns the methods of all paths that match this path, whose parameters may match any segment. */
export function methodsOfPatterns(paths: readonly KnownPath[], fullPath: string): string[] {
  const depth = depthOf(fullPath)
  const matches = paths.filter((item) => item.depth === depth && item.pattern.test(fullPath))
  return [...new Set(matches.flatMap(({ methods }) => methods))]
}

const depthOf = (path: string): number => path.split('/').length

const rankOf = (path: string): string =>
  path
    .split('/')
    .map((segment) => (segment.startsWith(':') ? '1' : '0'))
    .join('')

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')}$`)
