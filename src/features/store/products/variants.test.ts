import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keysNamed, order, product } from '../../../../test/build.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const TWO_VARIANTS = [
  { name: 'Small', price_cents: 500, sku: undefined },
  { name: 'Large', price_cents: 900, option_values: ['L'] },
]

async function productWithTwoVariants(fields: Json = {}, options = {}) {
  const newProduct = await product(
    tradepost,
    { price_cents: undefined, variants: TWO_VARIANTS, ...fields },
    options,
  )
  const ids: number[] = newProduct.product.variants.map((item: Json) => item.id)
  return { ...newProduct, ids, path: `/products/${newProduct.id}/variants` }
}

describe('a variant', () => {
  test('is added with the defaults of its product, and emits no event', async () => {
    const game = await productWithTwoVariants({ type: 'service' })
    await tradepost.events()
    const { status, json } = await tradepost.post(game.path, { name: 'Small' })
    expect(status).toBe(201)
    expect(json.variant).toMatchObject({
      object: 'variant',
      product_id: game.id,
      name: 'Small',
      slug: 'small-2',
      delivery_type: 'service',
      stock_mode: 'unlimited',
      price_cents: 500,
      is_default: false,
      sort_order: 2,
    })
    expect((await tradepost.get(game.path)).json.variants).toHaveLength(3)
    expect((await tradepost.get(`${game.path}/${json.variant.id}`)).json.variant).toEqual(
      json.variant,
    )
    expect(await tradepost.events()).toEqual([])
  })

  test('that is added with units restocks the product', async () => {
    const game = await product(tradepost, { type: 'physical' })
    await tradepost.events()
    await expectSuccess(
      tradepost.post(`/products/${game.id}/variants`, { name: 'Box', stock_quantity: 4 }),
    )
    expect(await tradepost.events()).toEqual(['product.restocked'])
    const payload = (await tradepost.payloads('product.restocked')).at(-1)
    expect(payload.data.object).toMatchObject({ id: game.id, stock: 4, added: 4 })
  })

  test('that becomes the default replaces the former one, and sets the price of the product', async () => {
    const game = await productWithTwoVariants()
    const { json } = await tradepost.patch(`${game.path}/${game.ids[1]}`, { is_default: true })
    expect(json.variant).toMatchObject({ is_default: true, price_cents: 900 })
    const productAfter = (await tradepost.get(`/products/${game.id}`)).json
    expect(productAfter.product.price_cents).toBe(900)
    expect(productAfter.variants.map((item: Json) => item.is_default)).toEqual([false, true])
    const addition = await tradepost.post(game.path, {
      name: 'New',
      price_cents: 7,
      is_default: true,
    })
    expect(addition.json.variant.is_default).toBe(true)
    expect((await tradepost.get(`/products/${game.id}`)).json.product.price_cents).toBe(7)
  })

  test('sets the price of the product by its own price only if it is the default', async () => {
    const game = await productWithTwoVariants()
    await expectSuccess(tradepost.patch(`${game.path}/${game.ids[1]}`, { price_cents: 5 }))
    expect((await tradepost.get(`/products/${game.id}`)).json.product.price_cents).toBe(500)
    await expectSuccess(tradepost.patch(`${game.path}/${game.ids[0]}`, { price_cents: 6 }))
    expect((await tradepost.get(`/products/${game.id}`)).json.product.price_cents).toBe(6)
  })

  test.each([
    ['compare_at_cents', 1200],
    ['image_url', 'https://example.com/a.png'],
    ['sku', 'VAR-THREE-STATE'],
    ['barcode', '4006381333931'],
    ['weight_grams', 0],
    ['low_stock_threshold', 3],
  ])('keeps %s if it is omitted, and null clears it', async (field, value) => {
    const game = await productWithTwoVariants()
    const path = `${game.path}/${game.ids[0]}`
    expect((await tradepost.patch(path, { [field]: value })).json.variant[field]).toBe(value)
    expect((await tradepost.patch(path, { name: 'Renamed' })).json.variant[field]).toBe(value)
    expect((await tradepost.patch(path, { [field]: null })).json.variant[field]).toBeNull()
    expect((await tradepost.get(path)).json.variant).toHaveProperty(field, null)
  })

  test('that is deleted answers 404, frees its SKU, and leaves the first of the others as the default', async () => {
    const game = await productWithTwoVariants()
    await expectSuccess(tradepost.patch(`${game.path}/${game.ids[0]}`, { sku: 'GOES-1' }))
    await tradepost.events()
    const { status, json } = await tradepost.delete(`${game.path}/${game.ids[0]}`)
    expect([status, json]).toEqual([200, { success: true, deleted: true, id: game.ids[0] }])
    expect((await tradepost.get(`${game.path}/${game.ids[0]}`)).status).toBe(404)
    const productAfter = (await tradepost.get(`/products/${game.id}`)).json
    expect(productAfter.product.price_cents).toBe(900)
    expect(productAfter.variants).toMatchObject([{ id: game.ids[1], is_default: true }])
    expect((await tradepost.patch(`${game.path}/${game.ids[1]}`, { sku: 'GOES-1' })).status).toBe(
      200,
    )
    const lastDeletion = await tradepost.delete(`${game.path}/${game.ids[1]}`)
    expect([lastDeletion.status, lastDeletion.json.code]).toEqual([409, 'INVALID_STATE'])
    expect(await tradepost.events()).toEqual([])
  })

  test('with the last units makes its product out of stock when it is deleted or deactivated', async () => {
    const game = await productWithTwoVariants()
    await expectSuccess(
      tradepost.post(`${game.path}/${game.ids[1]}/keys`, { keys: keysNamed('LAST-VAR', 2) }),
    )
    await tradepost.events()
    await expectSuccess(tradepost.patch(`${game.path}/${game.ids[1]}`, { active: false }))
    expect(await tradepost.events()).toEqual(['product.out_of_stock'])
    await expectSuccess(tradepost.patch(`${game.path}/${game.ids[1]}`, { active: false }))
    expect(await tradepost.events()).toEqual([])
    await expectSuccess(tradepost.patch(`${game.path}/${game.ids[1]}`, { active: true }))
    await expectSuccess(tradepost.delete(`${game.path}/${game.ids[1]}`))
    expect(await tradepost.events()).toEqual(['product.out_of_stock'])
  })

  test('counts its keys again when its stock mode changes back to calculated', async () => {
    const game = await product(tradepost, {}, { keys: keysNamed('COUNTED', 3) })
    const path = `/products/${game.id}/variants/${game.variantId}`
    await order(tradepost, game.id)
    expect(
      (await tradepost.patch(path, { stock_mode: 'unlimited' })).json.variant.stock_quantity,
    ).toBe(0)
    const setManually = await tradepost.patch(path, { stock_mode: 'manual', stock_quantity: 50 })
    expect(setManually.json.variant.stock_quantity).toBe(50)
    const counted = await tradepost.patch(path, { stock_mode: 'calculated' })
    expect(counted.json.variant.stock_quantity).toBe(2)
  })
})

