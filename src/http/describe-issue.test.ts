import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { invalid, Refusal } from '../kernel/errors.ts'
import { InputTime } from '../kernel/shapes.ts'
import { readRequest } from './read-request.ts'

/** Returns the error of a request with this value in one field. */
function errorOf(shape: z.ZodType, value: unknown): { field: unknown; error: string } {
  const body = Buffer.from(JSON.stringify(value === undefined ? {} : { field: value }))
  const raw = { contentType: 'application/json', params: {}, query: {}, body }
  try {
    readRequest({ method: 'POST', path: '/', body: z.strictObject({ field: shape }) }, raw)
  } catch (error) {
    const { details, message } = error as ReturnType<typeof invalid>
    return { field: details?.field, error: message }
  }
  throw new Error('The request was not refused.')
}

test.each<[string, z.ZodType, unknown, string]>([
  ['a missing field', z.string(), undefined, 'This field is required.'],
  [
    'a missing enum value',
    z.enum(['on', 'off']),
    undefined,
    'This field is required. Use one of on, off.',
  ],
  ['a number for text', z.string(), 1, 'Write text in quotes, not a number.'],
  ['null for text', z.string(), null, 'Write text in quotes, not null.'],
  ['text for a number', z.number(), '1', 'Write a number without quotes, not text.'],
  [
    'a fraction for an integer',
    z.int(),
    1.5,
    'Write a whole number without quotes, not a fraction.',
  ],
  ['text for a boolean', z.boolean(), 'true', 'Write true or false without quotes, not text.'],
  ['an object for a list', z.array(z.int()), {}, 'Write a list in brackets, [ ], not an object.'],
  ['a list for an object', z.object({}), [], 'Write an object in braces, { }, not a list.'],
  [
    'true for a map',
    z.record(z.string(), z.int()),
    true,
    'Write an object in braces, { }, not true or false.',
  ],
  ['a long text', z.string().max(3), 'long', 'Write at most 3 characters.'],
  ['an empty text', z.string().min(1), '', 'Write at least one character.'],
  ['a long list', z.array(z.int()).max(2), [1, 2, 3], 'List at most 2 entries.'],
  ['an empty list', z.array(z.int()).min(1), [], 'List at least one entry.'],
  ['a large number', z.int().max(9), 10, 'Use at most 9.'],
  ['a number equal to its exclusive maximum', z.number().lt(9), 9, 'Use less than 9.'],
  ['a small number', z.int().min(2), 1, 'Use 2 or more.'],
  ['a number that is not positive', z.number().positive(), 0, 'Use more than 0.'],
  ['a number past 2^53', z.int(), 1e300, 'Use at most 9007199254740991.'],
  ['a number between steps', z.number().multipleOf(5), 7, 'Use a multiple of 5.'],
  ['a value that is not in the list', z.enum(['a', 'b']), 'c', 'Use one of a, b.'],
  ['a value other than the only allowed one', z.literal('a'), 'c', 'Use a.'],
  [
    'a time without its zone',
    z.iso.datetime(),
    '2026-01-31',
    'Use ISO 8601 in UTC, such as 2026-01-31T00:00:00.000Z.',
  ],
  ['text that is no email', z.email(), 'ada', 'Use an address such as name@example.com.'],
  [
    'text that does not fit its pattern',
    z.string().regex(/^[a-z]+$/),
    'A',
    'Write it in the form /^[a-z]+$/.',
  ],
  [
    'a value that matches no option',
    z.union([z.ipv4(), z.ipv6()]),
    'x',
    'Use an IPv4 address such as 203.0.113.7. Or: Use an IPv6 address such as 2001:db8::7.',
  ],
  [
    'a rule without a message',
    z.string().refine(() => false),
    'x',
    'This value cannot be used here. Write another value.',
  ],
  [
    'a moment without an offset',
    InputTime,
    '2026-01-31 09:30',
    'Write a date with a time and Z or an offset, such as 2026-01-31T00:00:00Z.',
  ],
  [
    'a + that arrived as a space',
    InputTime,
    '2026-01-31T09:30:00 02:00',
    'Write the + of the offset; in a URL, write it as %2B.',
  ],
  ['a shape with its own message', z.int('Use cents.').max(9, 'At most nine.'), 'x', 'Use cents.'],
])('%s is refused, and the error says what to write', (_, shape, value, error) => {
  expect(errorOf(shape, value)).toEqual({ field: 'field', error })
})

