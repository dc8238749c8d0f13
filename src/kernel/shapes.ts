import { z } from 'zod'
import { list, map } from './bounded.ts'
import { type BrokenRule, withRule } from './broken-rule.ts'
import { COUNTRIES } from './countries.ts'
import { canonicalEmail, EMAIL_MAX, isEmail } from './email.ts'
import { isHash } from './ids.ts'

import {
  hasHiddenCharacters,
  URL_LENGTH_ERROR,
  URL_MAX,
  URL_SPACES_ERROR,
  urlProblem,
} from './url-problem.ts'

/** Shapes that several features share. */

export const LIST_LIMIT_MAX = 100
const LIST_LIMIT_DEFAULT = 25

/** Creates the shape of an integer id as text. `1e3`, `01`, `-1` and numbers above 2^53 are refused. */
export const IdText = (message: string) =>
  z
    .string()
    .regex(/^[1-9]\d{0,15}$/, message)
    .transform(Number)
    .refine(Number.isSafeInteger, message)
    .meta({ openapi: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER } })

/** An id in a path or a query. */
export const PathId = IdText('Use the id of a record, such as 42.')

/**
 * Returns a message for a wrong value. A missing field has the message of the reader of the request, which says that the
 * field is required.
 */
export const unlessMissing =
  (message: string) =>
  ({ input }: { input?: unknown }): string | undefined =>
    input === undefined ? undefined : message

export const Cents = z
  .int({ error: unlessMissing('Use an integer in minor units, such as 1999 for 19.99.') })
  .min(0, 'Use 0 or more.')
  .max(99_999_999_999, 'Use at most 99999999999.')

const DATE_TIME_ERROR = 'Use ISO 8601 in UTC with milliseconds, such as 2026-01-31T00:00:00.000Z.'
/** PostgreSQL has no year 0. */
export const DateTime = z.iso
  .datetime({
    precision: 3,
    error: unlessMissing(DATE_TIME_ERROR),
  })
  .refine((text) => !text.startsWith('0000'), DATE_TIME_ERROR)

const NOT_VISIBLE = withRule('Write at least one visible character.', {
  rule: 'min_length',
  limit: 1,
})
const isVisible = (text: string): boolean => /[^\p{White_Space}\p{Cf}]/u.test(text)

/** Creates the shape of one line of text with at least one visible character. */
export const Line = (max: number, min = 1) =>
  z
    .string()
    .min(min, min === 1 ? 'Write at least one character.' : `Write at least ${min} characters.`)
    .max(max, `Write at most ${max} characters.`)
    .refine((text) => !/\p{Cc}/u.test(text), 'Remove control characters such as line breaks.')
    .refine((text) => text === '' || isVisible(text), NOT_VISIBLE)

/**
 * Creates the shape of a text of certain characters. A text that is too long is refused for its length alone, because
 * each of its characters may be allowed.
 */
export const Characters = (max: number, pattern: RegExp, error: string) =>
  z
    .string()
    .max(max, { error: `Write at most ${max} characters.`, abort: true })
    .regex(pattern, error)

/** Creates the shape of a code that is looked up. White space around it comes from copying and is removed (decision 183). */
export const TypedCode = (max: number) =>
  z
    .string()
    .trim()
    .pipe(Line(max))
    .meta({ openapi: { type: 'string', minLength: 1, maxLength: max } })

/** False for the names `.` and `..`, which programs resolve when they are in a path (decision 171). */
export const isNoDotName = (name: string): boolean => name !== '.' && name !== '..'
export const DOT_NAME = 'Use another name than . and .., which stand for folders.'

/** Stands for bytes that a program could not decode, so a text with it is not what its author wrote (decision 181). */
export const REPLACEMENT = '\ufffd'
export const WRONG_ENCODING =
  'Remove the character U+FFFD. It shows that a file was read with another encoding than its own; read it as UTF-8.'

/** Creates the shape of text with line breaks and tabs but no other control characters. */
export const Text = (max: number, min = 1) =>
  z
    .string()
    .min(min, 'Write at least one character.')
    .max(max, `Write at most ${max} characters.`)
    .refine((text) => !/[^\P{Cc}\t\r\n]/u.test(text), 'Remove control characters.')

/** Creates the shape of text with at least one visible character. */
export const VisibleText = (max: number) => Text(max).refine(isVisible, NOT_VISIBLE)

