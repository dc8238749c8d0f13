import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type CreatedProduct,
  coupon,
  keysNamed,
  order,
  orderOf,
  product,
  zone,
} from '../../../../test/build.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'

let tradepost: Tradepost
/** A product at 10.00 with ten keys. */
let game: CreatedProduct
/** A service at 5.00 without a stock limit. */
let lesson: CreatedProduct

beforeAll(async () => {
  tradepost = await openTradepost()
  game = await product(tradepost, { name: 'Game' }, { keys: keysNamed('GAME', 10) })
  lesson = await product(tradepost, { name: 'Lesson', type: 'service', price_cents: 500 })
})
afterAll(() => tradepost.close())

const gamePath = () => `/products/${game.id}/variants/${game.variantId}`
const readGameStock = async () => (await tradepost.get(`${gamePath()}/stock`)).text
const countAvailableKeys = async (): Promise<number> =>
  (await tradepost.get(`${gamePath()}/keys?status=available`)).json.pagination.total

const setBundle = (id: string, items: Json[]) => tradepost.put(`/products/${id}/bundle`, { items })

async function createBundle(fields: Json = {}, items?: Json[]): Promise<CreatedProduct> {
  const newProduct = await product(tradepost, {
    name: 'Starter set',
    product_kind: 'bundle',
    price_cents: 999,
    ...fields,
  })
  const contents = items ?? [
    { variant_id: game.variantId },
    { variant_id: lesson.variantId, quantity: 2 },
  ]
  const { status, text } = await setBundle(newProduct.id, contents)
  expect(status, text).toBe(200)
  return newProduct
}

