/** The kinds of requirements that an input can break, for programs (decision 515). */
export const RULES = {
  required: 'the field is missing, or null where a value is needed',
  type: 'the value has another type than `expected`',
  at_least: 'the number is less than `limit`',
  at_most: 'the number is more than `limit`',
  more_than: 'the number is not more than `limit`',
  less_than: 'the number is not less than `limit`',
  multiple_of: 'the number is not a multiple of `limit`',
  max_decimals: 'the number has more than `limit` decimals',
  min_length: 'the text has fewer than `limit` visible characters',
  max_length: 'the text has more than `limit` characters',
  max_bytes: 'the value has more than `limit` bytes',
  min_items: 'the list has fewer than `limit` entries',
  max_items: 'the list has more than `limit` entries',
  max_keys: 'the object has more than `limit` keys',
  unique: 'an entry is in the list twice',
  one_of: 'the value is none of `allowed`',
  format: 'the text has another form, such as that of `format`',
  unknown_field: 'the request has no such field',
} as const

export type RuleName = keyof typeof RULES

/** The requirement that an input does not meet, as it stands in `details.errors`. */
export interface BrokenRule {
  rule: RuleName
  limit?: number
  /** The type of JSON that is needed. */
  expected?: string
  /** The form that is needed, if it has a name, such as `email`. */
  format?: string
}

/** Returns the options of a zod check that has its own message and names the rule that an input breaks. */
export const withRule = (error: string, params: BrokenRule) => ({ error, params })

/** Returns the properties of the rule among other properties; nothing if there is no rule. */
export function brokenRuleIn(details: unknown): BrokenRule | undefined {
  const { rule, limit, expected, format } = Object(details) as Partial<BrokenRule>
  if (rule === undefined) return undefined
  return {
    rule,
    ...(limit !== undefined && { limit }),
    ...(expected !== undefined && { expected }),
    ...(format !== undefined && { format }),
  }
}