/** Refuses more than two decimals. zod's `multipleOf` would accept 5e-324 as a multiple of 0.01. */
export const twoDecimals = (shape: z.ZodNumber): z.ZodNumber =>
  shape
    .refine(
      (value) => Number(value.toFixed(2)) === value,
      withRule('Use at most two decimals.', { rule: 'max_decimals', limit: 2 }),
    )
    .meta({ multipleOf: 0.01 })

export const Percent = twoDecimals(z.number().min(0, 'Use 0 to 100.').max(100, 'Use 0 to 100.'))

const COUNTRY_FORM_ERROR = 'Use two capital letters of ISO 3166-1, such as DE.'
/** The error for a code that has the right form but is not assigned. */
export const NO_COUNTRY = 'No country has this code. Use one of ISO 3166-1, such as DE.'

/** An assigned country code. */
export const Country = z
  .string()
  .regex(/^[A-Z]{2}$/, { error: COUNTRY_FORM_ERROR, abort: true })
  .refine((code) => COUNTRIES.has(code), NO_COUNTRY)

/** These patterns have no flags, because JSON Schema does not support flags. */
export const HTTP_ADDRESS = /^[Hh][Tt][Tt][Pp][Ss]?:\/\/\S+$/
export const HTTPS_ADDRESS = /^https:\/\/\S+$/
const EXAMPLE_URL = 'https://example.com/page'
const URL_RULE: BrokenRule = { rule: 'format', format: 'url' }

/** Creates the shape of a URL that matches the pattern. */
export const Url = (pattern: RegExp) =>
  z
    .string()
    .max(URL_MAX, URL_LENGTH_ERROR)
    .regex(pattern, { error: ({ input }) => schemeError(String(input)), abort: true })
    .superRefine((text, check) => {
      const message = urlProblem(text, EXAMPLE_URL)
      if (message) check.addIssue({ code: 'custom', message, params: URL_RULE })
    })

const schemeError = (text: string) =>
  hasHiddenCharacters(text) ? URL_SPACES_ERROR : 'Use a URL that begins with https://.'

export const HttpUrl = Url(HTTP_ADDRESS)

/**
 * Creates the shape of an email address, which is stored in lower case, with its domain in the script in which it was
 * written (decisions 183 and 448).
 */
export const Email = z
  .string()
  .trim()
  .toLowerCase()
  .max(EMAIL_MAX, `Write at most ${EMAIL_MAX} characters.`)
  .refine(
    isEmail,
    withRule('Use an address such as name@example.com.', { rule: 'format', format: 'email' }),
  )
  .overwrite(canonicalEmail)
  .meta({ openapi: { type: 'string', format: 'email', maxLength: EMAIL_MAX } })

const METADATA_KEYS_MAX = 20

/** Free data of the caller, stored unchanged: 20 keys of 40 characters, with values of 500 characters. */
export const Metadata = map(Line(40), Text(500, 0), { max: METADATA_KEYS_MAX })

const OFFSET_MAX = 2 ** 31 - 1

/** The parameters of every list. */
export const PageQuery = {
  limit: queryInteger(1, LIST_LIMIT_MAX, LIST_LIMIT_DEFAULT).describe(
    'The number of records on a page, 1 to 100.',
  ),
  offset: queryInteger(0, OFFSET_MAX, 0).describe('The number of records to skip.'),
}

function queryInteger(from: number, to: number, fallback: number) {
  return integerText(from, to)
    .default(fallback)
    .meta({ openapi: { type: 'integer', minimum: from, maximum: to, default: fallback } })
}

function integerText(from: number, to: number) {
  const message = `Use a whole number from ${from} to ${to}.`
  return (
    z
      .string()
      .regex(/^-?\d{1,20}$/, message)
      // Without the addition, the text "-0" would be the number -0.
      .transform((text) => Number(text) + 0)
      .refine((value) => value >= from, withRule(message, { rule: 'at_least', limit: from }))
      .refine((value) => value <= to, withRule(message, { rule: 'at_most', limit: to }))
  )
}

/**
 * Creates the shape of a parameter such as `status=paid,completed`: values of a closed set (decision 44). `id` is the
 * name of the schema of one value, if another shape has it.
 */
