import { REFERENCE, resolve, type SchemaMap, shapeName } from '../http/openapi/resolve.ts'
import type { Json } from '../http/openapi/schemas.ts'

/** A field of a body, an answer or an event, or a parameter, as the reference shows it. */
export interface Field {
  name: string
  /** The type in words, such as `string`, `integer or null`, `array of objects`. */
  type: string
  /** The name of the shape, which is described once on each page. */
  shape?: string
  required: boolean
  description: string
  /** The limits and the default in words, such as `1 to 100`, `at most 255 characters`, `default 25`. */
  bounds: string[]
  /** The allowed values, if they are few. */
  values: string[]
  children: Field[]
}

/** Returns the fields of an object schema, and an empty list for other types. */
export function fieldsOf(schema: Json, shapes: SchemaMap): Field[] {
  const { properties = {}, required = [] } = resolve(schema, shapes)
  return Object.entries(properties as Record<string, Json>).map(([name, property]) =>
    fieldOf(name, property, (required as string[]).includes(name)),
  )
}

export function fieldOf(name: string, schema: Json, required: boolean): Field {
  const { core, isNullable } = withoutNull(schema)
  const description = String(schema.description ?? core.description ?? '')
  return {
    name,
    ...typeOf(core, { isNullable }),
    required,
    description,
    bounds: boundsOf({ ...core, default: schema.default ?? core.default }),
    values: valuesOf(core),
    children: childrenOf(core),
  }
}

/** Returns the schema without `null`, and whether `null` is allowed. */
function withoutNull(schema: Json): { core: Json; isNullable: boolean } {
  const [core, nullSchema, ...others] = (schema.anyOf ?? []) as Json[]
  if (core && nullSchema?.type === 'null' && others.length === 0) return { core, isNullable: true }
  return { core: schema, isNullable: Array.isArray(schema.type) && schema.type.includes('null') }
}

function typeOf(schema: Json, { isNullable = false } = {}): Pick<Field, 'type' | 'shape'> {
  const orNull = isNullable ? ' or null' : ''
  const shape = shapeName(schema)
  if (shape !== undefined) return { type: `${shape}${orNull}`, shape }
  const kind = kindOf(schema)
  const items = schema.items as Json | undefined
  if (kind === 'array' && items) {
    const item = typeOf(items)
    return { ...item, type: `array of ${plural(item)}${orNull}` }
  }
  const values = schema.additionalProperties as Json | undefined
  if (kind === 'object' && !schema.properties && values && typeof values === 'object') {
    const value = typeOf(values)
    return { ...value, type: `map of names to ${plural(value)}${orNull}` }
  }
  return { type: `${kind}${orNull}` }
}

const plural = ({ type, shape }: Pick<Field, 'type' | 'shape'>): string =>
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
  if (choices) return [...new Set(choices.map((item) => typeOf(item).type))].join(' or ')
  if (schema.type === undefined) {
    const [value] = (schema.enum ?? [schema.const]) as unknown[]
    return value === undefined ? 'any' : typeof value
  }
  const types = [schema.type].flat().filter((item) => item !== 'null') as string[]
  const [type = ''] = types
  if (types.length === 1 && typeof schema.format === 'string') {
    return FORMATS[schema.format] ?? type
  }
  return types.join(' or ')
}

function valuesOf(schema: Json): string[] {
  const items = schema.items as Json | undefined
  const values = (schema.enum ?? items?.enum ?? []) as unknown[]
  return values.filter((item) => item !== null).map(valueText)
}

const valueText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value)

function boundsOf(schema: Json): string[] {
  const items = (schema.items ?? {}) as Json
  const defaultValue = schema.default
  return [
    range(schema.minimum ?? exclusiveMinimum(schema), maximumOf(schema), ''),
    range(schema.minLength || undefined, schema.maxLength, ' characters'),
    range(schema.minItems || undefined, schema.maxItems, ' items'),
    range(undefined, schema.maxProperties, ' names'),
    patternOf(schema),
    range(items.minLength || undefined, items.maxLength, ' characters each'),
    defaultValue !== undefined && `default \`${valueText(defaultValue)}\``,
  ].filter((item) => typeof item === 'string')
}

/** The bound of exact integers is left out. It holds for every id. */
const maximumOf = ({ maximum }: Json) => (maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum)

const exclusiveMinimum = ({ exclusiveMinimum: min }: Json): string | undefined =>
  min === undefined ? undefined : `more than ${min}`

/** Longer patterns are not readable as a part of a sentence. */
const SHOWN_PATTERN_MAX = 40

const patternOf = ({ pattern }: Json) =>
  typeof pattern === 'string' && pattern.length <= SHOWN_PATTERN_MAX && `matches \`${pattern}\``

function range(min: unknown, max: unknown, unit: string): string | undefined {
  if (min === undefined && max === undefined) return undefined
  const units = (max ?? min) === 1 ? unit.replace(/s( each)?$/, '$1') : unit
  if (max === undefined) return typeof min === 'string' ? min : `at least ${min}${units}`
  if (min === undefined) return `at most ${max}${units}`
  return min === max ? `exactly ${max}${units}` : `${min} to ${max}${units}`
}

/** Returns the fields of an object without a name, or of such an object in a list or a map. */
function childrenOf(schema: Json): Field[] {
  if (schema.properties) return fieldsOf(schema, {})
  const inner = (schema.items ?? schema.additionalProperties) as Json | undefined
  return inner && typeof inner === 'object' && !inner.$ref ? childrenOf(inner) : []
}

/** Returns the names of all shapes to which the fields refer, directly or indirectly. */
export function shapesWithin(fields: readonly Field[], shapes: SchemaMap): string[] {
  const names = new Set<string>()
  const queue = [...fields]
  for (const { shape, children } of queue) {
    queue.push(...children)
    if (shape === undefined || names.has(shape)) continue
    names.add(shape)
    queue.push(...fieldsOf({ $ref: REFERENCE + shape }, shapes))
  }
  return [...names].sort()
}