describe('the contents of a bundle', () => {
  test('are set, read and replaced as a whole', async () => {
    const bundle = await createBundle()
    const { json } = await tradepost.get(`/products/${bundle.id}/bundle`)
    expect(json).toEqual({
      success: true,
      bundle: {
        object: 'product_bundle',
        product_id: bundle.id,
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
    const replacement = await setBundle(bundle.id, [{ variant_id: game.variantId, quantity: 3 }])
    expect(replacement.json.bundle.items).toMatchObject([
      { variant_id: game.variantId, quantity: 3 },
    ])
  })

  test('are copied to a duplicate', async () => {
    const bundle = await createBundle()
    const duplicate = await tradepost.post(`/products/${bundle.id}/duplicate`)
    const { json } = await tradepost.get(`/products/${duplicate.json.product.id}/bundle`)
    expect(json.bundle.items.map((item: Json) => item.quantity)).toEqual([1, 2])
  })

  test('belong to products of the kind bundle only', async () => {
    const { status, json } = await setBundle(game.id, [{ variant_id: lesson.variantId }])
    expect([status, json.details.field]).toEqual([422, 'product_kind'])
    expect((await tradepost.get(`/products/${game.id}/bundle`)).status).toBe(404)
  })

  test('are variants of products of the kind single, each listed once', async () => {
    const bundle = await createBundle()
    const foreignProduct = await product(tradepost, {}, { as: tradepost.other })
    const refusalOf = async (items: Json[]) => {
      const { status, json } = await setBundle(bundle.id, items)
      return [status, json.details.field]
    }
    const gameItem = { variant_id: game.variantId }
    expect(await refusalOf([{ variant_id: bundle.variantId }])).toEqual([
      422,
      'items[0].variant_id',
    ])
    expect(await refusalOf([gameItem, gameItem])).toEqual([422, 'items[1].variant_id'])
    expect(await refusalOf([{ variant_id: foreignProduct.variantId }])).toEqual([
      422,
      'items[0].variant_id',
    ])
    expect(await refusalOf([{ ...gameItem, quantity: 0 }])).toEqual([422, 'items[0].quantity'])
    expect(await refusalOf([{ ...gameItem, quantity: 101 }])).toEqual([422, 'items[0].quantity'])
    expect(await refusalOf(Array.from({ length: 21 }, () => gameItem))).toEqual([422, 'items'])
  })
})

describe('an order of a bundle', () => {
  test('has the contents as its lines, and their prices add up to its price', async () => {
    const bundle = await createBundle()
    const { json } = await tradepost.post('/orders', orderOf(bundle.id))
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

  test('takes the stock of the contents, and delivers their keys when it is paid', async () => {
    const bundle = await createBundle({}, [{ variant_id: game.variantId, quantity: 2 }])
    const keysBefore = await countAvailableKeys()
    await tradepost.events()
    const { id } = await order(tradepost, bundle.id)
    const { json } = await tradepost.post(`/orders/${id}/manual-payments`, {})
    expect(json.order.status).toBe('completed')
    const keys = json.order.deliveries.flatMap((item: Json) => item.keys)
    expect(keys).toHaveLength(2)
    expect(await tradepost.events()).toEqual(['order.created', 'order.completed'])
    expect(await countAvailableKeys()).toBe(keysBefore - 2)
  })

  test('is refused as a whole if one item of the contents is sold out, and reserves nothing', async () => {
    const rareGame = await product(tradepost, { name: 'Rare' }, { keys: keysNamed('RARE', 1) })
    const bundle = await createBundle({}, [
      { variant_id: game.variantId },
      { variant_id: rareGame.variantId, quantity: 2 },
    ])
    const stockBefore = await readGameStock()
    const { status, json } = await tradepost.post('/orders', orderOf(bundle.id))
    expect([status, json.code]).toEqual([409, 'OUT_OF_STOCK'])
    expect(await readGameStock()).toBe(stockBefore)
  })

  test('is refused if a product of the contents is not on sale, and the error names the product', async () => {
    const map = await product(tradepost, { name: 'Old map', type: 'service' })
    const bundle = await createBundle({}, [{ variant_id: map.variantId }])
    await expectSuccess(tradepost.patch(`/products/${map.id}`, { visibility: 'private' }))
    expect((await tradepost.post('/orders', orderOf(bundle.id))).status).toBe(201)
    await expectSuccess(tradepost.patch(`/products/${map.id}`, { active: false }))
    const { status, json } = await tradepost.post('/orders', orderOf(bundle.id))
    expect([status, json.details.field]).toEqual([422, 'items[0].product_id'])
    expect(json.error).toContain('Old map, which Starter set contains')
  })

  test('follows the limits, payment methods and coupons of the bundle', async () => {
    const bundle = await createBundle({ min_qty: 2, accepts_coupons: false })
    const { status, json } = await tradepost.post('/orders', orderOf(bundle.id))
    expect([status, json.details.field]).toEqual([422, 'items[0].quantity'])
    await coupon(tradepost, { code: 'SAVE10' })
    const items = [{ product_id: bundle.id, quantity: 2 }]
    const validation = await tradepost.post('/coupons/validate', { code: 'SAVE10', items })
    expect(validation.json).toMatchObject({ valid: false, reason: 'not_applicable' })
    const bundleWithoutBalance = await createBundle({
      methods: [{ method: 'balance', enabled: false }],
    })
    const refusal = await tradepost.post(
      '/orders',
      orderOf(bundleWithoutBalance.id, { payment_method: 'balance' }),
    )
    expect([refusal.status, refusal.json.details.field]).toEqual([422, 'payment_method'])
  })

  test('is refused while the bundle has a sell_limit, which only its contents can have', async () => {
    const bundle = await createBundle({}, [])
    await expectSuccess(tradepost.patch(`/products/${bundle.id}`, { sell_limit: 1 }))
    const refusal = await setBundle(bundle.id, [{ variant_id: game.variantId }])
    expect([refusal.status, refusal.json.details.field]).toEqual([422, 'sell_limit'])
    await expectSuccess(tradepost.patch(`/products/${bundle.id}`, { sell_limit: null }))
    await expectSuccess(setBundle(bundle.id, [{ variant_id: game.variantId }]))
    await expectSuccess(tradepost.patch(`/products/${bundle.id}`, { sell_limit: 1 }))
    const { status, json } = await tradepost.post('/orders', orderOf(bundle.id))
    expect([status, json.details.field]).toEqual([422, 'items[0].product_id'])
  })

  test('counts towards the sell_limit of its contents', async () => {
    const limitedProduct = await product(tradepost, { type: 'service', sell_limit: 2 })
    const bundle = await createBundle({}, [{ variant_id: limitedProduct.variantId }])
    const items = [{ product_id: bundle.id, quantity: 2 }]
    await order(tradepost, bundle.id, { items })
    const { status, json } = await tradepost.post('/orders', orderOf(bundle.id))
    expect([status, json.details.field]).toEqual([422, 'items[0].quantity'])
  })

  test('runs two statements more than an order of its contents', async () => {
    const bundle = await createBundle({}, [{ variant_id: lesson.variantId }])
    await order(tradepost, lesson.id)
    const plainOrder = await tradepost.statements(() => order(tradepost, lesson.id))
    const bundleOrder = await tradepost.statements(() => order(tradepost, bundle.id))
    expect(bundleOrder.length - plainOrder.length).toBe(2)
  })

  test('has the contents once for each unit of the bundle, and at most 10,000 units in a line', async () => {
    const bundle = await createBundle({}, [{ variant_id: lesson.variantId, quantity: 100 }])
    const items = [{ product_id: bundle.id, quantity: 3 }]
    const customer = { email: 'ada@example.com' }
    const { json } = await tradepost.post('/orders', { items, customer })
    const units = json.order.items.reduce((sum: number, item: Json) => sum + item.quantity, 0)
    expect([units, json.order.total_cents]).toEqual([300, 2_997])
    const refusal = await tradepost.post('/orders', {
      items: [{ product_id: bundle.id, quantity: 102 }],
      customer,
    })
    expect(refusal.json.details.field).toBe('items[0].quantity')
    expect(refusal.json.error).toBe(
      'items[0].quantity: A line of an order has at most 10000 units. Order fewer.',
    )
  })
})

test('shipping is quoted for the physical contents of a bundle', async () => {
  const mug = await product(tradepost, {
    name: 'Mug',
    type: 'physical',
    variants: [{ name: 'Blue', price_cents: 1_000, weight_grams: 400 }],
  })
  const tiers = [
    { min: 0, max: 1, price_cents: 300 },
    { min: 1, max: 3, price_cents: 450 },
  ]
  const rates = [{ name: 'Units', calc_type: 'item_count', tiers }]
  await zone(tradepost, { name: 'Everywhere', countries: ['*'], rates })
  const bundle = await createBundle({}, [{ variant_id: mug.variantId, quantity: 2 }])
  const items = [{ product_id: bundle.id, quantity: 1 }]
  const orderWithoutAddress = await tradepost.post('/orders', orderOf(bundle.id))
  expect(orderWithoutAddress.json.details.field).toBe('shipping_address')
  const quote = await tradepost.post('/shipping/quote', { country: 'DE', items })
  expect(quote.json.rates.map((rate: Json) => rate.price_cents)).toEqual([450])
})
