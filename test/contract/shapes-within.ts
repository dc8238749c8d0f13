import type { z } from 'zod'
import type { Json } from '../harness.ts'

/** Yields a shape and all shapes within it. */
export function* shapesWithin(
  shape: z.core.$ZodType,
  visited = new Set<unknown>(),
): Generator<z.core.$ZodType> {
  if (visited.has(shape)) return
  visited.add(shape)
  yield shape
  const def = shape._zod.def as Json
  const inner = [
    ...Object.values<z.core.$ZodType>(def.shape ?? {}),
    ...(def.options ?? []),
    ...[
      def.element,
      def.keyType,
      def.valueType,
      def.innerType,
      def.in,
      def.out,
      def.left,
      def.right,
    ],
    ...(def.type === 'lazy' ? [def.getter()] : []),
  ]
  for (const item of inner) if (item?._zod) yield* shapesWithin(item, visited)
}
