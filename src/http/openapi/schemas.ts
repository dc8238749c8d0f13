import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { Steps } from '../../kernel/slices.ts'

export type Json = Record<string, unknown>

/**
 * Input and output of a shape can differ: a field with a default is optional in requests and always
 * present in answers.
 */
export type Form = 'request' | 'answer'

export interface Use {
  shape: z.ZodType
  form: Form
}

/**
 * Prints shapes as JSON Schema (2020-12). A shape with `.meta({ id })` becomes a component and is
 * referenced.
 */
export interface SchemaRegistry {
  print(shape: z.ZodType, form: Form): Json
  components: Json
}

/**
 * `uses` lists every shape of the document, so that all component names are fixed before the first
 * is printed.
 */
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

/** Ids whose request and answer schemas differ, or that reference such an id. */
function formsThatDiffer(request: Map<string, Json>, answer: Map<string, Json>): Set<string> {
  const both = [...request].filter(([id]) => answer.has(id))
  const differ = new Set<string>()
  for (const [id, schema] of both) if (!isDeepStrictEqual(schema, answer.get(id))) differ.add(id)
  for (let size = -1; size < differ.size; ) {
    size = differ.size
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
 * Both forms describe JSON on the wire, so both use the input side of the shape. Answers are
 * serialized as the handler returns them (serializer.ts).
 */
function convert(shape: z.ZodType, form: Form) {
  // A shape with an id becomes a definition only if it is nested in an object.
  const { properties, $defs } = z.toJSONSchema(z.object({ shape }), { io: 'input' })
  const tidied = (schema: unknown) => mapSchema(schema as Json, (node) => tidy(node, form))
  const definitions = Object.entries($defs ?? {}).map(
    ([id, schema]) => [id, tidied(schema)] as const,
  )
  return { schema: tidied(properties?.shape), definitions: Object.fromEntries(definitions) }
}

const MAPS = new Set(['properties', 'patternProperties'])
const LISTS = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const SINGLE = new Set(['items', 'additionalProperties', 'propertyNames', 'not', 'contains'])

/** Maps every schema within a schema, inner ones first; values such as `default` stay unchanged. */
function mapSchema(schema: Json, change: (node: Json) => Json): Json {
  const inner = (value: unknown) =>
    value !== null && typeof value === 'object' ? mapSchema(value as Json, change) : value
  const entries = Object.entries(schema).map(([keyword, value]) => {
    if (MAPS.has(keyword)) {
      const mapped = Object.entries(value as Json).map(([name, child]) => [name, inner(child)])
      return [keyword, Object.fromEntries(mapped)]
    }
    if (LISTS.has(keyword)) return [keyword, (value as unknown[]).map(inner)]
    return [keyword, SINGLE.has(keyword) ? inner(value) : value]
  })
  return change(Object.fromEntries(entries))
}

function tidy(node: Json, form: Form): Json {
  const plain = orNull(withoutNoise(overridden(node)))
  return form === 'answer' ? requireDefaults(plain) : plain
}

/** Applies `.meta({ openapi: {…} })`, which describes the JSON where the shape alone cannot. */
function overridden({ openapi, ...node }: Json): Json {
  if (!openapi) return node
  const { description, deprecated } = node
  return {
    ...(description ? { description } : {}),
    ...(deprecated ? { deprecated } : {}),
    ...openapi,
  }
}

/** Drops the bounds of safe integers, and a pattern that repeats the format. */
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

/** Writes "type or null" as one schema with two types, unless it is a reference. */
function orNull({ anyOf, ...node }: Json): Json {
  if (!Array.isArray(anyOf)) return node
  const [schema, nullSchema, ...more] = anyOf as Json[]
  const simple =
    nullSchema?.type === 'null' && more.length === 0 && typeof schema?.type === 'string'
  if (!simple) return { ...node, anyOf }
  const { const: constant, enum: values = constant === undefined ? undefined : [constant] } = schema
  const { const: _const, ...rest } = schema
  const both = { ...rest, type: [schema.type, 'null'], ...node }
  return Array.isArray(values) ? { ...both, enum: [...values, null] } : both
}

/** The serializer fills in defaults, so these fields are always present in answers. */
function requireDefaults(node: Json): Json {
  const properties = Object.entries((node.properties ?? {}) as Record<string, Json>)
  const filled = properties.filter(([, property]) => 'default' in property)
  if (filled.length === 0) return node
  const required = [...((node.required ?? []) as string[]), ...filled.map(([name]) => name)]
  const plain = properties.map(([name, { default: _default, ...property }]) => [name, property])
  return { ...node, properties: Object.fromEntries(plain), required: [...new Set(required)] }
}
