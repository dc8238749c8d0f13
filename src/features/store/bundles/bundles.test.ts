import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { coupon, keysNamed, order, orderOf, product, type Stocked } from '../../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'

let tradepost: Tradepost
/** 10.00, with ten keys. */
let game: Stocked
/** 5.00, always there, delivered by the seller. */
let lesson: Stocked

beforeAll(async () => {
  tradepost = await openTradepost()
  game = await product(tradepost, { name: 'Game' }, { keys: keysNamed('GAME', 10) })
  lesson = await product(tradepost, { name: 'Lesson', type: 'service', price_cents: 500 })
})
afterAll(() => tradepost.close())

const ofGame = () => `/products/${game.id}/variants/${game.variantId}`
const stockOfGame = () => `${ofGame()}/stock`
const keysLeft = async (): Promise<number> =>
  (await tradepost.get(`${ofGame()}/keys?status=available`)).json.pagination.total

const setBundle = (id: string, items: Json[]) => tradepost.put(`/products/${id}/bundle`, { items })

async function bundle(fields: Json = {}, items?: Json[]): Promise<Stocked> {
  const made = await product(tradepost, {
    name: 'Starter set',
    product_kind: 'bundle',
    price_cents: 999,
    ...fields,
  })
  const contents = items ?? [
    { variant_id: game.variantId },
    { variant_id: lesson.variantId, quantity: 2 },
  ]
  const { status, text } = await setBundle(made.id, contents)
  expect(status, text).toBe(200)
  return made
}

describe('the contents of a bundle', () => {
  test('are set, read, and replaced as a whole', async () => {
    const set = await bundle()
    const { json } = await tradepost.get(`/products/${set.id}/bundle`)
    expect(json).toEqual({
      success: true,
      bundle: {
        object: 'product_bundle',
        product_id: set.id,
        items: [
          {
            product_id: game.id,
            product_name: 'Game',
            variant_id: game.variantId,
            variant_name: expect.any(String),
            quantity: 1,
          },
          {
            product_id: lesson.id,
            product_name: 'Lesson',
            variant_id: lesson.variantId,
            variant_name: expect.any(String),
            quantity: 2,
          },
        ],
      },
    })
    const replaced = await setBundle(set.id, [{ variant_id: game.variantId, quantity: 3 }])
    expect(replaced.json.bundle.items).toMatchObject([{ variant_id: game.variantId, quantity: 3 }])
  })

  test('are copied to a duplicate', async () => {
    const set = await bundle()
    const copy = await tradepost.post(`/products/${set.id}/duplicate`)
    const { json } = await tradepost.get(`/products/${copy.json.product.id}/bundle`)
    expect(json.bundle.items.map((item: Json) => item.quantity)).toEqual([1, 2])
  })

  test('belong to the kind bundle only', async () => {
    const { status, json } = await setBundle(game.id, [{ variant_id: lesson.variantId }])
    expect([status, json.details.field]).toEqual([422, 'product_kind'])
    expect((await tradepost.get(`/products/${game.id}/bundle`)).status).toBe(404)
  })

  test('are variants of products of the kind single, each named once', async () => {
    const set = await bundle()
    const other = await product(tradepost, {}, { as: tradepost.other })
    const refused = async (items: Json[]) => {
      const { status, json } = await setBundle(set.id, items)
      return [status, json.details.field]
    }
    const named = { variant_id: game.variantId }
    expect(await refused([{ variant_id: set.variantId }])).toEqual([422, 'items[0].variant_id'])
    expect(await refused([named, named])).toEqual([422, 'items[1].variant_id'])
    expect(await refused([{ variant_id: other.variantId }])).toEqual([422, 'items[0].variant_id'])
    expect(await refused([{ ...named, quantity: 0 }])).toEqual([422, 'items[0].quantity'])
    expect(await refused([{ ...named, quantity: 101 }])).toEqual([422, 'items[0].quantity'])
    expect(await refused(Array.from({ length: 21 }, () => named))).toEqual([422, 'items'])
  })
})

