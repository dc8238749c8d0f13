import { afterAll, beforeAll, expect, test } from 'vitest'
import { product } from '../build.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'

// The refusal of an id in a body shows the id as it was sent, as a 404 does (decision 132).

let tradepost: Tradepost
let productId: string
beforeAll(async () => {
  tradepost = await openTradepost()
  productId = (await product(tradepost, { type: 'service' })).id
})
afterAll(() => tradepost.close())

const MISSING_ORDER = 'ord_0000000000000000000000'
const customer = { email: 'ada@example.com' }
const itemsOf = (product_id: string, fields: Json = {}) => [{ product_id, quantity: 1, ...fields }]
const cases: [string, Json, string, string][] = [
  [
    '/orders',
    { customer, items: itemsOf('AAAAAAAAAAAA') },
    'items[0].product_id',
    'product AAAAAAAAAAAA',
  ],
  ['/orders', { customer, items: itemsOf('99') }, 'items[0].product_id', 'product 99'],
  ['/products', { name: 'x', price_cents: 1, category_ids: [7] }, 'category_ids[0]', 'category 7'],
  [
    '/coupons',
    { code: 'X', type: 'fixed', amount_cents: 1, variant_ids: [77] },
    'variant_ids[0]',
    'variant 77',
  ],
  [
    '/returns',
    { order_id: MISSING_ORDER, items: [{ order_item_id: 1, quantity: 1, reason: 'other' }] },
    'order_id',
    `order ${MISSING_ORDER}`,
  ],
  [
    '/tickets',
    { email: 'ada@example.com', subject: 'x', message: 'y', order_id: MISSING_ORDER },
    'order_id',
    `order ${MISSING_ORDER}`,
  ],
]

test.each(cases)('POST %s with %j', async (path, body, field, named) => {
  const { status, json } = await tradepost.post(path, body)
  expect([status, json.error]).toEqual([
    422,
    `${field}: This store has no ${named}. Send the id of an existing one.`,
  ])
})

test('a variant of another product is named', async () => {
  const items = itemsOf(productId, { variant_id: 987_654 })
  const { json } = await tradepost.post('/orders', { customer, items })
  expect(json.error).toBe(
    'items[0].variant_id: This product has no variant 987654. Send the id of one of its variants.',
  )
})

test('the record of another store is refused like one that does not exist', async () => {
  const { id } = await product(tradepost, { type: 'service' }, { as: tradepost.other })
  const { json } = await tradepost.post('/orders', { customer, items: itemsOf(id) })
  expect(json.details.errors[0].message).toBe(
    `This store has no product ${id}. Send the id of an existing one.`,
  )
})

test('a key that cannot be stored is a problem of the body', async () => {
  const { json } = await tradepost.post('/orders', { 'a\u0000': 1 })
  expect(json).toMatchObject({
    error: 'body: A key contains a character that cannot be stored. Remove the character.',
    details: { field: 'body', errors: [{ field: 'body' }] },
  })
})

test('a number past 2^53 is refused with the limit of its field, once', async () => {
  const body = { customer, items: itemsOf(productId, { quantity: 1e17 }) }
  const { json } = await tradepost.post('/orders', body)
  expect(json.details.errors).toEqual([
    { field: 'items[0].quantity', message: 'Use at most 10000.', rule: 'at_most', limit: 10_000 },
  ])
})

test.each([
  ['https://u:p@example.com/', 'Remove the user name and the password.'],
  [
    'https://example.com/a b',
    'Remove spaces, line ends and control characters, or percent-encode them.',
  ],
  [
    String.raw`https://a.example\@b.example/`,
    'Remove the backslash: write / between the parts of a URL, and %5C for the character.',
  ],
  ['ftp://example.com/', 'Use a URL that begins with https://.'],
])('the URL of a picture %s is refused', async (og_image_url, message) => {
  const { json } = await tradepost.patch(`/products/${productId}`, { seo: { og_image_url } })
  expect(json.details.errors).toEqual([
    { field: 'seo.og_image_url', message, rule: 'format', format: 'url' },
  ])
})

test('a percentage of a coupon has the limits that its refusals name', async () => {
  const refusalOf = async (discount_percent: number) => {
    const body = { code: 'P', type: 'percentage', discount_percent }
    const { json } = await tradepost.post('/coupons', body)
    return json.details.errors.map(({ message }: Json) => message)
  }
  expect(await refusalOf(0)).toEqual(['Use 0.01 to 100.'])
  expect(await refusalOf(-1)).toEqual(['Use 0.01 to 100.'])
  expect(await refusalOf(101)).toEqual(['Use 0.01 to 100.'])
})