describe('the sort order of variants', () => {
  test('is set by `ids`, and is used in every answer', async () => {
    const game = await productWithTwoVariants()
    const ids = [...game.ids].reverse()
    const { status, json } = await tradepost.put(`${game.path}/order`, { ids })
    expect(status).toBe(200)
    expect(json.variants.map((item: Json) => [item.id, item.sort_order])).toEqual([
      [ids[0], 0],
      [ids[1], 1],
    ])
    const productAfter = (await tradepost.get(`/products/${game.id}`)).json
    expect(productAfter.variants.map((item: Json) => item.id)).toEqual(ids)
  })

  test('must contain each variant once, or nothing changes', async () => {
    const game = await productWithTwoVariants()
    const [first, second] = game.ids
    const otherVariant = (await productWithTwoVariants()).ids[0]
    for (const [ids, field] of [
      [[first], 'ids'],
      [[], 'ids'],
      [[first, first], 'ids[1]'],
      [[first, second, otherVariant], 'ids[2]'],
      [[first, '7'], 'ids[1]'],
      [Array.from({ length: 10_000 }, (_, n) => n + 1), 'ids'],
    ] as const) {
      const { status, json } = await tradepost.put(`${game.path}/order`, { ids })
      expect([status, json.details?.field]).toEqual([422, field])
    }
    expect((await tradepost.get(game.path)).json.variants.map((item: Json) => item.id)).toEqual(
      game.ids,
    )
  })
})

