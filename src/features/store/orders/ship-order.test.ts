import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CreatedProduct, order, orderOf, product, zone } from '../../../../test/build.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'
import { HOUR_MS } from '../../../kernel/time.ts'

let tradepost: Tradepost
let mug: CreatedProduct
let rates: Json

const ADDRESS = { name: 'Ada', line1: 'Street 1', city: 'Berlin', country: 'DE' }

beforeAll(async () => {
  tradepost = await openTradepost()
  const weight_grams = 400
  const variants = [{ name: 'Mug', price_cents: 1000, weight_grams, stock_quantity: 50 }]
  mug = await product(tradepost, { name: 'Mug', type: 'physical', variants })
  const newZone = await zone(tradepost, {
    rates: [
      { name: 'Post', calc_type: 'flat', price_cents: 500, carrier_code: 'dhl', max_days: 3 },
      {
        name: 'By weight',
        calc_type: 'weight',
        tiers: [
          { min: 0, max: 1000, price_cents: 300 },
          { min: 1000, max: 2000, price_cents: 700 },
        ],
      },
      { name: 'Free from 30', calc_type: 'flat', price_cents: 900, free_over_cents: 3000 },
    ],
  })
  rates = Object.fromEntries(
    newZone.rates.map((rate: Json) => [rate.name, { ...rate, zone: newZone.id }]),
  )
})
afterAll(() => tradepost.close())

const withRate = (quantity: number, rate: string, fields: Json = {}): Json => ({
  items: [{ product_id: mug.id, quantity }],
  shipping_address: ADDRESS,
  shipping_rate_id: rates[rate].id,
  ...fields,
})

test('an order is charged the requested shipping rate, and stores a copy of it', async () => {
  const { id: rate_id, zone: zone_id } = rates.Post
  await tradepost.events()
  const newOrder = await order(tradepost, mug.id, withRate(2, 'Post'))
  expect(newOrder).toMatchObject({
    subtotal_cents: 2000,
    discount_cents: 0,
    shipping_cents: 500,
    total_cents: 2500,
    fulfillment_status: 'unfulfilled',
    shipping_address: { ...ADDRESS, region: null, line2: null },
  })
  expect(newOrder.shipping).toEqual({
    zone_id,
    rate_id,
    name: 'Post',
    carrier_code: 'dhl',
    min_days: null,
    max_days: 3,
  })
  expect(await tradepost.events()).toEqual(['customer.created', 'order.created'])
  expect((await tradepost.payloads('order.created')).at(-1).data.object.total).toBe(25)

  await expectSuccess(tradepost.patch(`/shipping/zones/${zone_id}`, { name: 'Renamed' }))
  expect((await tradepost.get(`/orders/${newOrder.id}`)).json.order).toEqual(newOrder)
})

test('a rate adds one statement to an order', async () => {
  const countStatements = async (fields: Json) =>
    (await tradepost.statements(() => order(tradepost, mug.id, { ...fields, mark_paid: true })))
      .length
  const { shipping_rate_id: _, ...fieldsWithoutRate } = withRate(1, 'Post')
  await countStatements(fieldsWithoutRate)
  expect(
    (await countStatements(withRate(1, 'Post'))) - (await countStatements(fieldsWithoutRate)),
  ).toBe(1)
})

test.each([
  [2, 'By weight', 300],
  [3, 'By weight', 700],
  [2, 'Free from 30', 900],
  [3, 'Free from 30', 0],
])('shipping of %i mugs at the rate "%s" costs %i', async (quantity, rate, cents) => {
  expect(await order(tradepost, mug.id, withRate(quantity, rate))).toMatchObject({
    shipping_cents: cents,
  })
})

test('digital lines count in the subtotal for free shipping', async () => {
  const advice = await product(tradepost, { type: 'service', price_cents: 2500 })
  const items = [mug, advice].map(({ id }) => ({ product_id: id, quantity: 1 }))
  const newOrder = await order(tradepost, mug.id, withRate(1, 'Free from 30', { items }))
  expect(newOrder).toMatchObject({ subtotal_cents: 3500, shipping_cents: 0, total_cents: 3500 })
})

