import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { Steps } from '../../kernel/slices.ts'

export type Json = Record<string, unknown>

/**
 * The side of a call that a schema describes. A field with a default is optional in requests and always
 * present in answers.
 */
type Form = 'request' | 'answer'

export interface Use {
  shape: z.ZodType
  form: Form
}

/**
 * Prints shapes as JSON Schema (2020-12). A shape with `.meta({ id })` becomes a component, to which
 * other schemas refer.
 */
export interface SchemaRegistry {
  print(shape: z.ZodType, form: Form): Json
  components: Json
}

/**
 * Opens the registry of a document. `uses` lists every shape of the document, because all names of
 * components must be known before the first schema is printed.
 */
export function* openSchemaRegistry(uses: readonly Use[]): Steps<SchemaRegistry> {
  const definitions = { request: new Map<string, Json>(), answer: new Map<string, Json>() }
  for (const { shape, form } of uses) {
    addDefinitions(definitions[form], convert(shape, form).definitions)
    yield
  }
  const differingIds = formsThatDiffer(definitions.request, definitions.answer)
  const nameOf = (id: string, form: Form) =>
    form === 'request' && differingIds.has(id) ? `${id}Input` : id
  const withNames = (schema: Json, form: Form) =>
    mapSchema(schema, (node) => {
      const [id] = refsOf(node)
      return id === undefined ? node : { ...node, $ref: `#/components/schemas/${nameOf(id, form)}` }
    })

  const components = new Map<string, Json>()
  for (const form of ['answer', 'request'] as const) {
    for (const [id, schema] of definitions[form]) {
      addDefinitions(components, { [nameOf(id, form)]: withNames(schema, form) })
      yield
    }
  }
  return {
    print: (shape, form) => withNames(convert(shape, form).schema, form),
    components: Object.fromEntries(
      [...components].sort(([name], [other]) => (name < other ? -1 : 1)),
    ),
  }
}

/** Adds definitions. Throws if two different shapes have the same id. */
function addDefinitions(target: Map<string, Json>, definitions: Record<string, Json>) {
  for (const [id, schema] of Object.entries(definitions)) {
    const existingDefinition = target.get(id)
    if (existingDefinition && !isDeepStrictEqual(existingDefinition, schema))
      throw new Error(`Two shapes have the id ${id}.`)
    if (id.startsWith('__')) throw new Error('A shape that contains itself needs .meta({ id }).')
    target.set(id, schema)
  }
}

