import { z } from 'zod'
import { list, map } from './bounded.ts'
import { COUNTRIES } from './countries.ts'
import { isHash } from './ids.ts'

/** Shapes that several features share. */

export const LIST_LIMIT_MAX = 100
const LIST_LIMIT_DEFAULT = 25

/**
 * An integer id as text: digits only. `1e3`, `01`, `-1` and numbers beyond 2^53 match no record.
 */
export const IdText = (why: string) =>
  z
    .string()
    .regex(/^[1-9]\d{0,15}$/, why)
    .transform(Number)
    .refine(Number.isSafeInteger, why)
    .meta({ openapi: { type: 'integer', minimum: 1 } })

/** An id in a path or a query. */
export const PathId = IdText('Use the id of a record, such as 42.')

export const Cents = z
  .int('Use an integer in minor units, such as 1999 for 19.99.')
  .min(0, 'Use 0 or more.')
  .max(99_999_999_999, 'Use at most 99999999999.')

const DATE_TIME = 'Use ISO 8601 in UTC with milliseconds, such as 2026-01-31T00:00:00.000Z.'
/** PostgreSQL has no year 0. */
export const DateTime = z.iso
  .datetime({ precision: 3, error: DATE_TIME })
  .refine((text) => !text.startsWith('0000'), DATE_TIME)

/** One line of text with at least one visible character. */
export const Line = (max: number, min = 1) =>
  z
    .string()
    .min(min, min === 1 ? 'Write at least one character.' : `Write at least ${min} characters.`)
    .max(max, `Write at most ${max} characters.`)
    .refine((text) => !/\p{Cc}/u.test(text), 'Remove control characters such as line breaks.')
    .refine(
      (text) => text === '' || /[^\p{White_Space}\p{Cf}]/u.test(text),
      'Write at least one character that can be seen.',
    )

/** Text that may contain line breaks and tabs, but no other control characters. */
export const Text = (max: number, min = 1) =>
  z
    .string()
    .min(min, 'Write at least one character.')
    .max(max, `Write at most ${max} characters.`)
    .refine((text) => !/[^\P{Cc}\t\r\n]/u.test(text), 'Remove control characters.')

/** Refuses more than two decimals. `multipleOf` of zod would accept 5e-324 as a multiple of 0.01. */
export const twoDecimals = (shape: z.ZodNumber): z.ZodNumber =>
  shape
    .refine((value) => Number(value.toFixed(2)) === value, 'Use at most two decimals.')
    .meta({ multipleOf: 0.01 })

export const Percent = twoDecimals(z.number().min(0, 'Use 0 to 100.').max(100, 'Use 0 to 100.'))

const NO_CODE = 'Use two capital letters of ISO 3166-1, such as DE.'
/** The error for a code that has the right form but is not assigned. */
export const NO_COUNTRY = 'No country has this code; use one of ISO 3166-1, such as DE.'

/** An assigned country code (decision 77). */
export const Country = z
  .string()
  .regex(/^[A-Z]{2}$/, { error: NO_CODE, abort: true })
  .refine((code) => COUNTRIES.has(code), NO_COUNTRY)

/** Without flags, so that a JSON Schema can hold it. */
export const HTTP_ADDRESS = /^[Hh][Tt][Tt][Pp][Ss]?:\/\/\S+$/
export const HTTPS_ADDRESS = /^https:\/\/\S+$/
const WHOLE_URL = 'Write a whole address, such as https://example.com/page.'

/** An address that begins as `pattern` says. */
export const Url = (pattern: RegExp) =>
  z
    .string()
    .max(2_048, 'Write at most 2048 characters.')
    .regex(pattern, { error: 'Use an address that begins with https://.', abort: true })
    .refine((text) => !/\p{Cc}/u.test(text) && URL.canParse(text), WHOLE_URL)

export const HttpUrl = Url(HTTP_ADDRESS)

export const Email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254, 'Write at most 254 characters.')
  .pipe(z.email('Use an address such as name@example.com.'))
  .meta({ openapi: { type: 'string', format: 'email', maxLength: 254 } })

const METADATA_KEYS_MAX = 20

/** The caller's own notes, stored unchanged: 20 keys of 40, values of 500 characters. */
export const Metadata = map(Line(40), Text(500, 0), { max: METADATA_KEYS_MAX })

/** The parameters of every list: `limit` 1 to 100, `offset` from 0. */
export const PageQuery = {
  limit: queryInteger(1, LIST_LIMIT_MAX, LIST_LIMIT_DEFAULT).describe(
    'Records on a page, 1 to 100.',
  ),
  offset: queryInteger(0, 2 ** 31 - 1, 0).describe('Records to skip.'),
}

function queryInteger(from: number, to: number, fallback: number) {
  const why = `Use a whole number from ${from} to ${to}.`
  return z
    .string()
    .regex(/^\d{1,10}$/, why)
    .transform(Number)
    .refine((value) => value >= from && value <= to, why)
    .default(fallback)
    .meta({ openapi: { type: 'integer', minimum: from, maximum: to, default: fallback } })
}

/** `status=paid,completed`: one or more values of a closed set (decision 332). */
export const OneOrMoreOf = <const T extends readonly string[]>(values: T) =>
  z
    .string()
    .transform((text) => text.split(','))
    .pipe(list(z.enum(values), { max: values.length }))
    .optional()
    .meta({ openapi: { type: 'array', items: { type: 'string', enum: [...values] }, minItems: 1 } })

/** `country=DE,FR`: one or more country codes. */
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

/** A client that does not URL-encode the + of an offset sends it as a space. */
const sayMoment = ({ input }: { input?: unknown }) =>
  /T.* \d\d:\d\d$/.test(String(input))
    ? 'Write the + of the offset as %2B: in a URL a + is a space.'
    : 'Write a date with a time and Z or an offset, such as 2026-01-31T00:00:00Z.'

/** A time in a filter, in UTC. `created_from` is inclusive, `created_to` exclusive. */
export const QueryTime = z.iso
  .datetime({ offset: true, error: sayMoment })
  .transform((text) => new Date(text).toISOString())
  .refine((text) => /^(?!0000)\d{4}-/.test(text), 'Use a year from 0001 to 9999.')
  .meta({ openapi: { type: 'string', format: 'date-time' } })

export const Pagination = z
  .object({
    total: z.int().describe('Records that match, on all pages.'),
    limit: z.int().describe('The page size that was used.'),
    offset: z.int().describe('How many records were skipped.'),
    has_more: z.boolean().describe('True if another page follows.'),
  })
  .meta({ id: 'Pagination', description: 'The position of this page in the whole list.' })

export const Deleted = {
  deleted: z.literal(true).describe('Always true.'),
}

/** A product in a path: its hash of 12 characters, or its numeric id (decision 30). */
export const ProductRef = z
  .string()
  .refine(
    (text) => isHash(text) || PathId.safeParse(text).success,
    'Use the 12 characters of a product hash, or its numeric id.',
  )
  .meta({ pattern: '^((?=.*[A-Za-z])[0-9A-Za-z]{12}|[1-9][0-9]{0,15})$' })
  .describe('The product hash; the numeric id is accepted too.')
