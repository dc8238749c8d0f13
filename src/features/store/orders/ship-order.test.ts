import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { order, orderOf, product, type Stocked, zone } from '../../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { HOUR_MS } from '../../../kernel/time.ts'

let tradepost: Tradepost
let mug: Stocked
let rates: Json

const ADDRESS = { name: 'Ada', line1: 'Street 1', city: 'Berlin', country: 'DE' }

beforeAll(async () => {
  tradepost = await openTradepost()
  const weight_grams = 400
  const variants = [{ name: 'Mug', price_cents: 1000, weight_grams, stock_quantity: 50 }]
  mug = await product(tradepost, { name: 'Mug', type: 'physical', variants })
  const made = await zone(tradepost, {
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
    made.rates.map((rate: Json) => [rate.name, { ...rate, zone: made.id }]),
  )
})
afterAll(() => tradepost.close())

const of = (quantity: number, rate: string, more: Json = {}): Json => ({
  items: [{ product_id: mug.id, quantity }],
  shipping_address: ADDRESS,
  shipping_rate_id: rates[rate].id,
  ...more,
})

test('an order is charged the rate it names, and keeps it as it was', async () => {
  const { id, zone: zone_id } = rates.Post
  await tradepost.events()
  const made = await order(tradepost, mug.id, of(2, 'Post'))
  expect(made).toMatchObject({
    subtotal_cents: 2000,
    discount_cents: 0,
    shipping_cents: 500,
    total_cents: 2500,
    fulfillment_status: 'unfulfilled',
    shipping_address: { ...ADDRESS, region: null, line2: null },
  })
  expect(made.shipping).toEqual({
    zone_id,
    rate_id: id,
    name: 'Post',
    carrier_code: 'dhl',
    min_days: null,
    max_days: 3,
  })
  expect(await tradepost.events()).toEqual(['customer.created', 'order.created'])
  expect((await tradepost.payloads('order.created')).at(-1).data.object.total).toBe(25)

  await tradepost.patch(`/shipping/zones/${zone_id}`, { name: 'Renamed' })
  expect((await tradepost.get(`/orders/${made.id}`)).json.order).toEqual(made)
})

test('a rate costs an order one statement', async () => {
  const count = async (fields: Json) =>
    (await tradepost.statements(() => order(tradepost, mug.id, { ...fields, mark_paid: true })))
      .length
  const { shipping_rate_id: _, ...unrated } = of(1, 'Post')
  await count(unrated)
  expect((await count(of(1, 'Post'))) - (await count(unrated))).toBe(1)
})

test.each([
  [2, 'By weight', 300],
  [3, 'By weight', 700],
  [2, 'Free from 30', 900],
  [3, 'Free from 30', 0],
])('%i mugs %s cost %i to send', async (quantity, rate, cents) => {
  expect(await order(tradepost, mug.id, of(quantity, rate))).toMatchObject({
    shipping_cents: cents,
  })
})

test('digital lines next to it count in the subtotal and have no weight', async () => {
  const advice = await product(tradepost, { type: 'service', price_cents: 2500 })
  const items = [mug, advice].map(({ id }) => ({ product_id: id, quantity: 1 }))
  const made = await order(tradepost, mug.id, of(1, 'Free from 30', { items }))
  expect(made).toMatchObject({ subtotal_cents: 3500, shipping_cents: 0, total_cents: 3500 })
})

test('the owed and the paid amount include the shipping', async () => {
  const made = await order(tradepost, mug.id, of(1, 'Post'))
  const { json } = await tradepost.post(`/orders/${made.id}/manual-payments`, {})
  expect(json.order).toMatchObject({ status: 'paid', paid_cents: 1500 })
  const at = await order(tradepost, mug.id, of(1, 'Post', { mark_paid: true }))
  expect(at).toMatchObject({ status: 'paid', paid_cents: 1500, shipping_cents: 500 })
})

test.each<[string, () => Json, string]>([
  ['no address and no rate', () => ({ items: of(1, 'Post').items }), 'shipping_address'],
  ['no address', () => ({ ...of(1, 'Post'), shipping_address: undefined }), 'shipping_address'],
  ['no rate', () => ({ ...of(1, 'Post'), shipping_rate_id: undefined }), 'shipping_rate_id'],
  [
    'a rate that is not there',
    () => of(1, 'Post', { shipping_rate_id: 999_999 }),
    'shipping_rate_id',
  ],
  ['a parcel too heavy for the rate', () => of(6, 'By weight'), 'shipping_rate_id'],
  [
    'an address outside the zone',
    () => of(1, 'Post', { shipping_address: { ...ADDRESS, country: 'FR' } }),
    'shipping_rate_id',
  ],
])('%s is refused by its name, and nothing is made', async (_, fields, field) => {
  await tradepost.events()
  const { status, json } = await tradepost.post('/orders', orderOf(mug.id, fields()))
  expect([status, json.code, json.details?.field]).toEqual([422, 'VALIDATION_FAILED', field])
  expect(await tradepost.events()).toEqual([])
})

test('another store’s rate, and a rate for an order without physical items, are not offered', async () => {
  const theirs = await zone(tradepost, {}, { as: tradepost.other })
  const advice = await product(tradepost, { type: 'service' })
  const foreign = of(1, 'Post', { shipping_rate_id: theirs.rates[0].id })
  const digital = of(1, 'Post', { items: [{ product_id: advice.id, quantity: 1 }] })
  for (const fields of [foreign, digital]) {
    const { status, json } = await tradepost.post('/orders', orderOf(mug.id, fields))
    expect([status, json.details?.field]).toEqual([422, 'shipping_rate_id'])
  }
})

test('an order that is paid already needs neither an address nor a rate', async () => {
  const made = await order(tradepost, mug.id, { mark_paid: true })
  expect(made).toMatchObject({ status: 'paid', shipping: null, shipping_address: null })
})

test('a store with shipping switched off charges no rate, and requires none', async () => {
  const switchTo = (features: string) =>
    sql`update store set features = ${features}::jsonb where hash = ${tradepost.live.id}`.execute(
      tradepost.db,
    )
  await switchTo('{"shipping": false}')
  tradepost.forward(HOUR_MS)
  const { status, json } = await tradepost.post('/orders', orderOf(mug.id, of(1, 'Post')))
  expect([status, json.code, json.details]).toEqual([
    422,
    'VALIDATION_FAILED',
    { field: 'shipping_rate_id' },
  ])
  const { shipping_rate_id: _, ...unrated } = of(1, 'Post')
  const made = await order(tradepost, mug.id, unrated)
  expect(made).toMatchObject({ shipping_cents: 0, total_cents: 1000, shipping: null })
  const nowhere = await tradepost.post('/orders', orderOf(mug.id))
  expect(nowhere.json.details).toEqual({ field: 'shipping_address' })
  const emptied = await tradepost.patch(`/orders/${made.id}`, { shipping_address: null })
  expect([emptied.status, emptied.json.details.field]).toEqual([422, 'shipping_address'])
  await switchTo('{}')
  tradepost.forward(HOUR_MS)
})