/** Returns the ids whose request and answer schemas differ, or whose schemas refer to such an id. */
function formsThatDiffer(request: Map<string, Json>, answer: Map<string, Json>): Set<string> {
  const commonSchemas = [...request].filter(([id]) => answer.has(id))
  const differingIds = new Set<string>()
  for (const [id, schema] of commonSchemas) {
    if (!isDeepStrictEqual(schema, answer.get(id))) differingIds.add(id)
  }
  // A reference to a differing schema makes a schema differ too, so this repeats until no id is added.
  for (let previousSize = -1; previousSize < differingIds.size; ) {
    previousSize = differingIds.size
    for (const [id, schema] of commonSchemas)
      if (refsWithin(schema).some((ref) => differingIds.has(ref))) differingIds.add(id)
  }
  return differingIds
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
 * Converts a shape to a schema and its definitions. Both forms use the input side of the shape, because
 * answers are serialized as the handler returns them (serializer.ts).
 */
function convert(shape: z.ZodType, form: Form) {
  // A shape with an id becomes a definition only if it is nested in an object.
  const { properties, $defs } = z.toJSONSchema(z.object({ shape }), { io: 'input' })
  const simplify = (schema: unknown) =>
    mapSchema(schema as Json, (node) => simplifyNode(node, form))
  const definitions = Object.entries($defs ?? {}).map(
    ([id, schema]) => [id, simplify(schema)] as const,
  )
  return { schema: simplify(properties?.shape), definitions: Object.fromEntries(definitions) }
}

/** The keywords whose value has schemas by name, lists them, or is one schema. */
const SCHEMA_MAPS = new Set(['properties', 'patternProperties'])
const SCHEMA_LISTS = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const SINGLE_SCHEMAS = new Set([
  'items',
  'additionalProperties',
  'propertyNames',
  'not',
  'contains',
])

/** Maps every schema within a schema, inner schemas first. Values such as `default` are not changed. */
function mapSchema(schema: Json, change: (node: Json) => Json): Json {
  const inner = (value: unknown) =>
    value !== null && typeof value === 'object' ? mapSchema(value as Json, change) : value
  const entries = Object.entries(schema).map(([keyword, value]) => {
    if (SCHEMA_MAPS.has(keyword)) {
      const mapped = Object.entries(value as Json).map(([name, child]) => [name, inner(child)])
      return [keyword, Object.fromEntries(mapped)]
    }
    if (SCHEMA_LISTS.has(keyword)) return [keyword, (value as unknown[]).map(inner)]
    return [keyword, SINGLE_SCHEMAS.has(keyword) ? inner(value) : value]
  })
  return change(Object.fromEntries(entries))
}

function simplifyNode(node: Json, form: Form): Json {
  const plainNode = withPlainBoolean(applyOverride(node))
  const simpleNode = withIntegerFormat(mergeNull(withoutRedundancy(plainNode, form)))
  return form === 'answer' ? requireDefaults(simpleNode) : simpleNode
}

/** Applies `.meta({ openapi: {…} })`, which describes JSON that the shape alone cannot describe. */
function applyOverride({ openapi, ...node }: Json): Json {
  if (!openapi) return node
  const { description, deprecated } = node
  return {
    ...(description ? { description } : {}),
    ...(deprecated ? { deprecated } : {}),
    ...openapi,
  }
}

/**
 * Drops the bounds of safe integers, and a pattern that repeats the format. In a request the upper bound stays: a
 * larger id is refused.
 */
function withoutRedundancy({ minimum, maximum, pattern, ...node }: Json, form: Form): Json {
  const names = node.propertyNames
  if (isDeepStrictEqual(names, { type: 'string' })) delete node.propertyNames
  return {
    ...node,
    ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined &&
      (form === 'request' || maximum !== Number.MAX_SAFE_INTEGER) && { maximum }),
    ...(pattern !== undefined && node.format === undefined && { pattern }),
  }
}

/** Drops the only value of a boolean, from which a generator writes Java that does not compile. */
function withPlainBoolean(node: Json): Json {
  const { const: _value, ...boolean } = node
  return node.type === 'boolean' ? boolean : node
}

const INT32_MAX = 2 ** 31 - 1

/** Names the size of an integer that may need more than 32 bits, which generators use for one without a format. */
function withIntegerFormat(node: Json): Json {
  const isInteger = [node.type].flat().includes('integer')
  const isSmall = typeof node.maximum === 'number' && node.maximum <= INT32_MAX
  return isInteger && !isSmall ? { format: 'int64', ...node } : node
}

/** Writes "type or null" as one schema with two types, unless it is a reference. */
function mergeNull({ anyOf, ...node }: Json): Json {
  if (!Array.isArray(anyOf)) return node
  const [schema, nullSchema, ...more] = anyOf as Json[]
  const isSimple =
    nullSchema?.type === 'null' && more.length === 0 && typeof schema?.type === 'string'
  if (!isSimple) return { ...node, anyOf }
  const { const: constant, ...keywords } = schema
  const values = keywords.enum ?? (constant === undefined ? undefined : [constant])
  const mergedSchema = { ...keywords, type: [schema.type, 'null'], ...node }
  return Array.isArray(values) ? { ...mergedSchema, enum: [...values, null] } : mergedSchema
}

/** Makes fields with defaults required, because the serializer adds the defaults to answers. */
function requireDefaults(node: Json): Json {
  const properties = Object.entries((node.properties ?? {}) as Record<string, Json>)
  const withDefault = properties.filter(([, property]) => 'default' in property)
  if (withDefault.length === 0) return node
  const required = [...((node.required ?? []) as string[]), ...withDefault.map(([name]) => name)]
  const entries = properties.map(([name, { default: _default, ...property }]) => [name, property])
  return { ...node, properties: Object.fromEntries(entries), required: [...new Set(required)] }
}
