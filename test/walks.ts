import type { Endpoint } from '../src/http/endpoint.ts'
import { chanceOf } from './chance.mjs'

/**
 * The tests of the contract walk over all operations. With `WALKS=whole`, as in `npm run test:long`, they take every
 * one; else one of each shape, chosen by the seed.
 */
export const IS_WHOLE = process.env.WALKS === 'whole'

type Walked = Pick<Endpoint, 'id' | 'method' | 'path'> &
  Partial<Record<'query' | 'body' | 'upload', unknown>>

/** The shape of an operation: its method, where its path has ids, and which input it takes. */
function shapeOf({ method, path, query, body, upload }: Walked): string {
  const segments = path.split('/').map((segment) => (segment.startsWith(':') ? ':id' : 'name'))
  const inputs = [query && 'query', body && 'body', upload && 'upload'].filter(Boolean)
  return [method, segments.join('/'), ...inputs].join(' ')
}

/** Returns the operations that a test walks over: all, or one of each shape. */
export const walk = <T extends Walked>(operations: readonly T[]): T[] =>
  walkItems(operations, (operation) => operation)

/** Returns the items whose operations a test walks over. */
export function walkItems<T>(items: readonly T[], operationOf: (item: T) => Walked): T[] {
  if (IS_WHOLE) return [...items]
  const itemsByShape = new Map<string, T[]>()
  for (const item of items) {
    const shape = shapeOf(operationOf(item))
    itemsByShape.set(shape, [...(itemsByShape.get(shape) ?? []), item])
  }
  const chosen = new Set(
    [...itemsByShape].map(([shape, alike]) => chanceOf(`walk ${shape}`).pick(alike)),
  )
  return items.filter((item) => chosen.has(item))
}

/** Returns the items that a test walks over: all, or every third one, the first of which the seed chooses. */
export function walkPart<T>(items: readonly T[], name: string): T[] {
  if (IS_WHOLE) return [...items]
  const first = chanceOf(`walk ${name}`).below(Math.min(3, items.length))
  return items.filter((_, index) => index % 3 === first)
}
