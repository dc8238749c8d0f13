import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'

// A refusal of a request names its field in the sentence, and lists every invalid field (decision 515).

let tradepost: Tradepost
beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const REQUIRED = 'This field is required.'

test.each<[string, Json, string[]]>([
  ['/products', { name: 'x' }, ['price_cents']],
  ['/products', {}, ['name', 'price_cents']],
  ['/products', { name: 'x', variants: [{ name: 'y' }] }, ['variants[0].price_cents']],
  ['/orders', {}, ['items', 'customer']],
  ['/coupons', {}, ['type']],
  ['/webhooks', { events: ['*'] }, ['url']],
])('POST %s with %j names its missing fields', async (path, body, fields) => {
  const { status, json } = await tradepost.post(path, body)
  const errors: Json[] = json.details.errors
  expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', fields[0]])
  expect(errors.map(({ field }) => field)).toEqual(fields)
  for (const { message } of errors) expect(message).toContain(REQUIRED)
  expect(json.error).toBe(`${fields[0]}: ${errors[0]?.message}`)
})

test('a field that is invalid for another record is named and listed too', async () => {
  const fields = { name: 'Chess', price_cents: 1, slug: 'chess' }
  expect((await tradepost.post('/products', fields)).status).toBe(201)
  const { json } = await tradepost.post('/products', fields)
  const message = 'Another product has this slug. Use another one.'
  expect(json).toMatchObject({
    error: `slug: ${message}`,
    details: { field: 'slug', reason: 'taken', errors: [{ field: 'slug', message }] },
  })
})

test.each([
  ['[1]', 'a list'],
  ['"x"', 'text'],
  ['7', 'a number'],
  ['null', 'null'],
])('the body %s is refused, because it is no object', async (payload, kind) => {
  const { status, json } = await tradepost.call('POST', '/products', { raw: payload })
  const message = `Send the fields of the request in one JSON object, not ${kind}.`
  expect([status, json]).toMatchObject([
    422,
    {
      error: `body: ${message}`,
      details: { field: 'body', errors: [{ field: 'body', message }] },
    },
  ])
})

test.each([
  ['', 'The body ends before its JSON is complete. Send JSON in UTF-8.'],
  ['"x"', 'The body is not valid JSON at line 2, column 15. Send JSON in UTF-8.'],
])('JSON that is not valid is refused with the position of the fault (%j)', async (rest, error) => {
  const { status, json } = await tradepost.call('POST', '/products', {
    raw: `{\n  "name": ${rest}${rest === '' ? '' : ' "y"}'}`,
  })
  expect([status, json.code, json.error]).toEqual([400, 'INVALID_JSON', error])
})

test('a body of another type is refused with the header that it needs', async () => {
  const { status, json } = await tradepost.call('POST', '/products', {
    raw: 'name=Chess',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  const error = 'Send the header Content-Type: application/json, and the body as JSON in UTF-8.'
  expect([status, json.code, json.error]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE', error])
})

test('a PATCH without a body is refused with the fields to send', async () => {
  const { json } = await tradepost.call('PATCH', '/account/settings', {})
  expect(json.details.errors).toMatchObject([{ field: 'body', rule: 'required' }])
})

test('a parameter is named too', async () => {
  const { json } = await tradepost.get('/orders?limit=1000')
  expect(json).toMatchObject({
    error: 'limit: Use a whole number from 1 to 100.',
    details: { field: 'limit', errors: [{ field: 'limit' }] },
  })
})
