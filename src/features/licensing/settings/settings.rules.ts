import { invalid } from '../../../kernel/errors.ts'
import { never } from '../../../kernel/never.ts'
import { type Constraints, type SettingType, VALUE_BYTES_MAX, type ValueSchema } from './schema.ts'

const DEPTH_MAX = 16

/** The type and values of a setting. */
export interface SettingContent {
  type: SettingType
  value: unknown
  default_value: unknown
  constraints: Constraints
}

/** True if a text matches an RE2 pattern; undefined if the pattern is invalid. */
export type Matches = (pattern: string, text: string) => boolean | 'too costly' | undefined

/** Refuses a setting whose values do not match its type or its constraints. */
export function checkContent(content: SettingContent, matches: Matches): void {
  const { type, constraints, value, default_value } = content
  checkConstraints(type, constraints, matches)
  const refusal = (item: unknown) =>
    whyNotOfType(type, item) ?? whyNotAllowed(type, item, constraints, matches)
  const why = refusal(value)
  if (why) throw invalid('value', why)
  const other = default_value === null ? undefined : refusal(default_value)
  if (other) throw invalid('default_value', other)
}

const APPLIES: Record<keyof Constraints, readonly SettingType[]> = {
  enum: ['boolean', 'integer', 'number', 'string', 'json'],
  min: ['integer', 'number'],
  max: ['integer', 'number'],
  pattern: ['string'],
  max_length: ['string'],
  schema: ['json'],
}

function checkConstraints(type: SettingType, constraints: Constraints, matches: Matches) {
  for (const name of Object.keys(constraints) as (keyof Constraints)[]) {
    if (APPLIES[name].includes(type)) continue
    throw invalid(`constraints.${name}`, `Remove it: it does not apply to the type ${type}.`)
  }
  const { pattern, min, max } = constraints
  const isPattern = pattern === undefined || matches(pattern, '')
  if (isPattern === undefined) {
    throw invalid(
      'constraints.pattern',
      'Use an RE2 regular expression. It cannot have back references.',
    )
  }
  if (isPattern === 'too costly') {
    throw invalid(
      'constraints.pattern',
      'Use a shorter pattern, with fewer or smaller repetitions.',
    )
  }
  if (min !== undefined && max !== undefined && max < min) {
    throw invalid('constraints.max', 'Use min or more.')
  }
}

/** Why a value is not of a type; undefined if it is. */
function whyNotOfType(type: SettingType, value: unknown): string | undefined {
  switch (type) {
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'Use true or false.'
    case 'integer':
      return Number.isSafeInteger(value) ? undefined : 'Use an integer from -(2^53-1) to 2^53-1.'
    case 'number':
      return Number.isFinite(value) ? undefined : 'Use a finite number.'
    case 'string':
      if (typeof value !== 'string') return 'Use a string.'
      return bytesOf(value) > VALUE_BYTES_MAX ? 'Use at most 65536 bytes.' : undefined
    case 'json':
      if (bytesOf(JSON.stringify(value)) > VALUE_BYTES_MAX) return 'Use at most 65536 bytes.'
      return whyNotJson(value, 0)
    default:
      return never(type)
  }
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length

/** Refuses numbers that JavaScript rounds, and nesting that some JSON parsers cannot read. */
function whyNotJson(value: unknown, depth: number): string | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) return 'Use finite numbers.'
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    return 'Write integers beyond 2^53-1 as strings.'
  }
  if (value === null || typeof value !== 'object') return undefined
  if (depth >= DEPTH_MAX) return `Nest at most ${DEPTH_MAX} levels.`
  for (const item of Object.values(value)) {
    const why = whyNotJson(item, depth + 1)
    if (why) return why
  }
  return undefined
}

function whyNotAllowed(
  type: SettingType,
  value: unknown,
  { enum: options, min, max, pattern, max_length, schema }: Constraints,
  matches: Matches,
): string | undefined {
  if (options && !options.some((option) => isSame(option, value))) {
    return `Use one of ${JSON.stringify(options).slice(1, -1)}.`
  }
  if (min !== undefined && Number(value) < min) return `Use ${min} or more.`
  if (max !== undefined && Number(value) > max) return `Use at most ${max}.`
  const text = type === 'string' ? String(value) : ''
  if (max_length !== undefined && [...text].length > max_length) {
    return `Use at most ${max_length} characters.`
  }
  const isMatch = pattern === undefined || matches(pattern, text)
  if (isMatch === 'too costly')
    return 'Use a shorter text or a simpler pattern: this takes too long.'
  if (!isMatch) return `Use a value that matches ${pattern}.`
  const path = schema && schemaErrorPath(schema, value, 'value')
  return path && `The value does not match its schema at ${path}.`
}

/** Compares as JSON: the order of an object's keys does not matter. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return a === b
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  return keys.every(
    (key) =>
      Object.hasOwn(b, key) &&
      isSame((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
  )
}

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value

const isOf = (type: NonNullable<ValueSchema['type']>, value: unknown): boolean =>
  type === 'integer' ? Number.isInteger(value) : typeOf(value) === type

/** The path of the first schema violation; undefined if the value matches. */
function schemaErrorPath(schema: ValueSchema, value: unknown, path: string): string | undefined {
  if (schema.type && !isOf(schema.type, value)) return path
  if (schema.enum && !schema.enum.some((option) => isSame(option, value))) return path
  if (typeof value === 'number') return rangeErrorPath(value, schema.minimum, schema.maximum, path)
  if (typeof value === 'string') {
    return rangeErrorPath([...value].length, schema.minLength, schema.maxLength, path)
  }
  if (Array.isArray(value)) return arrayErrorPath(schema, value, path)
  if (value !== null && typeof value === 'object') {
    return objectErrorPath(schema, value as Record<string, unknown>, path)
  }
  return undefined
}

const rangeErrorPath = (
  value: number,
  min = Number.NEGATIVE_INFINITY,
  max = Number.POSITIVE_INFINITY,
  path = '',
): string | undefined => (value < min || value > max ? path : undefined)

function arrayErrorPath(schema: ValueSchema, value: unknown[], path: string): string | undefined {
  const wrong = rangeErrorPath(value.length, schema.minItems, schema.maxItems, path)
  if (wrong || !schema.items) return wrong
  for (const [index, item] of value.entries()) {
    const broken = schemaErrorPath(schema.items, item, `${path}[${index}]`)
    if (broken) return broken
  }
  return undefined
}

function objectErrorPath(
  { properties = {}, required = [], additionalProperties = true }: ValueSchema,
  value: Record<string, unknown>,
  path: string,
): string | undefined {
  const missing = required.find((key) => !Object.hasOwn(value, key))
  if (missing !== undefined) return `${path}.${missing}`
  for (const [key, item] of Object.entries(value)) {
    const schema = Object.hasOwn(properties, key) ? properties[key] : undefined
    if (!schema && !additionalProperties) return `${path}.${key}`
    const broken = schema && schemaErrorPath(schema, item, `${path}.${key}`)
    if (broken) return broken
  }
  return undefined
}
