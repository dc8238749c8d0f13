import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'

// A refusal of a request names its field in the sentence, and lists every invalid field (decision 514).

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
  const message = `Write an object in braces, { }, not ${kind}.`
  expect([status, json]).toMatchObject([
    422,
    {
      error: `body: ${message}`,
      details: { field: 'body', errors: [{ field: 'body', message }] },
    },
  ])
})

test('a parameter is named too', async () => {
  const { json } = await tradepost.get('/orders?limit=1000')
  expect(json).toMatchObject({
    error: 'limit: Use a whole number from 1 to 100.',
    details: { field: 'limit', errors: [{ field: 'limit' }] },
  })
})