export const OneOrMoreOf = <const T extends readonly string[]>(values: T, id?: string) =>
  z
    .string()
    .transform((text) => text.split(','))
    .pipe(list(z.enum(values), { max: values.length }))
    .optional()
    .meta({
      openapi: {
        type: 'array',
        items: id ? { $ref: `#/$defs/${id}` } : { type: 'string', enum: [...values] },
        minItems: 1,
      },
    })

/** The shape of a parameter such as `country=DE,FR`: one or more country codes. */
export const Countries = z
  .string()
  .transform((text) => text.split(','))
  .pipe(list(Country, { max: COUNTRIES.size }))
  .optional()
  .meta({
    openapi: { type: 'array', items: { type: 'string', pattern: '^[A-Z]{2}$' }, minItems: 1 },
  })

export const QueryBoolean = z
  .enum(['true', 'false'], 'Use true or false.')
  .transform((text) => text === 'true')
  .meta({ openapi: { type: 'boolean' } })

/** Returns the message for a time. A + of an offset that is not URL-encoded arrives as a space. */
const describeTime = (input: unknown): string =>
  typeof input === 'string' && input.includes('T') && / \d\d:\d\d$/.test(input)
    ? 'Write the + of the offset; in a URL, write it as %2B.'
    : 'Write a date with a time and Z or an offset, such as 2026-01-31T00:00:00Z.'

/** A time that a caller sends, with any offset and precision. It is read as UTC with milliseconds. */
export const InputTime = z.iso
  .datetime({
    offset: true,
    error: ({ input }) => (input === undefined ? undefined : describeTime(input)),
  })
  .transform((text) => new Date(text).toISOString())
  .refine((text) => /^(?!0000)\d{4}-/.test(text), 'Use a year from 0001 to 9999.')
  .meta({ openapi: { type: 'string', format: 'date-time' } })

/** The parameters of every list of records that have `created_at`. */
export const ListQuery = {
  ...PageQuery,
  created_from: InputTime.optional().describe(
    'Only records that were created at or after this time.',
  ),
  created_to: InputTime.optional().describe('Only records that were created before this time.'),
}

/** The parameters of a list whose pages can also begin after a cursor (decision 487). */
export const CursorListQuery = {
  ...ListQuery,
  offset: integerText(0, OFFSET_MAX)
    .optional()
    .meta({ openapi: { type: 'integer', minimum: 0, maximum: OFFSET_MAX } })
    .describe('The number of records to skip. Not together with `cursor`.'),
  cursor: z
    .string()
    .max(512, 'Use the `next_cursor` of the previous page.')
    .optional()
    .describe(
      'The `next_cursor` of the previous page, with the same filters and sort. Unlike an offset, it repeats and misses no record while others are created.',
    ),
}

export const Pagination = z
  .object({
    total: z.int().describe('The number of matching records on all pages.'),
    limit: z.int().describe('The number of records on a page.'),
    offset: z.int().describe('The number of skipped records.'),
    has_more: z.boolean().describe('True if another page follows.'),
  })
  .meta({ id: 'Pagination', description: 'The position of this page in the whole list.' })

export const CursorPagination = Pagination.extend({
  next_cursor: z
    .string()
    .nullable()
    .describe('The `cursor` of the next page; null on the last page.'),
}).meta({
  id: 'CursorPagination',
  description: 'The position of this page in the whole list, and the cursor of the next one.',
})

/**
 * Makes the fields of a new record optional, and states the values of those that are left out. The use case gives them
 * these values, so a body is parsed without them.
 */
export function optionalFields<S extends z.ZodRawShape>(
  fields: S,
  defaults: { readonly [K in keyof S]?: unknown },
): { [K in keyof S]: z.ZodOptional<S[K]> } {
  const shape = z.object(fields).partial().shape as Record<string, z.ZodType>
  const entries = Object.entries(shape).map(([name, field]) => [
    name,
    name in defaults ? field.meta({ default: defaults[name] }) : field,
  ])
  return Object.fromEntries(entries)
}

export const Deleted = {
  deleted: z.literal(true).describe('Always true.'),
}

/** The shape of a product in a path: its hash of 12 characters or its numeric id (decision 30). */
export const ProductRef = z
  .string()
  .refine(
    (text) => isHash(text) || PathId.safeParse(text).success,
    'Use the 12 characters of a product hash, or its numeric id.',
  )
  .meta({ pattern: '^((?=.*[A-Za-z])[0-9A-Za-z]{12}|[1-9][0-9]{0,15})$' })
  .describe('The hash of the product. Its numeric id is also accepted.')
