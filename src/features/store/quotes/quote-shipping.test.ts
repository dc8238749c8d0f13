import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type CreatedProduct, product, zone } from '../../../../test/build.ts'
import {
  type CallOptions,
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'
import { findSellables } from '../products/index.ts'
import { priceShipping } from '../shipping/index.ts'

let tradepost: Tradepost
/** A physical product at 10.00, with 400 g and 30 × 20 × 10 cm. */
let mug: CreatedProduct
/** A digital product at 5.00. */
let song: CreatedProduct

const createPhysical = (fields: Json = {}, options: CallOptions = {}) =>
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
  mug = await createPhysical()
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

const item = ({ id }: CreatedProduct, quantity = 1) => ({ product_id: id, quantity })
const requestQuote = (fields: Json = {}, options: CallOptions = {}) =>
  tradepost.post('/shipping/quote', { country: 'DE', items: [item(mug)], ...fields }, options)
const quotedPrices = async (fields: Json = {}) => {
  const { status, json } = await requestQuote(fields)
  expect(status).toBe(200)
  return json.rates.map((rate: Json) => rate.price_cents)
}

/** 1 cent for up to 1000 of any measure, 2 cents for up to 2000, and no tier above. */
const TIERS = [
  { min: 0, max: 1_000, price_cents: 1 },
  { min: 1_000, max: 2_000, price_cents: 2 },
]
const rateBy = (calc_type: string, fields: Json = {}) => ({
  name: calc_type,
  calc_type,
  tiers: TIERS,
  ...fields,
})

test('a quote has the rates of the zone in their sort order, and emits no events', async () => {
  const { id, rates } = await zone(tradepost, {
    rates: [
      { name: 'Express', calc_type: 'flat', price_cents: 990, carrier_code: 'dhl', max_days: 1 },
      { name: 'Post', calc_type: 'flat', price_cents: 490, min_days: 2, max_days: 4 },
      { name: 'Off', calc_type: 'flat', active: false },
    ],
  })
  const { status, text } = await requestQuote()
  expect(status).toBe(200)
  expect(text).toBe(
    `{"success":true,"rates":[{"zone_id":${id},"rate_id":${rates[0].id},"name":"Express",` +
      '"carrier_code":"dhl","price_cents":990,"min_days":null,"max_days":1},' +
      `{"zone_id":${id},"rate_id":${rates[1].id},"name":"Post",` +
      '"carrier_code":"custom","price_cents":490,"min_days":2,"max_days":4}]}',
  )
  expect(await tradepost.events()).toEqual([])
})

describe('the quoted prices', () => {
  test('by weight use grams and units', async () => {
    await zone(tradepost, { rates: [rateBy('weight')] })
    expect(await quotedPrices({ items: [item(mug, 2)] })).toEqual([1])
    expect(await quotedPrices({ items: [item(mug, 2), item(mug, 3)] })).toEqual([2])
    expect(await quotedPrices({ items: [item(mug, 6)] })).toEqual([])
  })

  test('by volume use the dimensions and the divisor of the rate', async () => {
    const rates = [rateBy('volumetric'), rateBy('volumetric', { volumetric_divisor: 6_000 })]
    await zone(tradepost, { rates })
    // 6000 cm³ are 1200 g at 5000, and 1000 g at 6000.
    expect(await quotedPrices()).toEqual([2, 1])
  })

  test('by order total use the prices of all items, including digital ones', async () => {
    await zone(tradepost, { rates: [rateBy('order_total')] })
    expect(await quotedPrices()).toEqual([1])
    expect(await quotedPrices({ items: [item(mug), item(song)] })).toEqual([2])
    const expensive = await createPhysical({ discount_percent: 50 })
    expect(await quotedPrices({ items: [item(expensive, 2)] })).toEqual([1])
    expect(await quotedPrices({ items: [item(expensive, 3)] })).toEqual([2])
  })

  test('by item count use physical units only', async () => {
    const tiers = [{ min: 2, max: 2, price_cents: 2 }]
    await zone(tradepost, { rates: [rateBy('item_count', { tiers })] })
    expect(await quotedPrices({ items: [item(mug), item(song, 5)] })).toEqual([])
    expect(await quotedPrices({ items: [item(mug, 2), item(song, 5)] })).toEqual([2])
  })

  test('are zero from free_over_cents', async () => {
    const rate = { name: 'Post', calc_type: 'flat', price_cents: 490, free_over_cents: 1_500 }
    await zone(tradepost, { rates: [rate] })
    expect(await quotedPrices()).toEqual([490])
    expect(await quotedPrices({ items: [item(mug), item(song)] })).toEqual([0])
  })
})

describe('the price of the zone', () => {
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
  ])('of %o is %i', async (destination, price) => {
    expect(await quotedPrices(destination)).toEqual([price])
  })

  test('changes when another zone of the country gets the first position', async () => {
    const { json } = await tradepost.get('/shipping/zones')
    const ids = json.zones.map(({ id }: Json) => id).toReversed()
    await expectSuccess(tradepost.put('/shipping/zones/order', { ids }))
    expect(await quotedPrices()).toEqual([3])
  })
})