test('an invalid key of a map is named with the reason', () => {
  const map = z.record(z.string().max(3), z.string())
  const { field, error } = errorOf(map, { long: 'x' })
  expect(error).toBe('Change the key "long": Write at most 3 characters.')
  expect(field).toBe('field.long')
})

test('an unknown field is named', () => {
  expect(errorOf(z.strictObject({ a: z.int().optional() }), { b: 1 })).toEqual({
    field: 'field.b',
    error: '"b" is not a field of this request; remove it.',
  })
})

describe('an unknown field', () => {
  const shape = z.strictObject({
    price_cents: z.int().optional(),
    name: z.string().optional(),
    variant_id: z.int().optional(),
    sku: z.string().optional(),
  })

  test.each([
    ['priceCents', 'price_cents'],
    ['Price-Cents', 'price_cents'],
    ['price', 'price_cents'],
    ['price_cnets', 'price_cents'],
    ['variant', 'variant_id'],
    ['id', 'variant_id'],
    ['nam', 'name'],
    // Short names allow fewer typing errors.
    ['nmae', undefined],
    ['sk', undefined],
    ['colour', undefined],
    ['', undefined],
    ['toString', undefined],
  ])('"%.20s" is refused, and the suggested field is %s', (sentName, suggestion) => {
    const advice = suggestion ? `did you mean "${suggestion}"?` : 'remove it.'
    expect(errorOf(shape, { [sentName]: 1 })).toEqual({
      field: `field.${sentName}`,
      error: `"${sentName}" is not a field of this request; ${advice}`,
    })
  })

  test('is quoted up to 100 characters (decision 120)', () => {
    const quoted = `${'x'.repeat(99)}…`
    expect(errorOf(shape, { ['x'.repeat(100_000)]: 1 })).toEqual({
      field: `field.${quoted}`,
      error: `"${quoted}" is not a field of this request; remove it.`,
    })
  })

  test('is not matched with a field that the request has', () => {
    const { error } = errorOf(shape, { price_cents: 1, price: 2 })
    expect(error).toBe('"price" is not a field of this request; remove it.')
  })

  test('is listed with the other errors, 20 at most', () => {
    const raw = (body: unknown) => ({
      contentType: 'application/json',
      params: {},
      query: {},
      body: Buffer.from(JSON.stringify(body)),
    })
    const errorsOf = (body: unknown) => {
      try {
        readRequest({ method: 'POST', path: '/', body: shape }, raw(body))
      } catch (error) {
        return (error as Refusal).details?.errors
      }
      throw new Error('The request was not refused.')
    }
    expect(errorsOf({ nam: 'x', 'two\nlines': 1 })).toEqual([
      {
        field: 'nam',
        message: '"nam" is not a field of this request; did you mean "name"?',
        rule: 'unknown_field',
      },
      {
        field: 'two\nlines',
        message: '"two\\nlines" is not a field of this request; remove it.',
        rule: 'unknown_field',
      },
    ])
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`pric${n}`, n]))
    expect(errorsOf(many)).toHaveLength(20)
  })
})

test('a repeated query parameter is refused', () => {
  const raw = { contentType: undefined, params: {}, query: { a: ['1', '2'] }, body: undefined }
  const read = () =>
    readRequest({ method: 'GET', path: '/', query: z.object({ a: z.string() }) }, raw)
  expect(read).toThrow('Send this parameter once.')
})
