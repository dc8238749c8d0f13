import type { Json } from './schemas.ts'

/** The schemas of a document by their names. */
export type SchemaMap = Record<string, Json>

export const REFERENCE = '#/components/schemas/'

/** Returns the name of the referenced schema, or undefined if the schema is not a reference. */
export const shapeName = ({ $ref }: Json): string | undefined =>
  typeof $ref === 'string' ? $ref.slice(REFERENCE.length) : undefined

/** Returns the referenced schema, or the schema itself, with the parts of `allOf` merged. */
export function resolve(schema: Json, shapes: SchemaMap): Json {
  const name = shapeName(schema)
  if (name !== undefined) {
    const { $ref, ...siblings } = schema
    return { ...resolve(shapes[name] ?? {}, shapes), ...siblings }
  }
  if (!Array.isArray(schema.allOf)) return schema
  const { allOf, ...siblings } = schema
  return (allOf as Json[]).map((part) => resolve(part, shapes)).reduce(mergeSchemas, siblings)
}

const mergeSchemas = (schema: Json, part: Json): Json => ({
  ...schema,
  ...part,
  properties: { ...(schema.properties as Json), ...(part.properties as Json) },
  required: [...((schema.required as string[]) ?? []), ...((part.required as string[]) ?? [])],
})
