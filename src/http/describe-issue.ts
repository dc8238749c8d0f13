import { z } from 'zod'
import { PROBLEMS_MAX } from '../kernel/bounded.ts'
import { shorten } from '../kernel/echo.ts'
import { nearestName } from './nearest-name.rules.ts'

type Issue = z.core.$ZodRawIssue

/**
 * The default message for a problem that a shape finds: what to send instead. A message in the
 * shape itself takes precedence.
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
      return 'Write another value: this one cannot be used here.'
  }
}

/**
 * The same for query parameters and path ids, where every value is text and only a repeated name is
 * a list.
 */
export const describeParameterIssue = (issue: Issue): string | undefined =>
  issue.code === 'invalid_type' && Array.isArray(issue.input)
    ? 'Send this parameter once.'
    : describeIssue(issue)

const REQUIRED = 'This field is required.'

const WANTED: Record<string, string> = {
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
  const wanted = WANTED[expected] ?? `Write a value of the type ${expected}`
  const fraction = expected === 'int' && typeof input === 'number'
  return `${wanted}, not ${fraction ? 'a fraction' : kindOf(input)}.`
}

/**
 * The type of the input, never its value: an answer must not show whether an id exists in another
 * store.
 */
function kindOf(input: unknown): string {
  if (input === null) return 'null'
  if (Array.isArray(input)) return 'a list'
  return KINDS[typeof input] ?? 'an object'
}

const KINDS: Record<string, string> = {
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
}

const many = (count: number | bigint, item: string, more = `${item}s`) =>
  Number(count) === 1 ? `one ${item}` : `${count} ${more}`

function describeTooBig({
  origin,
  maximum,
  inclusive,
}: z.core.$ZodRawIssue<z.core.$ZodIssueTooBig>) {
  if (origin === 'string') return `Write at most ${many(maximum, 'character')}.`
  if (origin === 'array' || origin === 'set')
    return `List at most ${many(maximum, 'entry', 'entries')}.`
  if (origin === 'record' || origin === 'object') return `Use at most ${many(maximum, 'key')}.`
  return inclusive === false ? `Use less than ${maximum}.` : `Use at most ${maximum}.`
}

function describeTooSmall({
  origin,
  minimum,
  inclusive,
}: z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall>) {
  if (origin === 'string') return `Write at least ${many(minimum, 'character')}.`
  if (origin === 'array' || origin === 'set')
    return `List at least ${many(minimum, 'entry', 'entries')}.`
  if (origin === 'record' || origin === 'object') return `Use at least ${many(minimum, 'key')}.`
  return inclusive === false ? `Use more than ${minimum}.` : `Use ${minimum} or more.`
}

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
  const all = values.map((value) => String(value)).join(', ')
  const advice = values.length > 1 ? `Use one of ${all}.` : `Use ${all}.`
  return input === undefined ? `${REQUIRED} ${advice}` : advice
}

/** One message for each unknown key, as many as a refusal lists. */
function describeUnknown({
  keys,
  inst,
  input,
}: z.core.$ZodRawIssue<z.core.$ZodIssueUnrecognizedKeys>) {
  const unused =
    inst instanceof z.ZodObject
      ? Object.keys(inst.shape).filter((name) => !hasOwn(input, name))
      : []
  const lines = keys.slice(0, PROBLEMS_MAX).map((key) => {
    const suggestion = nearestName(key, unused)
    const advice = suggestion === undefined ? 'remove it.' : `did you mean "${suggestion}"?`
    return `${JSON.stringify(shorten(key))} is not a field of this request; ${advice}`
  })
  return lines.join('\n')
}

const hasOwn = (input: unknown, name: string): boolean => Object.hasOwn(Object(input), name)

/** The messages of all options of a union, without duplicates. */
function describeUnion(branches: readonly (readonly { message: string }[])[]): string | undefined {
  const ways = [...new Set(branches.flatMap((branch) => branch[0]?.message ?? []))]
  return ways.length === 0 ? undefined : ways.join(' Or: ')
}
