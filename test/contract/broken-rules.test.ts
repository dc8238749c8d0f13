import { afterAll, beforeAll, expect, test } from 'vitest'
import { signedIn } from '../browser-session.ts'
import { createSeller } from '../client-security/seller.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'

// An entry of `details.errors` carries the rule that an input breaks, and its numbers (decision 515).

let tradepost: Tradepost
beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const product = (fields: Json) => ['/products', { name: 'x', price_cents: 1, ...fields }] as const
const manyTexts = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`)

test.each<[string, readonly [string, Json], string, Json]>([
  ['a missing field', ['/products', { name: 'x' }], 'price_cents', { rule: 'required' }],
  ['null for text', product({ name: null }), 'name', { rule: 'required' }],
  ['a number for text', product({ name: 1 }), 'name', { rule: 'type', expected: 'string' }],
  ['text for a list', product({ variants: 'x' }), 'variants', { rule: 'type', expected: 'array' }],
  [
    'a fraction for an amount',
    product({ price_cents: 1.5 }),
    'price_cents',
    { rule: 'type', expected: 'integer' },
  ],
  [
    'a negative amount',
    product({ price_cents: -1 }),
    'price_cents',
    { rule: 'at_least', limit: 0 },
  ],
  [
    'a large amount',
    product({ price_cents: 1e12 }),
    'price_cents',
    { rule: 'at_most', limit: 99_999_999_999 },
  ],
  ['an empty name', product({ name: '' }), 'name', { rule: 'min_length', limit: 1 }],
  ['an invisible name', product({ name: ' ' }), 'name', { rule: 'min_length', limit: 1 }],
  ['a long slug', product({ slug: 'x'.repeat(129) }), 'slug', { rule: 'max_length', limit: 128 }],
  ['a slug with a space', product({ slug: 'x y' }), 'slug', { rule: 'format' }],
  [
    'a long code of a coupon',
    ['/coupons', { code: 'P'.repeat(65), type: 'percentage', discount_percent: 5 }],
    'code',
    { rule: 'max_length', limit: 64 },
  ],
  ['a long name', product({ name: 'x'.repeat(300) }), 'name', { rule: 'max_length', limit: 128 }],
  [
    'a maximum below the minimum',
    product({ min_qty: 3, max_qty: 2 }),
    'max_qty',
    { rule: 'at_least', limit: 3 },
  ],
  [
    'a repeated event type',
    ['/webhooks', { url: 'https://example.com/', events: ['order.created', 'order.created'] }],
    'events',
    { rule: 'unique' },
  ],
  [
    'no event type',
    ['/webhooks', { url: 'https://example.com/', events: [] }],
    'events',
    { rule: 'min_items', limit: 1 },
  ],
  [
    'many tags',
    ['/customers', { email: 'a@example.com', tags: manyTexts(51) }],
    'tags',
    { rule: 'max_items', limit: 50 },
  ],
  ['no address', ['/customers', { email: 'ada' }], 'email', { rule: 'format', format: 'email' }],
  ['an unknown field', product({ nam: 'x' }), 'nam', { rule: 'unknown_field' }],
  [
    'a band that ends before it begins',
    [
      '/shipping/zones',
      {
        name: 'EU',
        countries: ['DE'],
        rates: [{ name: 'Post', calc_type: 'weight', tiers: [{ min: 5, max: 1, price_cents: 1 }] }],
      },
    ],
    'rates[0].tiers[0].max',
    { rule: 'at_least', limit: 5 },
  ],
  [
    'no value of the blocklist',
    ['/blocklist', { type: 'email', value: 'ada' }],
    'value',
    { rule: 'format', format: 'email' },
  ],
  ['a zero percentage', coupon(0), 'discount_percent', { rule: 'more_than', limit: 0 }],
  ['three decimals', coupon(1.005), 'discount_percent', { rule: 'max_decimals', limit: 2 }],
])('%s is refused with the rule', async (_, [path, body], field, rule) => {
  const { status, json } = await tradepost.post(path, body)
  expect([status, json.code]).toEqual([422, 'VALIDATION_FAILED'])
  expect(json.details.errors).toEqual([{ field, message: expect.any(String), ...rule }])
})

function coupon(discount_percent: number): readonly [string, Json] {
  return ['/coupons', { code: 'P', type: 'percentage', discount_percent }]
}

test('a value that is not in the list is refused with the allowed ones', async () => {
  const { json } = await tradepost.post('/coupons', { code: 'P', type: 'none' })
  expect(json.details.errors).toMatchObject([
    { field: 'type', rule: 'one_of', allowed: expect.arrayContaining(['percentage']) },
  ])
})

test.each([
  ['limit=1000', { field: 'limit', rule: 'at_most', limit: 100 }],
  ['limit=99999999999999999999', { field: 'limit', rule: 'at_most', limit: 100 }],
  ['limit=0', { field: 'limit', rule: 'at_least', limit: 1 }],
  ['offset=-5', { field: 'offset', rule: 'at_least', limit: 0 }],
])('the parameter %s is refused with its limit', async (query, problem) => {
  const { json } = await tradepost.get(`/orders?${query}`)
  expect(json.details.errors).toMatchObject([problem])
})

test('a rule of the record is in the entry of its field, and not beside it', async () => {
  const { json } = await tradepost.post('/products', product({ min_qty: 3, max_qty: 2 })[1])
  expect(json.details).toEqual({ field: 'max_qty', errors: [expect.any(Object)] })
})

test('a body that is too large is refused with the limit', async () => {
  const { status, json } = await tradepost.post('/products', { name: 'x'.repeat(1_100_000) })
  expect([status, json.details]).toEqual([413, { rule: 'max_bytes', limit: 1_048_576 }])
})

test('the Client Security API has only a sentence, and the dashboard gets the rules too', async () => {
  const body = { name: '' }
  const seller = await createSeller(tradepost)
  const { status, json } = await seller.post('/apps', body)
  expect([status, json]).toEqual([422, { success: false, error: expect.stringMatching(/^name: /) }])
  const owner = await signedIn(tradepost)
  const answer = await owner.call('POST', `/stores/${tradepost.live.id}/security/v1/apps`, body)
  expect([answer.status, answer.json]).toMatchObject([
    422,
    {
      success: false,
      error: json.error,
      details: { errors: [{ field: 'name', rule: 'min_length', limit: 1 }] },
    },
  ])
})

test.each([
  ['serverside-strings', { name: 'n'.repeat(129), value: 'x' }, 'name', 128],
  ['keys', { prefix: 'P'.repeat(17) }, 'prefix', 16],
])('a text of /%s that is too long is refused for its length', async (path, body, field, limit) => {
  const owner = await signedIn(tradepost)
  const { json } = await owner.call(
    'POST',
    `/stores/${tradepost.live.id}/security/v1/${path}`,
    body,
  )
  expect(json.details.errors).toMatchObject([{ field, rule: 'max_length', limit }])
})
