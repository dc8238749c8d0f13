import { REFERENCE, resolve, type Shapes, shapeName } from '../http/openapi/resolve.ts'
import type { Json } from '../http/openapi/schemas.ts'

/** One field of a body, an answer or an event, or one parameter, as printed. */
export interface Field {
  name: string
  /** Such as `string`, `integer or null`, `array of objects`. */
  type: string
  /** The named shape of the type; each is described once per page. */
  shape?: string
  required: boolean
  description: string
  /** Such as `1 to 100`, `at most 255 characters`, `default 25`. */
  bounds: string[]
  /** The allowed values, if they are few. */
  values: string[]
  children: Field[]
}

/**
 * The fields of an object; empty for other types. `success`, which every answer has, is left out.
 */
export function fieldsOf(schema: Json, shapes: Shapes): Field[] {
  const { properties = {}, required = [] } = resolve(schema, shapes)
  return Object.entries(properties as Record<string, Json>)
    .filter(([name, { const: constant }]) => !(name === 'success' && constant === true))
    .map(([name, property]) => fieldOf(name, property, (required as string[]).includes(name)))
}

export function fieldOf(name: string, schema: Json, required: boolean): Field {
  const { core, nullable } = withoutNull(schema)
  const described = String(schema.description ?? core.description ?? '')
  return {
    name,
    ...typeOf(core, nullable),
    required,
    description: described,
    bounds: boundsOf({ ...core, default: schema.default ?? core.default }),
    values: valuesOf(core),
    children: childrenOf(core),
  }
}

/** Reduces `anyOf` of a schema and null to that schema, marked as nullable. */
function withoutNull(schema: Json): { core: Json; nullable: boolean } {
  const [core, nothing, ...more] = (schema.anyOf ?? []) as Json[]
  if (core && nothing?.type === 'null' && more.length === 0) return { core, nullable: true }
  return { core: schema, nullable: Array.isArray(schema.type) && schema.type.includes('null') }
}

function typeOf(schema: Json, nullable: boolean): Pick<Field, 'type' | 'shape'> {
  const orNull = nullable ? ' or null' : ''
  const named = shapeName(schema)
  if (named !== undefined) return { type: `${named}${orNull}`, shape: named }
  const kind = kindOf(schema)
  const items = schema.items as Json | undefined
  if (kind === 'array' && items) {
    const { type, shape } = typeOf(items, false)
    return { type: `array of ${plural(type, shape)}${orNull}`, ...(shape && { shape }) }
  }
  const values = schema.additionalProperties as Json | undefined
  if (kind === 'object' && !schema.properties && values && typeof values === 'object') {
    const { type, shape } = typeOf(values, false)
    return { type: `map of names to ${plural(type, shape)}${orNull}`, ...(shape && { shape }) }
  }
  return { type: `${kind}${orNull}` }
}

const plural = (type: string, shape: string | undefined): string =>
  shape || type.includes(' ') || type === 'any' ? type : `${type}s`

const FORMATS: Record<string, string> = {
  'date-time': 'timestamp',
  binary: 'file',
  email: 'email address',
  ipv4: 'IPv4 address',
  ipv6: 'IPv6 address',
}

function kindOf(schema: Json): string {
  const choices = (schema.anyOf ?? schema.oneOf) as Json[] | undefined
  if (choices) return [...new Set(choices.map((item) => typeOf(item, false).type))].join(' or ')
  if (schema.type === undefined) {
    const [value] = (schema.enum ?? [schema.const]) as unknown[]
    return value === undefined ? 'any' : typeof value
  }
  const types = [schema.type].flat().filter((item) => item !== 'null') as string[]
  const [only = ''] = types
  if (types.length === 1 && typeof schema.format === 'string') {
    return FORMATS[schema.format] ?? only
  }
  return types.join(' or ')
}

function valuesOf(schema: Json): string[] {
  const items = schema.items as Json | undefined
  const values = (schema.enum ?? items?.enum ?? []) as unknown[]
  return values.filter((item) => item !== null).map(written)
}

const written = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value)

function boundsOf(schema: Json): string[] {
  const items = (schema.items ?? {}) as Json
  const fallback = schema.default
  return [
    range(schema.minimum ?? above(schema), schema.maximum, ''),
    range(schema.minLength || undefined, schema.maxLength, ' characters'),
    range(schema.minItems || undefined, schema.maxItems, ' items'),
    range(undefined, schema.maxProperties, ' names'),
    patternOf(schema),
    range(items.minLength || undefined, items.maxLength, ' characters each'),
    fallback !== undefined && fallback !== null && `default \`${written(fallback)}\``,
  ].filter((item) => typeof item === 'string')
}

const above = ({ exclusiveMinimum: from }: Json): string | undefined =>
  from === undefined ? undefined : `more than ${from}`

const patternOf = ({ pattern }: Json) =>
  typeof pattern === 'string' && pattern.length <= 40 && `matches \`${pattern}\``

function range(from: unknown, to: unknown, unit: string): string | undefined {
  if (from === undefined && to === undefined) return undefined
  const singular = (to ?? from) === 1 ? unit.replace(/s( each)?$/, '$1') : unit
  if (to === undefined) return typeof from === 'string' ? from : `at least ${from}${singular}`
  if (from === undefined) return `at most ${to}${singular}`
  return from === to ? `exactly ${to}${singular}` : `${from} to ${to}${singular}`
}

/** Fields of an object without a name, also within a list or a map. */
function childrenOf(schema: Json): Field[] {
  if (schema.properties) return fieldsOf(schema, {})
  const inner = (schema.items ?? schema.additionalProperties) as Json | undefined
  return inner && typeof inner === 'object' && !inner.$ref ? childrenOf(inner) : []
}

/** All named shapes that the fields refer to, directly or indirectly, each once. */
export function shapesWithin(fields: readonly Field[], shapes: Shapes): string[] {
  const found = new Set<string>()
  const queue = [...fields]
  for (const { shape, children } of queue) {
    queue.push(...children)
    if (shape === undefined || found.has(shape)) continue
    found.add(shape)
    queue.push(...fieldsOf({ $ref: REFERENCE + shape }, shapes))
  }
  return [...found].sort()
}
