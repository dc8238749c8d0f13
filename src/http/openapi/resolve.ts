import type { Json } from './schemas.ts'

/** The schemas of a document by their names. */
export type Shapes = Record<string, Json>

export const REFERENCE = '#/components/schemas/'

/** The name that a reference leads to. Undefined if the schema is not a reference. */
export const shapeName = ({ $ref }: Json): string | undefined =>
  typeof $ref === 'string' ? $ref.slice(REFERENCE.length) : undefined

/** The schema behind a reference, or the schema itself. The parts of `allOf` are merged. */
export function resolve(schema: Json, shapes: Shapes): Json {
  const name = shapeName(schema)
  if (name !== undefined) {
    const { $ref: _, ...own } = schema
    return { ...resolve(shapes[name] ?? {}, shapes), ...own }
  }
  if (!Array.isArray(schema.allOf)) return schema
  const { allOf, ...own } = schema
  return (allOf as Json[]).map((part) => resolve(part, shapes)).reduce(merge, own)
}

const merge = (a: Json, b: Json): Json => ({
  ...a,
  ...b,
  properties: { ...(a.properties as Json), ...(b.properties as Json) },
  required: [...((a.required as string[]) ?? []), ...((b.required as string[]) ?? [])],
})
