import { z } from 'zod'
import { PROBLEMS_MAX } from '../kernel/bounded.ts'
import { shorten } from '../kernel/echo.ts'
import { nearestName } from './nearest-name.rules.ts'

type Issue = z.core.$ZodRawIssue

/**
 * Returns the default message for a problem that a shape finds. A message in the shape itself takes
 * precedence.
 */
export function describeIssue(issue: Issue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return describeType(issue.expected, issue.input)
    case 'too_big':
      return describeTooBig(issue)
    case 'too_small':
      return describeTooSmall(issue)
    case 'invalid_format':
      return FORMATS[issue.format] ?? `Write it in the form ${issue.pattern ?? issue.format}.`
    case 'not_multiple_of':
      return `Use a multiple of ${issue.divisor}.`
    case 'invalid_value':
      return describeValues(issue)
    case 'invalid_key':
      return `Change the key "${shorten(String(issue.path?.at(-1)))}": ${issue.issues[0]?.message}`
    case 'invalid_union':
      return describeUnion(issue.errors)
    case 'unrecognized_keys':
      return describeUnknown(issue)
    default:
      return 'This value cannot be used here. Write another value.'
  }
}

/**
 * Returns the message for a query parameter or a path id. These are texts; a list means that the name
 * was repeated.
 */
export const describeParameterIssue = (issue: Issue): string | undefined =>
  issue.code === 'invalid_type' && Array.isArray(issue.input)
    ? 'Send this parameter once.'
    : describeIssue(issue)

const REQUIRED = 'This field is required.'

const TYPE_ADVICE: Record<string, string> = {
  string: 'Write text in quotes',
  number: 'Write a number without quotes',
  int: 'Write a whole number without quotes',
  boolean: 'Write true or false without quotes',
  array: 'Write a list in brackets, [ ]',
  object: 'Write an object in braces, { }',
  record: 'Write an object in braces, { }',
  null: 'Write null',
}

function describeType(expected: string, input: unknown): string {
  if (input === undefined) return REQUIRED
  const advice = TYPE_ADVICE[expected] ?? `Write a value of the type ${expected}`
  const isFraction = expected === 'int' && typeof input === 'number'
  return `${advice}, not ${isFraction ? 'a fraction' : kindOf(input)}.`
}

/**
 * Returns the type of the input. The message never contains its value, because an answer must not show
 * whether an id exists in another store.
 */
export function kindOf(input: unknown): string {
  if (input === null) return 'null'
  if (Array.isArray(input)) return 'a list'
  return KINDS[typeof input] ?? 'an object'
}

const KINDS: Record<string, string> = {
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
}

/** The verb of a message about a size, and the units that are counted, by the kind of value. */
const SIZES: Record<string, [verb: string, unit: string, units: string]> = {
  string: ['Write', 'character', 'characters'],
  array: ['List', 'entry', 'entries'],
  set: ['List', 'entry', 'entries'],
  record: ['Use', 'key', 'keys'],
  object: ['Use', 'key', 'keys'],
}

/** Returns undefined for a number, which has no size. */
function describeSize(
  origin: string,
  bound: 'at most' | 'at least',
  count: number | bigint,
): string | undefined {
  const size = SIZES[origin]
  if (!size) return undefined
  const [verb, unit, units] = size
  return `${verb} ${bound} ${Number(count) === 1 ? `one ${unit}` : `${count} ${units}`}.`
}

const describeTooBig = ({
  origin,
  maximum,
  inclusive,
}: z.core.$ZodRawIssue<z.core.$ZodIssueTooBig>) =>
  describeSize(origin, 'at most', maximum) ??
  (inclusive === false ? `Use less than ${maximum}.` : `Use at most ${maximum}.`)

const describeTooSmall = ({
  origin,
  minimum,
  inclusive,
}: z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall>) =>
  describeSize(origin, 'at least', minimum) ??
  (inclusive === false ? `Use more than ${minimum}.` : `Use ${minimum} or more.`)

const FORMATS: Record<string, string> = {
  email: 'Use an address such as name@example.com.',
  url: 'Use an address that begins with https://.',
  datetime: 'Use ISO 8601 in UTC, such as 2026-01-31T00:00:00.000Z.',
  date: 'Use a date such as 2026-01-31.',
  time: 'Use a time such as 23:59:59.',
  ipv4: 'Use an IPv4 address such as 203.0.113.7.',
  ipv6: 'Use an IPv6 address such as 2001:db8::7.',
  cidrv4: 'Use a range such as 203.0.113.0/24.',
  cidrv6: 'Use a range such as 2001:db8::/32.',
  base64: 'Use base64, such as aGVsbG8=.',
  base64url: 'Use base64url, such as aGVsbG8.',
  uuid: 'Use a UUID such as 123e4567-e89b-42d3-a456-426614174000.',
}

function describeValues({
  values,
  input,
}: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidValue>): string {
  const valueList = values.map((value) => String(value)).join(', ')
  const advice = values.length > 1 ? `Use one of ${valueList}.` : `Use ${valueList}.`
  return input === undefined ? `${REQUIRED} ${advice}` : advice
}

/** Returns a message for each unknown key, up to the number that a refusal lists. */
function describeUnknown({
  keys,
  inst,
  input,
}: z.core.$ZodRawIssue<z.core.$ZodIssueUnrecognizedKeys>) {
  const unusedNames =
    inst instanceof z.ZodObject
      ? Object.keys(inst.shape).filter((name) => !hasOwn(input, name))
      : []
  const lines = keys.slice(0, PROBLEMS_MAX).map((key) => {
    const suggestion = nearestName(key, unusedNames)
    const advice = suggestion === undefined ? 'remove it.' : `did you mean "${suggestion}"?`
    return `${JSON.stringify(shorten(key))} is not a field of this request; ${advice}`
  })
  return lines.join('\n')
}

const hasOwn = (input: unknown, name: string): boolean => Object.hasOwn(Object(input), name)

/** Joins the messages of all options of a union, without duplicates. */
function describeUnion(branches: readonly (readonly { message: string }[])[]): string | undefined {
  const options = [...new Set(branches.flatMap((branch) => branch[0]?.message ?? []))]
  return options.length === 0 ? undefined : options.join(' Or: ')
}
