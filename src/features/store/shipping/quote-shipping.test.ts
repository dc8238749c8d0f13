import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { product, type Stocked, zone } from '../../../../test/build.ts'
import {
  type CallOptions,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'
import { findSellables } from '../products/index.ts'
import { priceShipping, type Shipment } from './index.ts'

let tradepost: Tradepost
/** 10.00, 400 g, 30 × 20 × 10 cm. */
let mug: Stocked
/** 5.00, and not shipped. */
let song: Stocked

const physical = (fields: Json = {}, options: CallOptions = {}) =>
  product(
    tradepost,
    {
      name: 'Mug',
      type: 'physical',
      variants: [{ name: 'Blue', price_cents: 1_000, weight_grams: 400 }],
      ...fields,
    },
    options,
  )

beforeAll(async () => {
  tradepost = await openTradepost()
  mug = await physical()
  song = await product(tradepost, { name: 'Song', type: 'file', price_cents: 500 })
  await sql`
    update variant set length_cm = 30, width_cm = 20, height_cm = 10
     where id = ${mug.variantId}`.execute(tradepost.db)
})
afterAll(() => tradepost.close())

beforeEach(async () => {
  await sql`delete from shipping_zone`.execute(tradepost.db)
  await tradepost.events()
})

const item = ({ id }: Stocked, quantity = 1) => ({ product_id: id, quantity })
const ask = (fields: Json = {}, options: CallOptions = {}) =>
  tradepost.post('/shipping/quote', { country: 'DE', items: [item(mug)], ...fields }, options)
const prices = async (fields: Json = {}) => {
  const { status, json } = await ask(fields)
  expect(status).toBe(200)
  return json.rates.map((rate: Json) => rate.price_cents)
}

/** The price by any measure: 1 cent up to 1000, 2 cents up to 2000, and no tier above. */
const TIERS = [
  { min: 0, max: 1_000, price_cents: 1 },
  { min: 1_000, max: 2_000, price_cents: 2 },
]
const by = (calc_type: string, fields: Json = {}) => ({
  name: calc_type,
  calc_type,
  tiers: TIERS,
  ...fields,
})

test('offers the rates of the zone in their sort order, and emits no events', async () => {
  const { id, rates } = await zone(tradepost, {
    rates: [
      { name: 'Express', calc_type: 'flat', price_cents: 990, carrier_code: 'dhl', max_days: 1 },
      { name: 'Post', calc_type: 'flat', price_cents: 490, min_days: 2, max_days: 4 },
      { name: 'Off', calc_type: 'flat', active: false },
    ],
  })
  const { status, text } = await ask()
  expect(status).toBe(200)
  expect(text).toBe(
    `{"success":true,"rates":[{"zone_id":${id},"rate_id":${rates[0].id},"name":"Express",` +
      '"carrier_code":"dhl","price_cents":990,"min_days":null,"max_days":1},' +
      `{"zone_id":${id},"rate_id":${rates[1].id},"name":"Post",` +
      '"carrier_code":"custom","price_cents":490,"min_days":2,"max_days":4}]}',
  )
  expect(await tradepost.events()).toEqual([])
})

describe('prices', () => {
  test('by weight count grams and units', async () => {
    await zone(tradepost, { rates: [by('weight')] })
    expect(await prices({ items: [item(mug, 2)] })).toEqual([1])
    expect(await prices({ items: [item(mug, 2), item(mug, 3)] })).toEqual([2])
    expect(await prices({ items: [item(mug, 6)] })).toEqual([])
  })

  test('by volume count the box, and the divisor of the rate', async () => {
    const rates = [by('volumetric'), by('volumetric', { volumetric_divisor: 6_000 })]
    await zone(tradepost, { rates })
    // 6000 cm³ are 1200 g at 5000, and 1000 g at 6000.
    expect(await prices()).toEqual([2, 1])
  })

  test('by order total count the payments for all goods, digital ones too', async () => {
    await zone(tradepost, { rates: [by('order_total')] })
    expect(await prices()).toEqual([1])
    expect(await prices({ items: [item(mug), item(song)] })).toEqual([2])
    const dear = await physical({ discount_percent: 50 })
    expect(await prices({ items: [item(dear, 2)] })).toEqual([1])
    expect(await prices({ items: [item(dear, 3)] })).toEqual([2])
  })

  test('by item count count physical units only', async () => {
    const tiers = [{ min: 2, max: 2, price_cents: 2 }]
    await zone(tradepost, { rates: [by('item_count', { tiers })] })
    expect(await prices({ items: [item(mug), item(song, 5)] })).toEqual([])
    expect(await prices({ items: [item(mug, 2), item(song, 5)] })).toEqual([2])
  })

  test('are zero from free_over_cents on', async () => {
    const rate = { name: 'Post', calc_type: 'flat', price_cents: 490, free_over_cents: 1_500 }
    await zone(tradepost, { rates: [rate] })
    expect(await prices()).toEqual([490])
    expect(await prices({ items: [item(mug), item(song)] })).toEqual([0])
  })
})

describe('the zone', () => {
  beforeEach(async () => {
    const rates = (price_cents: number) => [{ name: 'Post', calc_type: 'flat', price_cents }]
    await zone(tradepost, { name: 'World', countries: ['*'], rates: rates(4) })
    await zone(tradepost, { name: 'Germany', rates: rates(2) })
    await zone(tradepost, { name: 'Germany again', rates: rates(3) })
    await zone(tradepost, { name: 'Islands', regions: { DE: ['Sylt'] }, rates: rates(1) })
    await zone(tradepost, { name: 'Off', countries: ['FR'], active: false, rates: rates(0) })
  })

  test.each([
    [{ country: 'DE', region: 'sylt' }, 1],
    [{ country: 'DE', region: 'Bayern' }, 2],
    [{ country: 'DE', region: null }, 2],
    [{ country: 'DE' }, 2],
    [{ country: 'FR' }, 4],
    [{ country: 'JP', region: 'Sylt' }, 4],
  ])('of %o', async (to, price) => {
    expect(await prices(to)).toEqual([price])
  })

  test('moves up with its position', async () => {
    const { json } = await tradepost.get('/shipping/zones')
    const ids = json.zones.map(({ id }: Json) => id).toReversed()
    await tradepost.call('PUT', '/shipping/zones/order', { body: { ids } })
    expect(await prices()).toEqual([3])
  })
})

describe('no rate is offered', () => {
  test('without a zone, a tier, a rate, or goods to ship: the list is empty', async () => {
    expect(await prices()).toEqual([])
    await zone(tradepost, { countries: ['*'] })
    expect(await prices({ items: [item(song)] })).toEqual([])
    await zone(tradepost, { rates: [] })
    expect(await prices(), 'the zone that fits best has none').toEqual([])
  })

  test("by another store's zone, or by the other side's", async () => {
    for (const as of [tradepost.other, tradepost.test]) await zone(tradepost, {}, { as })
    expect(await prices()).toEqual([])
    const theirs = await physical({}, { as: tradepost.test })
    const { json } = await ask({ items: [item(theirs)] }, { as: tradepost.test })
    expect(json.rates).toHaveLength(1)
  })
})

test('an item is named by hash or number, with its default variant unless it names one', async () => {
  const two = await physical({
    variants: [
      { name: 'Light', price_cents: 100, weight_grams: 10 },
      { name: 'Heavy', price_cents: 100, weight_grams: 1_500 },
    ],
  })
  const heavy = two.product.variants[1].id
  await zone(tradepost, { rates: [by('weight')] })
  expect(await prices({ items: [item(two)] })).toEqual([1])
  const of = { product_id: String(two.product.product.legacy_id), quantity: 1 }
  expect(await prices({ items: [of] })).toEqual([1])
  expect(await prices({ items: [{ ...of, variant_id: heavy }] })).toEqual([2])
})

describe('a bad field is named', () => {
  test.each<[string, () => Json]>([
    ['country', () => ({ country: undefined })],
    ['country', () => ({ country: '*' })],
    ['country', () => ({ country: 'UK' })],
    ['country', () => ({ country: 'deu' })],
    ['region', () => ({ region: '' })],
    ['region', () => ({ region: 7 })],
    ['items', () => ({ items: undefined })],
    ['items', () => ({ items: [] })],
    ['items', () => ({ items: new Array(51).fill(item(mug)) })],
    ['items', () => ({ items: new Array(2).fill(item(dearest, 10_000)) })],
    ['items[0].quantity', () => ({ items: [item(mug, 0)] })],
    ['items[0].quantity', () => ({ items: [item(mug, 10_001)] })],
    ['items[0].product_id', () => ({ items: [{ product_id: 'no', quantity: 1 }] })],
    [
      'items[1].product_id',
      () => ({ items: [item(mug), { product_id: 'AAAAAAAAAAAA', quantity: 1 }] }),
    ],
    [
      'items[1].product_id',
      () => ({ items: [item(mug), { product_id: '8000000000', quantity: 1 }] }),
    ],
    ['items[0].variant_id', () => ({ items: [{ ...item(mug), variant_id: song.variantId }] })],
    ['items[0].price', () => ({ items: [{ ...item(mug), price: 1 }] })],
    ['postal_code', () => ({ postal_code: '10115' })],
  ])('%s', async (field, fields) => {
    const { status, json } = await ask(fields())
    expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', field])
  })

  let dearest: Stocked
  beforeAll(async () => {
    dearest = await product(tradepost, { type: 'service', price_cents: 99_999_999_999 })
  })
})

test('a quote needs fulfillment:read and no more', async () => {
  await zone(tradepost)
  const reader = await tradepost.key({ permissions: ['fulfillment:read'] })
  expect((await ask({}, { as: reader })).status).toBe(200)
  const writer = await tradepost.key({ permissions: ['fulfillment:write'] })
  expect((await ask({}, { as: writer })).json.code).toBe('INSUFFICIENT_SCOPE')
})

test('a quote costs two statements, whatever it asks for, and one if there is nothing to ship', async () => {
  for (let n = 0; n < 5; n++) await zone(tradepost)
  await ask()
  expect(await tradepost.statements(() => ask())).toHaveLength(2)
  const items = new Array(50).fill(item(mug))
  expect(await tradepost.statements(() => ask({ items }))).toHaveLength(2)
  expect(await tradepost.statements(() => ask({ items: [item(song)] }))).toHaveLength(1)
})

describe('the shipping price of an order', () => {
  type Ordered = Partial<Shipment> & { items?: ReturnType<typeof item>[] }
  const price = async ({ items = [item(mug, 2)], ...fields }: Ordered) => {
    const { rows } = await sql<{ id: number }>`
      select id from store where hash = ${tradepost.live.id}`.execute(tradepost.db)
    const storeId = rows[0]?.id ?? 0
    return priceShipping(tradepost.db, storeId, {
      rate_id: 0,
      to: { country: 'DE', region: null },
      goods: await findSellables(tradepost.db, storeId, items),
      subtotal_cents: 2_000,
      ...fields,
    })
  }

  test('is the quote of the rate it names, and the order keeps the rate as it was', async () => {
    const rate = { ...by('weight'), carrier_code: 'dhl', min_days: 1, max_days: 3 }
    const { id, rates } = await zone(tradepost, { rates: [by('item_count'), rate] })
    expect(await price({ rate_id: rates[1].id })).toEqual({
      shipping_cents: 1,
      shipping: {
        zone_id: id,
        rate_id: rates[1].id,
        name: 'weight',
        carrier_code: 'dhl',
        min_days: 1,
        max_days: 3,
      },
    })
  })

  test('depends on the subtotal after the coupon', async () => {
    const { rates } = await zone(tradepost, { rates: [by('order_total')] })
    expect(await price({ rate_id: rates[0].id })).toMatchObject({ shipping_cents: 2 })
    const less = await price({ rate_id: rates[0].id, subtotal_cents: 999 })
    expect(less).toMatchObject({ shipping_cents: 1 })
  })

  test('is refused with shipping_rate_id if the rate is not offered to it', async () => {
    const inactive = { name: 'Off', calc_type: 'flat', active: false }
    const { rates } = await zone(tradepost, { rates: [by('weight'), inactive] })
    const france = await zone(tradepost, { countries: ['FR'] })
    const theirs = await zone(tradepost, {}, { as: tradepost.other })
    const refused = expect.objectContaining({ details: { field: 'shipping_rate_id' } })
    for (const bad of [
      { rate_id: 8_000_000_000_000 },
      { rate_id: rates[1].id },
      { rate_id: france.rates[0].id },
      { rate_id: theirs.rates[0].id },
      { rate_id: rates[0].id, items: [item(mug, 6)] },
      { rate_id: rates[0].id, items: [item(song)] },
      { rate_id: rates[0].id, to: { country: 'FR', region: null } },
    ]) {
      await expect(price(bad)).rejects.toEqual(refused)
    }
  })
})
