import type { BrokenRule } from '../../../kernel/broken-rule.ts'
import { invalid } from '../../../kernel/errors.ts'
import { never } from '../../../kernel/never.ts'
import { type Constraints, type SettingType, VALUE_BYTES_MAX, type ValueSchema } from './schema.ts'

const DEPTH_MAX = 16
/** Longer lists are only in the sentence of the error. */
const ALLOWED_LENGTH_MAX = 1_000

/** The type and values of a setting. */
export interface SettingContent {
  type: SettingType
  value: unknown
  default_value: unknown
  constraints: Constraints
}

/** Returns true if a text matches an RE2 pattern, or undefined if the pattern is invalid. */
export type Matches = (pattern: string, text: string) => boolean | 'too costly' | undefined

/** Refuses a setting whose values do not match its type or its constraints. */
export function checkContent(content: SettingContent, matches: Matches): void {
  const { type, constraints, value, default_value } = content
  checkConstraints(type, constraints, matches)
  const errorOf = (item: unknown) =>
    typeError(type, item) ?? constraintError(type, item, constraints, matches)
  const valueError = errorOf(value)
  if (valueError) throw invalid('value', ...valueError)
  const defaultError = default_value === null ? undefined : errorOf(default_value)
  if (defaultError) throw invalid('default_value', ...defaultError)
}

const CONSTRAINT_TYPES: Record<keyof Constraints, readonly SettingType[]> = {
  enum: ['boolean', 'integer', 'number', 'string', 'json'],
  min: ['integer', 'number'],
  max: ['integer', 'number'],
  pattern: ['string'],
  max_length: ['string'],
  schema: ['json'],
}

function checkConstraints(type: SettingType, constraints: Constraints, matches: Matches) {
  for (const name of Object.keys(constraints) as (keyof Constraints)[]) {
    if (CONSTRAINT_TYPES[name].includes(type)) continue
    throw invalid(
      `constraints.${name}`,
      `This constraint does not apply to the type ${type}. Remove it.`,
    )
  }
  const { pattern, min, max } = constraints
  const patternResult = pattern === undefined || matches(pattern, '')
  if (patternResult === undefined) {
    throw invalid(
      'constraints.pattern',
      'Use an RE2 regular expression. It cannot have back references.',
    )
  }
  if (patternResult === 'too costly') {
    throw invalid(
      'constraints.pattern',
      'Use a shorter pattern, with fewer or smaller repetitions.',
    )
  }
  if (min !== undefined && max !== undefined && max < min) {
    throw invalid('constraints.max', 'Use min or more.', { rule: 'at_least', limit: min })
  }
}

/** The error of a value: its text, and the rule that the value breaks. */
type ValueError = [
  message: string,
  rule?: { rule: BrokenRule['rule']; limit?: number; expected?: string; allowed?: unknown[] },
]

const tooManyBytes: ValueError = [
  `Use at most ${VALUE_BYTES_MAX} bytes.`,
  { rule: 'max_bytes', limit: VALUE_BYTES_MAX },
]

const wrongType = (message: string, expected: string): ValueError => [
  message,
  { rule: 'type', expected },
]

/** Returns an error if the value does not have the type. */
function typeError(type: SettingType, value: unknown): ValueError | undefined {
  switch (type) {
    case 'boolean':
      return typeof value === 'boolean' ? undefined : wrongType('Use true or false.', 'boolean')
    case 'integer':
      return Number.isSafeInteger(value)
        ? undefined
        : wrongType('Use an integer from -(2^53-1) to 2^53-1.', 'integer')
    case 'number':
      return Number.isFinite(value) ? undefined : wrongType('Use a finite number.', 'number')
    case 'string':
      if (typeof value !== 'string') return wrongType('Use a string.', 'string')
      return bytesOf(value) > VALUE_BYTES_MAX ? tooManyBytes : undefined
    case 'json':
      if (bytesOf(JSON.stringify(value)) > VALUE_BYTES_MAX) return tooManyBytes
      return withoutRule(jsonError(value, 0))
    default:
      return never(type)
  }
}

const withoutRule = (message: string | undefined): ValueError | undefined =>
  message === undefined ? undefined : [message]

