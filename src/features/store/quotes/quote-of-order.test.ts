import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { coupon, orderOf, product, zone } from '../../../../test/build.ts'
import { fromNow } from '../../../../test/clock.ts'
import { expectNoFindings } from '../../../../test/findings.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'
import { HOUR_MS } from '../../../kernel/time.ts'
import { createStoreWithKeys, type StoreSide } from '../account/index.ts'

// A quote is what an order of the same contents pays (decision 178).

let tradepost: Tradepost
const stores = new Map<string, StockedStore>()

/** A store with goods of all kinds, whose shipping rates depend on the subtotal after the coupon. */
interface StockedStore {
  as: StoreSide
  rateIds: number[]
  /** The ids of a mug, a song, and a bundle of both. */
  productIds: string[]
}

const CODES = [
  undefined,
  'PERCENT',
  'FIXED',
  'EVERYTHING',
  'MUGS',
  'SONGS',
  'SET',
  'CATEGORY',
  'MINIMUM',
  'ONCE',
  'FRIENDS',
  'EXPIRED',
  'LATER',
  'OFF',
  'NEVER-MADE',
] as const

beforeAll(async () => {
  tradepost = await openTradepost()
  for (const currency of ['EUR', 'JPY', 'KWD'])
    stores.set(currency, await openStockedStore(currency))
})
afterAll(async () => {
  await expectNoFindings(tradepost)
  await tradepost.close()
})

async function openStockedStore(currency: string): Promise<StockedStore> {
  const { live: as } = await createStoreWithKeys(tradepost.app, {
    name: `Store ${currency}`,
    currency,
    plan: 'self_hosted',
  })
  const mug = await product(
    tradepost,
    {
      name: 'Mug',
      type: 'physical',
      discount_percent: 15,
      max_qty: 6,
      variants: [{ name: 'Blue', price_cents: 1_999, weight_grams: 400, stock_quantity: 9_999 }],
    },
    { as },
  )
  const song = await product(tradepost, { type: 'file', price_cents: 333 }, { as })
  const set = await product(tradepost, { product_kind: 'bundle', price_cents: 2_345 }, { as })
  const contents = [{ variant_id: mug.variantId }, { variant_id: song.variantId, quantity: 2 }]
  await expectSuccess(tradepost.put(`/products/${set.id}/bundle`, { items: contents }, { as }))
  const { category } = await expectSuccess(
    tradepost.post('/categories', { name: 'Kitchen' }, { as }),
  )
  await expectSuccess(
    tradepost.put(`/categories/${category.id}/products`, { product_ids: [mug.id] }, { as }),
  )
  const fixed = { type: 'fixed', amount_cents: 777 }
  const coupons = [
    { code: 'PERCENT', discount_percent: 33.33 },
    { code: 'FIXED', ...fixed },
    { code: 'EVERYTHING', discount_percent: 100 },
    { code: 'MUGS', ...fixed, product_ids: [mug.id] },
    { code: 'SONGS', discount_percent: 50, variant_ids: [song.variantId] },
    { code: 'SET', discount_percent: 40, product_ids: [set.id] },
    { code: 'CATEGORY', discount_percent: 25, category_ids: [category.id] },
    { code: 'MINIMUM', discount_percent: 20, min_order_cents: 4_000 },
    { code: 'ONCE', discount_percent: 60, max_uses_per_customer: 1 },
    { code: 'FRIENDS', discount_percent: 70, allowed_emails: ['ada@example.com'] },
    { code: 'EXPIRED', expires_at: fromNow(-HOUR_MS) },
    { code: 'LATER', starts_at: fromNow(HOUR_MS) },
    { code: 'OFF', active: false },
  ]
  for (const fields of coupons) await coupon(tradepost, fields, { as })
  const tiers = [
    { min: 0, max: 999, price_cents: 700 },
    { min: 1_000, max: 3_999, price_cents: 500 },
    { min: 4_000, max: 9_999, price_cents: 300 },
  ]
  const { rates } = await zone(
    tradepost,
    {
      rates: [
        { name: 'Total', calc_type: 'order_total', tiers },
        { name: 'Flat', calc_type: 'flat', price_cents: 490, free_over_cents: 3_000 },
        {
          name: 'Weight',
          calc_type: 'weight',
          tiers: [{ min: 0, max: 1_500, price_cents: 250 }],
          free_over_cents: 2_000,
        },
      ],
    },
    { as },
  )
  // Grace has used the coupon that a customer may use once.
  const used = orderOf(song.id, { customer: { email: 'grace@example.com' }, coupon_code: 'ONCE' })
  await expectSuccess(tradepost.post('/orders', used, { as }))
  return {
    as,
    rateIds: rates.map((rate: Json) => rate.id),
    productIds: [mug.id, song.id, set.id],
  }
}

interface Cart {
  units: readonly [number, number, number]
  code: (typeof CODES)[number]
  email: string
}

const CARTS: fc.Arbitrary<Cart> = fc.record({
  units: fc
    .tuple(fc.nat({ max: 4 }), fc.nat({ max: 9 }), fc.nat({ max: 3 }))
    .filter((units) => units.some((count) => count > 0)),
  code: fc.constantFrom(...CODES),
  email: fc.constantFrom('ada@example.com', 'grace@example.com'),
})

const readUses = async ({ as }: StockedStore) => {
  const { coupons } = await expectSuccess(tradepost.get('/coupons?limit=100', { as }))
  return coupons.map(({ code, uses }: Json) => [code, uses])
}

const ADDRESS = { name: 'Ada', line1: 'A 1', city: 'Berlin', country: 'DE' }

