import type { z } from 'zod'
import { type BrokenRule, brokenRuleIn, type RuleName } from '../kernel/broken-rule.ts'
import { HTTP_ADDRESS, HTTPS_ADDRESS } from '../kernel/shapes.ts'

/** A problem that zod found, with the input if it was kept. */
type Issue = z.core.$ZodIssue | z.core.$ZodRawIssue

/** Returns the rule that an input breaks; undefined for a problem that no rule describes. */
export function ruleOfIssue(issue: Issue): BrokenRule | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return isMissing(issue) ? { rule: 'required' } : typeRule(issue.expected)
    case 'invalid_value':
      return { rule: isMissing(issue) ? 'required' : 'one_of' }
    case 'too_small':
      return bound(MINIMUM[issue.origin], issue, issue.minimum)
    case 'too_big':
      return bound(MAXIMUM[issue.origin], issue, issue.maximum)
    case 'not_multiple_of':
      return { rule: 'multiple_of', limit: issue.divisor }
    case 'invalid_format':
      return formatRule(issue)
    case 'unrecognized_keys':
      return { rule: 'unknown_field' }
    case 'custom':
      return brokenRuleIn(issue.params)
    default:
      return undefined
  }
}

const isMissing = (issue: Issue): boolean =>
  'input' in issue && (issue.input === undefined || issue.input === null)

/** The types of zod that JSON knows under another name. */
const TYPES: Record<string, string> = { int: 'integer', record: 'object', map: 'object' }

const typeRule = (expected: string): BrokenRule => ({
  rule: 'type',
  expected: TYPES[expected] ?? expected,
})

type Bounds = Record<string, [inclusive: RuleName, exclusive?: RuleName]>

/** The rules of sizes and numbers, by the kind of value. */
const MINIMUM: Bounds = {
  string: ['min_length'],
  array: ['min_items'],
  set: ['min_items'],
  number: ['at_least', 'more_than'],
  int: ['at_least', 'more_than'],
  bigint: ['at_least', 'more_than'],
}
const MAXIMUM: Bounds = {
  string: ['max_length'],
  array: ['max_items'],
  set: ['max_items'],
  record: ['max_keys'],
  object: ['max_keys'],
  number: ['at_most', 'less_than'],
  int: ['at_most', 'less_than'],
  bigint: ['at_most', 'less_than'],
}

function bound(
  rules: Bounds[string] | undefined,
  { inclusive }: { inclusive?: boolean | undefined },
  limit: number | bigint,
): BrokenRule | undefined {
  if (rules === undefined) return undefined
  const [ruleWithLimit, ruleWithoutLimit] = rules
  const rule = (inclusive === false ? ruleWithoutLimit : undefined) ?? ruleWithLimit
  return { rule, limit: Number(limit) }
}

const NAMES: Record<string, string> = { datetime: 'date_time' }

/** Formats of zod without a name that programs know. */
const NAMELESS = new Set([
  'regex',
  'starts_with',
  'ends_with',
  'includes',
  'lowercase',
  'uppercase',
])

/** Formats of ours that are patterns, by their text. */
const PATTERNS = new Map([HTTP_ADDRESS, HTTPS_ADDRESS].map((pattern) => [String(pattern), 'url']))

function formatRule({ format, pattern = '' }: { format: string; pattern?: string | undefined }) {
  const name = NAMELESS.has(format) ? PATTERNS.get(pattern) : (NAMES[format] ?? format)
  return { rule: 'format' as const, ...(name !== undefined && { format: name }) }
}