const bytesOf = (text: string): number => new TextEncoder().encode(text).length

/** Refuses numbers that JavaScript rounds, and nesting that some JSON parsers cannot read. */
function jsonError(value: unknown, depth: number): string | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) return 'Use finite numbers.'
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    return 'Write integers beyond 2^53-1 as strings.'
  }
  if (value === null || typeof value !== 'object') return undefined
  if (depth >= DEPTH_MAX) return `Nest at most ${DEPTH_MAX} levels.`
  for (const item of Object.values(value)) {
    const error = jsonError(item, depth + 1)
    if (error) return error
  }
  return undefined
}

function notAllowed(options: unknown[]): ValueError {
  const optionTexts = JSON.stringify(options).slice(1, -1)
  const allowed = optionTexts.length <= ALLOWED_LENGTH_MAX && { allowed: options }
  return [`Use one of ${optionTexts}.`, { rule: 'one_of', ...allowed }]
}

function constraintError(
  type: SettingType,
  value: unknown,
  { enum: options, min, max, pattern, max_length, schema }: Constraints,
  matches: Matches,
): ValueError | undefined {
  if (options && !options.some((option) => isEqualJson(option, value))) return notAllowed(options)
  if (min !== undefined && Number(value) < min)
    return [`Use ${min} or more.`, { rule: 'at_least', limit: min }]
  if (max !== undefined && Number(value) > max)
    return [`Use at most ${max}.`, { rule: 'at_most', limit: max }]
  const text = type === 'string' ? String(value) : ''
  if (max_length !== undefined && [...text].length > max_length) {
    return [`Use at most ${max_length} characters.`, { rule: 'max_length', limit: max_length }]
  }
  const matchResult = pattern === undefined || matches(pattern, text)
  if (matchResult === 'too costly')
    return ['Matching this text takes too long. Use a shorter text or a simpler pattern.']
  if (!matchResult) return [`Use a value that matches ${pattern}.`]
  const path = schema && schemaErrorPath(schema, value, 'value')
  return path
    ? [`The value does not match its schema at ${path}. Correct the value there.`]
    : undefined
}

/** Compares two JSON values. The order of an object's keys does not matter. */
export function isEqualJson(value: unknown, other: unknown): boolean {
  if (value === null || other === null || typeof value !== 'object' || typeof other !== 'object')
    return value === other
  if (Array.isArray(value) !== Array.isArray(other)) return false
  const keys = Object.keys(value)
  if (keys.length !== Object.keys(other).length) return false
  return keys.every(
    (key) =>
      Object.hasOwn(other, key) &&
      isEqualJson((value as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]),
  )
}

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value

const hasType = (type: NonNullable<ValueSchema['type']>, value: unknown): boolean =>
  type === 'integer' ? Number.isInteger(value) : typeOf(value) === type

/** Returns the path of the first schema violation; undefined if the value matches. */
function schemaErrorPath(schema: ValueSchema, value: unknown, path: string): string | undefined {
  if (schema.type && !hasType(schema.type, value)) return path
  if (schema.enum && !schema.enum.some((option) => isEqualJson(option, value))) return path
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
  const lengthError = rangeErrorPath(value.length, schema.minItems, schema.maxItems, path)
  if (lengthError || !schema.items) return lengthError
  for (const [index, item] of value.entries()) {
    const errorPath = schemaErrorPath(schema.items, item, `${path}[${index}]`)
    if (errorPath) return errorPath
  }
  return undefined
}

function objectErrorPath(
  { properties = {}, required = [], additionalProperties = true }: ValueSchema,
  value: Record<string, unknown>,
  path: string,
): string | undefined {
  const missingKey = required.find((key) => !Object.hasOwn(value, key))
  if (missingKey !== undefined) return `${path}.${missingKey}`
  for (const [key, item] of Object.entries(value)) {
    const schema = Object.hasOwn(properties, key) ? properties[key] : undefined
    if (!schema && !additionalProperties) return `${path}.${key}`
    const errorPath = schema && schemaErrorPath(schema, item, `${path}.${key}`)
    if (errorPath) return errorPath
  }
  return undefined
}