describe('an order of a bundle', () => {
  test('has the contents as its lines, and their prices add up to its price', async () => {
    const set = await bundle()
    const { json } = await tradepost.post('/orders', orderOf(set.id))
    expect(json.order).toMatchObject({ subtotal_cents: 999, discount_cents: 0, total_cents: 999 })
    const lines = json.order.items.map((item: Json) => [
      item.name,
      item.quantity,
      item.unit_price_cents,
    ])
    expect(lines).toEqual([
      ['Game', 1, 500],
      ['Lesson', 1, 250],
      ['Lesson', 1, 249],
    ])
  })

  test('takes the stock of the contents, and delivers their keys with the payment', async () => {
    const set = await bundle({}, [{ variant_id: game.variantId, quantity: 2 }])
    const before = await keysLeft()
    await tradepost.events()
    const { id } = await order(tradepost, set.id)
    const { json } = await tradepost.post(`/orders/${id}/manual-payments`, {})
    expect(json.order.status).toBe('completed')
    const keys = json.order.deliveries.flatMap((item: Json) => item.keys)
    expect(keys).toHaveLength(2)
    expect(await tradepost.events()).toEqual(['order.created', 'order.completed'])
    expect(await keysLeft()).toBe(before - 2)
  })

  test('is refused as a whole if a content is sold out, and holds nothing', async () => {
    const rare = await product(tradepost, { name: 'Rare' }, { keys: keysNamed('RARE', 1) })
    const set = await bundle({}, [
      { variant_id: game.variantId },
      { variant_id: rare.variantId, quantity: 2 },
    ])
    const before = (await tradepost.get(stockOfGame())).text
    const { status, json } = await tradepost.post('/orders', orderOf(set.id))
    expect([status, json.code]).toEqual([409, 'OUT_OF_STOCK'])
    expect((await tradepost.get(stockOfGame())).text).toBe(before)
  })

  test('is refused if a content is not on sale, and names it', async () => {
    const part = await product(tradepost, { name: 'Old map', type: 'service' })
    const set = await bundle({}, [{ variant_id: part.variantId }])
    await tradepost.patch(`/products/${part.id}`, { visibility: 'private' })
    expect((await tradepost.post('/orders', orderOf(set.id))).status).toBe(201)
    await tradepost.patch(`/products/${part.id}`, { active: false })
    const { status, json } = await tradepost.post('/orders', orderOf(set.id))
    expect([status, json.details.field]).toEqual([422, 'items[0].product_id'])
    expect(json.error).toContain('Old map, which Starter set contains')
  })

  test('keeps the terms of the bundle: its limits, its methods, its coupons', async () => {
    const set = await bundle({ min_qty: 2, accepts_coupons: false })
    const { status, json } = await tradepost.post('/orders', orderOf(set.id))
    expect([status, json.details.field]).toEqual([422, 'items[0].quantity'])
    await coupon(tradepost, { code: 'SAVE10' })
    const items = [{ product_id: set.id, quantity: 2 }]
    const checked = await tradepost.post('/coupons/validate', { code: 'SAVE10', items })
    expect(checked.json).toMatchObject({ valid: false, reason: 'not_applicable' })
  })

  test('a sell_limit belongs to the contents', async () => {
    const set = await bundle({}, [])
    await tradepost.patch(`/products/${set.id}`, { sell_limit: 1 })
    const refused = await setBundle(set.id, [{ variant_id: game.variantId }])
    expect([refused.status, refused.json.details.field]).toEqual([422, 'sell_limit'])
    await tradepost.patch(`/products/${set.id}`, { sell_limit: null })
    await setBundle(set.id, [{ variant_id: game.variantId }])
    await tradepost.patch(`/products/${set.id}`, { sell_limit: 1 })
    const { status, json } = await tradepost.post('/orders', orderOf(set.id))
    expect([status, json.details.field]).toEqual([422, 'items[0].product_id'])
  })

  test('costs two statements more than an order of its contents', async () => {
    const set = await bundle({}, [{ variant_id: lesson.variantId }])
    await tradepost.post('/orders', orderOf(lesson.id))
    const alone = await tradepost.statements(() => tradepost.post('/orders', orderOf(lesson.id)))
    const opened = await tradepost.statements(() => tradepost.post('/orders', orderOf(set.id)))
    expect(opened.length - alone.length).toBe(2)
  })

  test('at several units multiplies the contents', async () => {
    const set = await bundle({}, [{ variant_id: lesson.variantId, quantity: 100 }])
    const items = [{ product_id: set.id, quantity: 3 }]
    const customer = { email: 'ada@example.com' }
    const { json } = await tradepost.post('/orders', { items, customer })
    const units = json.order.items.reduce((sum: number, item: Json) => sum + item.quantity, 0)
    expect([units, json.order.total_cents]).toEqual([300, 2_997])
    const many = { items: [{ product_id: set.id, quantity: 1_001 }], customer }
    expect((await tradepost.post('/orders', many)).json.details.field).toBe('items[0].quantity')
  })
})

test('the physical contents of a bundle are what shipping is quoted for', async () => {
  const mug = await product(tradepost, {
    name: 'Mug',
    type: 'physical',
    variants: [{ name: 'Blue', price_cents: 1_000, weight_grams: 400 }],
  })
  await tradepost.post('/shipping/zones', {
    name: 'Everywhere',
    countries: ['*'],
    rates: [{ name: 'Each', condition: 'item_count', brackets: [{ from: 0, price_cents: 300 }] }],
  })
  const set = await bundle({}, [{ variant_id: mug.variantId, quantity: 2 }])
  const items = [{ product_id: set.id, quantity: 1 }]
  const unaddressed = await tradepost.post('/orders', orderOf(set.id))
  expect(unaddressed.json.details.field).toBe('shipping_address')
  const quote = await tradepost.post('/shipping/quote', { country: 'DE', items })
  expect(quote.status).toBe(200)
})
