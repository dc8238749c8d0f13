import fastJson from 'fast-json-stringify'
import { z } from 'zod'

export type Serializer = (answer: unknown) => string

/** The serializers of this process. Several surfaces use the same shape. */
const compiledByShape = new WeakMap<z.ZodObject, Serializer>()

/**
 * Returns a serializer that writes only the fields of the shape, so that no other column can leak. It
 * is compiled at the first answer, because most shapes of a process are never used.
 */
export function compileSerializer(response: z.ZodObject): Serializer {
  let serializer: Serializer | undefined
  return (answer) => {
    serializer ??= compiledByShape.get(response) ?? compile(response)
    return serializer(answer)
  }
}

function compile(response: z.ZodObject): Serializer {
  const answer = z.object({ success: z.literal(true), ...response.shape })
  // Component ids would become references, and a reference cannot be nullable here.
  const schema = z.toJSONSchema(answer, { target: 'draft-7', io: 'input', metadata: z.registry() })
  const serializer = fastJson(simplify(schema) as fastJson.AnySchema)
  compiledByShape.set(response, serializer)
  return serializer
}

type Json = Record<string, unknown>

/**
 * Simplifies a schema for the serializer: "type or null" becomes `nullable`, because with `anyOf` each
 * option would be validated.
 */
function simplify(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(simplify)
  if (schema === null || typeof schema !== 'object') return schema
  const { anyOf, const: constant, enum: _enum, ...keywords } = schema as Json
  if (Array.isArray(anyOf)) {
    const [option, ...more] = anyOf.filter((choice: Json) => choice.type !== 'null')
    if (more.length === 0)
      return { ...(simplify({ ...keywords, ...option }) as Json), nullable: true }
    // A value with several possible types is written as it is.
    return {}
  }
  const entries = Object.entries(keywords).map(([key, value]) => [
    key,
    key === 'properties' ? simplifyProperties(value as Json) : simplify(value),
  ])
  const type = constant === undefined || keywords.type ? {} : { type: typeof constant }
  return { ...Object.fromEntries(entries), ...type }
}

/** Simplifies each property. Its name is not a keyword, even if it is `enum`. */
const simplifyProperties = (properties: Json): Json =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, simplify(schema)]))