async function checkCart(store: StockedStore, { units, code, email }: Cart) {
  const { as, rateIds, productIds } = store
  const items = productIds.flatMap((product_id, index) => {
    const quantity = units[index] ?? 0
    return quantity > 0 ? [{ product_id, quantity }] : []
  })
  const contents = { items, ...(code && { coupon_code: code }) }
  const usesBefore = await readUses(store)
  await tradepost.events()
  const quote = await tradepost.post(
    '/shipping/quote',
    { country: 'DE', customer_email: email, ...contents },
    { as },
  )
  expect(await tradepost.events()).toEqual([])
  expect(await readUses(store)).toEqual(usesBefore)
  for (const shipping_rate_id of rateIds) {
    const { status, json } = await tradepost.post(
      '/orders',
      { ...contents, customer: { email }, shipping_address: ADDRESS, shipping_rate_id },
      { as },
    )
    if (quote.status !== 200) {
      expect([status, json.code, json.details]).toEqual([
        quote.status,
        quote.json.code,
        quote.json.details,
      ])
      continue
    }
    const offered = quote.json.rates.find((rate: Json) => rate.rate_id === shipping_rate_id)
    if (!offered) {
      expect([status, json.details.field]).toEqual([422, 'shipping_rate_id'])
      continue
    }
    expect(status, JSON.stringify(json)).toBe(201)
    const { id, shipping_cents, subtotal_cents, discount_cents, total_cents } = json.order
    expect(shipping_cents).toBe(offered.price_cents)
    expect(total_cents).toBe(subtotal_cents - discount_cents + offered.price_cents)
    if (json.order.status === 'pending')
      await expectSuccess(tradepost.post(`/orders/${id}/cancel`, {}, { as }))
  }
}

test.each(['EUR', 'JPY', 'KWD'])(
  'in %s the quoted prices of any cart are those of its order, and refusals are the same',
  async (currency) => {
    const store = stores.get(currency)
    if (!store) throw new Error('This store was not opened.')
    await fc.assert(
      fc.asyncProperty(CARTS, (cart) => checkCart(store, cart)),
      { numRuns: 25 },
    )
  },
)

describe('a coupon of a quote', () => {
  const requestQuote = (fields: Json) => {
    const { as, productIds } = stores.get('EUR') as StockedStore
    const items = [{ product_id: productIds[0], quantity: 2 }]
    return tradepost.post('/shipping/quote', { country: 'DE', items, ...fields }, { as })
  }
  const priceOf = async (fields: Json) =>
    (await expectSuccess(requestQuote(fields))).rates.map((rate: Json) => rate.price_cents)
  const refusalOf = async (fields: Json) => {
    const { status, json } = await requestQuote(fields)
    return [status, json.code, json.details?.field, json.details?.reason]
  }

  test('changes the prices that depend on the subtotal, in any case and with spaces around it', async () => {
    expect(await priceOf({})).toEqual([500, 0, 0])
    expect(await priceOf({ coupon_code: ' percent ' })).toEqual([500, 490, 0])
    expect(await priceOf({ coupon_code: 'ONCE' })).toEqual([500, 490, 250])
  })

  test.each([
    ['EXPIRED', 'expired'],
    ['LATER', 'not_started'],
    ['OFF', 'inactive'],
    ['NEVER-MADE', 'not_found'],
    ['MINIMUM', 'min_order'],
    ['SONGS', 'not_applicable'],
  ])('%s is refused as in an order, with the reason %s', async (coupon_code, reason) => {
    const refusal = [422, 'COUPON_INVALID', 'coupon_code', reason]
    expect(await refusalOf({ coupon_code })).toEqual(refusal)
  })

  test('is limited for each customer only if customer_email is sent', async () => {
    const customer_email = 'Grace@Example.com'
    const refusal = [422, 'COUPON_INVALID', 'coupon_code', 'max_uses_per_customer']
    expect(await refusalOf({ coupon_code: 'ONCE', customer_email })).toEqual(refusal)
    expect(await refusalOf({ coupon_code: 'FRIENDS', customer_email })).toEqual([
      422,
      'COUPON_INVALID',
      'coupon_code',
      'email_not_allowed',
    ])
    expect((await requestQuote({ coupon_code: 'ONCE' })).status).toBe(200)
    expect((await requestQuote({ customer_email })).status).toBe(200)
  })

  test.each([
    [{ coupon_code: null }, 'coupon_code'],
    [{ coupon_code: '' }, 'coupon_code'],
    [{ customer_email: null }, 'customer_email'],
    [{ customer_email: 'grace' }, 'customer_email'],
  ])('with the fields %o is refused', async (fields, field) => {
    expect((await refusalOf(fields)).slice(0, 3)).toEqual([422, 'VALIDATION_FAILED', field])
  })
})

test('contents that an order refuses are not quoted', async () => {
  const { as, productIds } = stores.get('EUR') as StockedStore
  const body = { country: 'DE', items: [{ product_id: productIds[0], quantity: 7 }] }
  const { status, json } = await tradepost.post('/shipping/quote', body, { as })
  expect([status, json.code, json.details.field]).toEqual([
    422,
    'VALIDATION_FAILED',
    'items[0].quantity',
  ])
})

test('a coupon with categories adds two statements to a quote', async () => {
  const { as, productIds } = stores.get('EUR') as StockedStore
  const body = { country: 'DE', items: [{ product_id: productIds[0], quantity: 1 }] }
  const count = async (fields: Json) => {
    const quote = () => tradepost.post('/shipping/quote', { ...body, ...fields }, { as })
    await expectSuccess(quote())
    return (await tradepost.statements(quote)).length
  }
  expect((await count({ coupon_code: 'CATEGORY' })) - (await count({}))).toBe(2)
})