test('the owed and the paid amount include the shipping', async () => {
  const newOrder = await order(tradepost, mug.id, withRate(1, 'Post'))
  const { json } = await tradepost.post(`/orders/${newOrder.id}/manual-payments`, {})
  expect(json.order).toMatchObject({ status: 'paid', paid_cents: 1500 })
  const paidOrder = await order(tradepost, mug.id, withRate(1, 'Post', { mark_paid: true }))
  expect(paidOrder).toMatchObject({ status: 'paid', paid_cents: 1500, shipping_cents: 500 })
})

test.each<[string, () => Json, string]>([
  ['no address and no rate', () => ({ items: withRate(1, 'Post').items }), 'shipping_address'],
  [
    'no address',
    () => ({ ...withRate(1, 'Post'), shipping_address: undefined }),
    'shipping_address',
  ],
  ['no rate', () => ({ ...withRate(1, 'Post'), shipping_rate_id: undefined }), 'shipping_rate_id'],
  [
    'a rate that does not exist',
    () => withRate(1, 'Post', { shipping_rate_id: 999_999 }),
    'shipping_rate_id',
  ],
  ['a parcel that is too heavy for its rate', () => withRate(6, 'By weight'), 'shipping_rate_id'],
  [
    'an address outside of the zone of its rate',
    () => withRate(1, 'Post', { shipping_address: { ...ADDRESS, country: 'FR' } }),
    'shipping_rate_id',
  ],
])(
  'an order with %s is refused, the field is named, and no order is created',
  async (_, fields, field) => {
    await tradepost.events()
    const { status, json } = await tradepost.post('/orders', orderOf(mug.id, fields()))
    expect([status, json.code, json.details?.field]).toEqual([422, 'VALIDATION_FAILED', field])
    expect(await tradepost.events()).toEqual([])
  },
)

test('a rate of another store is refused, and so is any rate for an order without physical items', async () => {
  const foreignZone = await zone(tradepost, {}, { as: tradepost.other })
  const advice = await product(tradepost, { type: 'service' })
  const foreignRate = withRate(1, 'Post', { shipping_rate_id: foreignZone.rates[0].id })
  const digitalOrder = withRate(1, 'Post', { items: [{ product_id: advice.id, quantity: 1 }] })
  for (const fields of [foreignRate, digitalOrder]) {
    const { status, json } = await tradepost.post('/orders', orderOf(mug.id, fields))
    expect([status, json.details?.field]).toEqual([422, 'shipping_rate_id'])
  }
})

test('an order that is already paid needs neither an address nor a rate', async () => {
  const newOrder = await order(tradepost, mug.id, { mark_paid: true })
  expect(newOrder).toMatchObject({ status: 'paid', shipping: null, shipping_address: null })
})

test('a store with shipping switched off charges no rate, and requires none', async () => {
  const setFeatures = async (features: string) => {
    await sql`update store set features = ${features}::jsonb where hash = ${tradepost.live.id}`.execute(
      tradepost.db,
    )
    // The cached store expires.
    tradepost.forward(HOUR_MS)
  }
  await setFeatures('{"shipping": false}')
  const { status, json } = await tradepost.post('/orders', orderOf(mug.id, withRate(1, 'Post')))
  expect([status, json.code, json.details]).toMatchObject([
    422,
    'VALIDATION_FAILED',
    { field: 'shipping_rate_id' },
  ])
  const { shipping_rate_id: _, ...fieldsWithoutRate } = withRate(1, 'Post')
  const newOrder = await order(tradepost, mug.id, fieldsWithoutRate)
  expect(newOrder).toMatchObject({ shipping_cents: 0, total_cents: 1000, shipping: null })
  const withoutAddress = await tradepost.post('/orders', orderOf(mug.id))
  expect(withoutAddress.json.details.field).toBe('shipping_address')
  const removedAddress = await tradepost.patch(`/orders/${newOrder.id}`, { shipping_address: null })
  expect([removedAddress.status, removedAddress.json.details.field]).toEqual([
    422,
    'shipping_address',
  ])
  await setFeatures('{}')
})
