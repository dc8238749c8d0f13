import fastJson from 'fast-json-stringify'
import { z } from 'zod'

export type Serializer = (answer: unknown) => string

/**
 * What writes an answer: the promised fields and no other, so a column that nobody promised cannot leave
 * the house. It is compiled for the first answer: most are never asked for, and all of them at the start
 * would be a large part of it.
 */
export function compileSerializer(response: z.ZodObject): Serializer {
  let compiled: Serializer | undefined
  return (answer) => {
    compiled ??= compile(response)
    return compiled(answer)
  }
}

function compile(response: z.ZodObject): Serializer {
  const answer = z.object({ success: z.literal(true), ...response.shape })
  // Without the ids of components, which would become references: a reference cannot be nullable here.
  const schema = z.toJSONSchema(answer, { target: 'draft-7', io: 'input', metadata: z.registry() })
  return fastJson(plain(schema) as fastJson.AnySchema)
}

type Json = Record<string, unknown>

/** "This or null", as the compiler knows it: `nullable`. Written `anyOf` it would try each by validation. */
function plain(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plain)
  if (schema === null || typeof schema !== 'object') return schema
  const { anyOf, const: constant, enum: _enum, ...rest } = schema as Json
  if (Array.isArray(anyOf)) {
    const [one, ...more] = anyOf.filter((option: Json) => option.type !== 'null')
    if (more.length === 0) return { ...(plain({ ...rest, ...one }) as Json), nullable: true }
    return {}
  }
  const entries = Object.entries(rest).map(([key, value]) => [key, plain(value)])
  const type = constant === undefined || rest.type ? {} : { type: typeof constant }
  return { ...Object.fromEntries(entries), ...type }
}
