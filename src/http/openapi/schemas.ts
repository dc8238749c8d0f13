import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { Steps } from '../../kernel/slices.ts'

export type Json = Record<string, unknown>

/** What callers send and what they get may differ: a default is optional in the one and always in the other. */
export type Form = 'request' | 'answer'

export interface Use {
  shape: z.ZodType
  form: Form
}

/** Shapes as JSON Schema (2020-12). A shape with `.meta({ id })` is printed once and referred to. */
export interface SchemaRegistry {
  print(shape: z.ZodType, form: Form): Json
  components: Json
}

/** `uses` names every shape that will be printed, so that the names are settled before the first is. */
export function* openSchemaRegistry(uses: readonly Use[]): Steps<SchemaRegistry> {
  const kept = { request: new Map<string, Json>(), answer: new Map<string, Json>() }
  for (const { shape, form } of uses) {
    keep(kept[form], convert(shape, form).definitions)
    yield
  }
  const split = formsThatDiffer(kept.request, kept.answer)
  const nameOf = (id: string, form: Form) =>
    form === 'request' && split.has(id) ? `${id}Input` : id
  const named = (schema: Json, form: Form) =>
    mapSchema(schema, (node) => {
      const [id] = refsOf(node)
      return id === undefined ? node : { ...node, $ref: `#/components/schemas/${nameOf(id, form)}` }
    })

  const components = new Map<string, Json>()
  for (const form of ['answer', 'request'] as const) {
    for (const [id, schema] of kept[form]) {
      keep(components, { [nameOf(id, form)]: named(schema, form) })
      yield
    }
  }
  return {
    print: (shape, form) => named(convert(shape, form).schema, form),
    components: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

function keep(book: Map<string, Json>, definitions: Record<string, Json>) {
  for (const [id, schema] of Object.entries(definitions)) {
    const before = book.get(id)
    if (before && !isDeepStrictEqual(before, schema))
      throw new Error(`Two shapes have the id ${id}.`)
    if (id.startsWith('__')) throw new Error('A shape that contains itself needs .meta({ id }).')
    book.set(id, schema)
  }
}

/** The ids whose two forms are not the same, or refer to one whose forms are not. */
function formsThatDiffer(request: Map<string, Json>, answer: Map<string, Json>): Set<string> {
  const both = [...request].filter(([id]) => answer.has(id))
  const differ = new Set<string>()
  for (const [id, schema] of both) if (!isDeepStrictEqual(schema, answer.get(id))) differ.add(id)
  for (let known = -1; known < differ.size; ) {
    known = differ.size
    for (const [id, schema] of both)
      if (refsWithin(schema).some((ref) => differ.has(ref))) differ.add(id)
  }
  return differ
}

const DEFS = '#/$defs/'
const refsOf = ({ $ref }: Json) => (typeof $ref === 'string' ? [$ref.slice(DEFS.length)] : [])

function refsWithin(schema: Json): string[] {
  const refs: string[] = []
  mapSchema(schema, (node) => {
    refs.push(...refsOf(node))
    return node
  })
  return refs
}

/**
 * Both forms are what stands on the wire, so both are the input of the shape; an answer is written
 * as its handler gives it (serializer.ts).
 */
function convert(shape: z.ZodType, form: Form) {
  // Inside an object, a shape with an id becomes a definition like any other.
  const { properties, $defs } = z.toJSONSchema(z.object({ shape }), { io: 'input' })
  const tidied = (schema: unknown) => mapSchema(schema as Json, (node) => tidy(node, form))
  const definitions = Object.entries($defs ?? {}).map(
    ([id, schema]) => [id, tidied(schema)] as const,
  )
  return { schema: tidied(properties?.shape), definitions: Object.fromEntries(definitions) }
}

const MAPS = new Set(['properties', 'patternProperties'])
const LISTS = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const ONES = new Set(['items', 'additionalProperties', 'propertyNames', 'not', 'contains'])

/** Changes every schema within a schema, the inner ones first; values such as `default` are left alone. */
function mapSchema(schema: Json, change: (node: Json) => Json): Json {
  const inner = (value: unknown) =>
    value !== null && typeof value === 'object' ? mapSchema(value as Json, change) : value
  const entries = Object.entries(schema).map(([keyword, value]) => {
    if (MAPS.has(keyword)) {
      const named = Object.entries(value as Json).map(([name, one]) => [name, inner(one)])
      return [keyword, Object.fromEntries(named)]
    }
    if (LISTS.has(keyword)) return [keyword, (value as unknown[]).map(inner)]
    return [keyword, ONES.has(keyword) ? inner(value) : value]
  })
  return change(Object.fromEntries(entries))
}

function tidy(node: Json, form: Form): Json {
  const plain = orNull(withoutNoise(overridden(node)))
  return form === 'answer' ? alwaysThere(plain) : plain
}

/** `.meta({ openapi: {…} })` says what stands on the wire where the shape alone cannot. */
function overridden({ openapi, ...node }: Json): Json {
  if (!openapi) return node
  const { description, deprecated } = node
  return {
    ...(description ? { description } : {}),
    ...(deprecated ? { deprecated } : {}),
    ...openapi,
  }
}

/** Bounds that any safe integer has, and the pattern beside a format that says the same. */
function withoutNoise({ minimum, maximum, pattern, ...node }: Json): Json {
  const names = node.propertyNames
  if (isDeepStrictEqual(names, { type: 'string' })) delete node.propertyNames
  return {
    ...node,
    ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
    ...(pattern !== undefined && node.format === undefined && { pattern }),
  }
}

/** "This or null" as one schema with two types, unless it is a reference. */
function orNull({ anyOf, ...node }: Json): Json {
  if (!Array.isArray(anyOf)) return node
  const [one, nothing, ...more] = anyOf as Json[]
  const simple = nothing?.type === 'null' && more.length === 0 && typeof one?.type === 'string'
  if (!simple) return { ...node, anyOf }
  const { const: constant, enum: values = constant === undefined ? undefined : [constant] } = one
  const { const: _const, ...rest } = one
  const both = { ...rest, type: [one.type, 'null'], ...node }
  return Array.isArray(values) ? { ...both, enum: [...values, null] } : both
}

/** The serializer writes a default where the handler gave nothing: the field is never absent. */
function alwaysThere(node: Json): Json {
  const properties = Object.entries((node.properties ?? {}) as Record<string, Json>)
  const filled = properties.filter(([, one]) => 'default' in one)
  if (filled.length === 0) return node
  const required = [...((node.required ?? []) as string[]), ...filled.map(([name]) => name)]
  const plain = properties.map(([name, { default: _default, ...one }]) => [name, one])
  return { ...node, properties: Object.fromEntries(plain), required: [...new Set(required)] }
}