describe('no rate is offered', () => {
  test('without a zone, without a rate in the zone, or without physical goods', async () => {
    expect(await quotedPrices()).toEqual([])
    await zone(tradepost, { countries: ['*'] })
    expect(await quotedPrices({ items: [item(song)] })).toEqual([])
    await zone(tradepost, { rates: [] })
    expect(await quotedPrices(), 'the zone of the country has no rate').toEqual([])
  })

  test('from a zone of another store, or of the other side', async () => {
    for (const as of [tradepost.other, tradepost.test]) await zone(tradepost, {}, { as })
    expect(await quotedPrices()).toEqual([])
    const testMug = await createPhysical({}, { as: tradepost.test })
    const { json } = await requestQuote({ items: [item(testMug)] }, { as: tradepost.test })
    expect(json.rates).toHaveLength(1)
  })
})

test('an item has a product by hash or number, and its default variant unless it names a variant', async () => {
  const twoVariants = await createPhysical({
    variants: [
      { name: 'Light', price_cents: 100, weight_grams: 10 },
      { name: 'Heavy', price_cents: 100, weight_grams: 1_500 },
    ],
  })
  const heavy = twoVariants.product.variants[1].id
  await zone(tradepost, { rates: [rateBy('weight')] })
  expect(await quotedPrices({ items: [item(twoVariants)] })).toEqual([1])
  const byNumber = { product_id: String(twoVariants.product.product.legacy_id), quantity: 1 }
  expect(await quotedPrices({ items: [byNumber] })).toEqual([1])
  expect(await quotedPrices({ items: [{ ...byNumber, variant_id: heavy }] })).toEqual([2])
})

describe('a quote is refused, and the error names', () => {
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
    ['items', () => ({ items: new Array(2).fill(item(mostExpensive, 10_000)) })],
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
    const { status, json } = await requestQuote(fields())
    expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', field])
  })

  let mostExpensive: CreatedProduct
  beforeAll(async () => {
    mostExpensive = await product(tradepost, { type: 'service', price_cents: 99_999_999_999 })
  })
})

test('a quote needs fulfillment:read, which fulfillment:write does not include', async () => {
  await zone(tradepost)
  const reader = await tradepost.key({ permissions: ['fulfillment:read'] })
  expect((await requestQuote({}, { as: reader })).status).toBe(200)
  const writer = await tradepost.key({ permissions: ['fulfillment:write'] })
  expect((await requestQuote({}, { as: writer })).json.code).toBe('INSUFFICIENT_SCOPE')
})

test('a quote runs two statements for any number of items, and one if there is nothing to ship', async () => {
  for (let n = 0; n < 5; n++) await zone(tradepost)
  await requestQuote()
  const countStatements = async (fields: Json = {}) =>
    (await tradepost.statements(() => expectSuccess(requestQuote(fields)))).length
  expect(await countStatements()).toBe(2)
  const items = new Array(50).fill(item(mug))
  expect(await countStatements({ items })).toBe(2)
  expect(await countStatements({ items: [item(song)] })).toBe(1)
})

describe('the shipping price of an order', () => {
  interface ShippedOrder {
    rate_id: number
    items?: ReturnType<typeof item>[]
    destination?: { country: string; region: null }
    subtotal_cents?: number
  }
  const orderPrice = async ({ items = [item(mug, 2)], ...fields }: ShippedOrder) => {
    const { rows } = await sql<{ id: number }>`
      select id from store where hash = ${tradepost.live.id}`.execute(tradepost.db)
    const storeId = rows[0]?.id ?? 0
    return priceShipping(tradepost.db, storeId, {
      destination: { country: 'DE', region: null },
      items: await findSellables(tradepost.db, storeId, items),
      subtotal_cents: 2_000,
      ...fields,
    })
  }

  test('equals the quote of the requested rate, and the order stores a copy of the rate', async () => {
    const rate = { ...rateBy('weight'), carrier_code: 'dhl', min_days: 1, max_days: 3 }
    const { id, rates } = await zone(tradepost, { rates: [rateBy('item_count'), rate] })
    expect(await orderPrice({ rate_id: rates[1].id })).toEqual({
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
    const { rates } = await zone(tradepost, { rates: [rateBy('order_total')] })
    expect(await orderPrice({ rate_id: rates[0].id })).toMatchObject({ shipping_cents: 2 })
    const discountedPrice = await orderPrice({ rate_id: rates[0].id, subtotal_cents: 999 })
    expect(discountedPrice).toMatchObject({ shipping_cents: 1 })
  })

  test('is refused with the field shipping_rate_id if the rate is not offered for the order', async () => {
    const inactive = { name: 'Off', calc_type: 'flat', active: false }
    const { rates } = await zone(tradepost, { rates: [rateBy('weight'), inactive] })
    const france = await zone(tradepost, { countries: ['FR'] })
    const foreignZone = await zone(tradepost, {}, { as: tradepost.other })
    const refusal = expect.objectContaining({ details: { field: 'shipping_rate_id' } })
    for (const unofferedRate of [
      { rate_id: 8_000_000_000_000 },
      { rate_id: rates[1].id },
      { rate_id: france.rates[0].id },
      { rate_id: foreignZone.rates[0].id },
      { rate_id: rates[0].id, items: [item(mug, 6)] },
      { rate_id: rates[0].id, items: [item(song)] },
      { rate_id: rates[0].id, destination: { country: 'FR', region: null } },
    ]) {
      await expect(orderPrice(unofferedRate)).rejects.toEqual(refusal)
    }
  })
})
