import fastJson from 'fast-json-stringify'
import { z } from 'zod'

export type Serializer = (answer: unknown) => string

/** Several surfaces answer with the same shape. */
const compiledByShape = new WeakMap<z.ZodObject, Serializer>()

/**
 * Compiles a serializer that writes the fields of the shape and drops all others, so that no other
 * column can leak. It compiles for the first answer: most shapes are never used, and compiling all
 * of them would slow down the start. A shape is compiled once in a process.
 */
export function compileSerializer(response: z.ZodObject): Serializer {
  let compiled: Serializer | undefined
  return (answer) => {
    compiled ??= compiledByShape.get(response) ?? compile(response)
    return compiled(answer)
  }
}

function compile(response: z.ZodObject): Serializer {
  const answer = z.object({ success: z.literal(true), ...response.shape })
  // Component ids would become references, and a reference cannot be nullable here.
  const schema = z.toJSONSchema(answer, { target: 'draft-7', io: 'input', metadata: z.registry() })
  const serializer = fastJson(plain(schema) as fastJson.AnySchema)
  compiledByShape.set(response, serializer)
  return serializer
}

type Json = Record<string, unknown>

/**
 * Writes "type or null" as `nullable`. With `anyOf`, the serializer would validate against each
 * option.
 */
function plain(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plain)
  if (schema === null || typeof schema !== 'object') return schema
  const { anyOf, const: constant, enum: _enum, ...rest } = schema as Json
  if (Array.isArray(anyOf)) {
    const [option, ...more] = anyOf.filter((choice: Json) => choice.type !== 'null')
    if (more.length === 0) return { ...(plain({ ...rest, ...option }) as Json), nullable: true }
    return {}
  }
  const entries = Object.entries(rest).map(([key, value]) => [
    key,
    key === 'properties' ? plainProperties(value as Json) : plain(value),
  ])
  const type = constant === undefined || rest.type ? {} : { type: typeof constant }
  return { ...Object.fromEntries(entries), ...type }
}

/** A field may have the name of a keyword of JSON Schema, such as `enum`. */
const plainProperties = (properties: Json): Json =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, plain(schema)]))