test('the dimensions of a variant are set together, and are null until then', async () => {
  const game = await productWithTwoVariants()
  const path = `${game.path}/${game.ids[0]}/shipping-dimensions`
  const unknownSizes = { length_cm: null, width_cm: null, height_cm: null }
  expect((await tradepost.get(path)).json.shipping_dimensions).toEqual(unknownSizes)
  const sizes = { length_cm: 30, width_cm: 20.25, height_cm: 5.5 }
  const { status, json } = await tradepost.put(path, sizes)
  expect([status, json]).toEqual([200, { success: true, shipping_dimensions: sizes }])
  expect((await tradepost.get(path)).json.shipping_dimensions).toEqual(sizes)
  expect((await tradepost.put(path, { length_cm: 1 })).json.details.field).toBe('width_cm')
  expect((await tradepost.put(path, { ...sizes, width_cm: 0 })).json.details.field).toBe('width_cm')
  expect((await tradepost.put(path, { ...sizes, width_cm: 1.234 })).json.details.field).toBe(
    'width_cm',
  )
  expect((await tradepost.put(path, unknownSizes)).json.shipping_dimensions).toEqual(unknownSizes)
})

describe('a change is refused, and changes nothing, for', () => {
  test.each([
    ['an empty name', { name: '' }, 'name'],
    ['a name that is null', { name: null }, 'name'],
    ['half a cent', { price_cents: 0.5 }, 'price_cents'],
    ['a discount of 101 percent', { discount_percent: 101 }, 'discount_percent'],
    ['is_default: false for the default variant', { is_default: false }, 'is_default'],
    ['an unknown type', { delivery_type: 'car' }, 'delivery_type'],
    ['a file variant whose stock is counted by keys', { delivery_type: 'file' }, 'stock_mode'],
    ['a quantity for stock that is counted by keys', { stock_quantity: 5 }, 'stock_quantity'],
    ['a read-only field', { product_id: 'x' }, 'product_id'],
    ['an unknown field', { colour: 'red' }, 'colour'],
    ['11 options', { option_values: Array(11).fill('x') }, 'option_values'],
    ['10,000 options', { option_values: Array(10_000).fill('x') }, 'option_values'],
    ['an option that is no text', { option_values: ['x', 1] }, 'option_values[1]'],
    ['a NUL character', { name: 'a\0b' }, 'name'],
    ['an unpaired surrogate', { name: 'a\ud800' }, 'name'],
    ['a control character', { barcode: 'a\u0007' }, 'barcode'],
  ])('%s', async (_, patch, field) => {
    const game = await productWithTwoVariants()
    const before = (await tradepost.get(`/products/${game.id}`)).text
    const { status, json } = await tradepost.patch(`${game.path}/${game.ids[0]}`, patch)
    expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', field])
    expect((await tradepost.get(`/products/${game.id}`)).text).toBe(before)
  })

  test('a slug or a SKU that another variant has', async () => {
    const game = await productWithTwoVariants()
    await expectSuccess(tradepost.patch(`${game.path}/${game.ids[0]}`, { sku: 'ONLY-ONCE' }))
    const path = `${game.path}/${game.ids[1]}`
    const sku = await tradepost.patch(path, { sku: 'ONLY-ONCE' })
    expect(sku.json.details).toMatchObject({ field: 'sku', reason: 'taken' })
    const slug = await tradepost.patch(path, { slug: 'small' })
    expect(slug.json.details).toMatchObject({ field: 'slug', reason: 'taken' })
    const third = await tradepost.post(game.path, { name: 'More', sku: 'ONLY-ONCE' })
    expect(third.json.details).toMatchObject({ field: 'sku', reason: 'taken' })
  })

  test('a hundred and first variant', async () => {
    const variants = Array.from({ length: 100 }, (_, n) => ({ name: `V${n}` }))
    const fullProduct = await product(tradepost, { variants })
    const { status, json } = await tradepost.post(`/products/${fullProduct.id}/variants`, {
      name: 'V100',
    })
    expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', 'name'])
  })

  test('a variant of another product or store, which answers 404', async () => {
    const [game, otherGame] = [await productWithTwoVariants(), await productWithTwoVariants()]
    const foreignGame = await productWithTwoVariants({}, { as: tradepost.other })
    for (const path of [
      `${otherGame.path}/${game.ids[0]}`,
      `${game.path}/${foreignGame.ids[0]}`,
      `${foreignGame.path}/${foreignGame.ids[0]}`,
      `${game.path}/1e3`,
    ]) {
      expect((await tradepost.get(path)).status, path).toBe(404)
      expect((await tradepost.patch(path, { name: 'Mine' })).status, path).toBe(404)
      expect((await tradepost.delete(path)).status, path).toBe(404)
    }
  })
})
