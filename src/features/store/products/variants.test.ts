import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keysNamed, order, product } from '../../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const TWO = [
  { name: 'Small', price_cents: 500, sku: undefined },
  { name: 'Large', price_cents: 900, option_values: ['L'] },
]

async function twoOf(fields: Json = {}, options = {}) {
  const made = await product(
    tradepost,
    { price_cents: undefined, variants: TWO, ...fields },
    options,
  )
  const ids: number[] = made.product.variants.map((item: Json) => item.id)
  return { ...made, ids, path: `/products/${made.id}/variants` }
}

describe('a variant', () => {
  test('is added with the defaults of its product, and emits no event', async () => {
    const game = await twoOf({ type: 'service' })
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
    await tradepost.post(`/products/${game.id}/variants`, { name: 'Box', stock_quantity: 4 })
    expect(await tradepost.events()).toEqual(['product.restocked'])
    const emitted = (await tradepost.payloads('product.restocked')).at(-1)
    expect(emitted.data.object).toMatchObject({ id: game.id, stock: 4, added: 4 })
  })

  test('that becomes the default takes the place of the former one, and its price is the product’s', async () => {
    const game = await twoOf()
    const { json } = await tradepost.patch(`${game.path}/${game.ids[1]}`, { is_default: true })
    expect(json.variant).toMatchObject({ is_default: true, price_cents: 900 })
    const read = (await tradepost.get(`/products/${game.id}`)).json
    expect(read.product.price_cents).toBe(900)
    expect(read.variants.map((item: Json) => item.is_default)).toEqual([false, true])
    const added = await tradepost.post(game.path, { name: 'New', price_cents: 7, is_default: true })
    expect(added.json.variant.is_default).toBe(true)
    expect((await tradepost.get(`/products/${game.id}`)).json.product.price_cents).toBe(7)
  })

  test('that is the default writes its price through to the product, another one does not', async () => {
    const game = await twoOf()
    await tradepost.patch(`${game.path}/${game.ids[1]}`, { price_cents: 5 })
    expect((await tradepost.get(`/products/${game.id}`)).json.product.price_cents).toBe(500)
    await tradepost.patch(`${game.path}/${game.ids[0]}`, { price_cents: 6 })
    expect((await tradepost.get(`/products/${game.id}`)).json.product.price_cents).toBe(6)
  })

  test.each([
    ['compare_at_cents', 1200],
    ['image_url', 'https://example.com/a.png'],
    ['sku', 'VAR-THREE-STATE'],
    ['barcode', '4006381333931'],
    ['weight_grams', 0],
    ['low_stock_threshold', 3],
  ])('keeps %s when it is left out, and loses it by null', async (field, value) => {
    const game = await twoOf()
    const path = `${game.path}/${game.ids[0]}`
    expect((await tradepost.patch(path, { [field]: value })).json.variant[field]).toBe(value)
    expect((await tradepost.patch(path, { name: 'Renamed' })).json.variant[field]).toBe(value)
    expect((await tradepost.patch(path, { [field]: null })).json.variant[field]).toBeNull()
    expect((await tradepost.get(path)).json.variant).toHaveProperty(field, null)
  })

  test('that is deleted is gone, its SKU is free, and the first of the others becomes the default', async () => {
    const game = await twoOf()
    await tradepost.patch(`${game.path}/${game.ids[0]}`, { sku: 'GOES-1' })
    await tradepost.events()
    const { status, json } = await tradepost.delete(`${game.path}/${game.ids[0]}`)
    expect([status, json]).toEqual([200, { success: true, deleted: true, id: game.ids[0] }])
    expect((await tradepost.get(`${game.path}/${game.ids[0]}`)).status).toBe(404)
    const read = (await tradepost.get(`/products/${game.id}`)).json
    expect(read.product.price_cents).toBe(900)
    expect(read.variants).toMatchObject([{ id: game.ids[1], is_default: true }])
    expect((await tradepost.patch(`${game.path}/${game.ids[1]}`, { sku: 'GOES-1' })).status).toBe(
      200,
    )
    const last = await tradepost.delete(`${game.path}/${game.ids[1]}`)
    expect([last.status, last.json.code]).toEqual([409, 'INVALID_STATE'])
    expect(await tradepost.events()).toEqual([])
  })

  test('that held the last units takes the product out of stock when it goes or is switched off', async () => {
    const game = await twoOf()
    await tradepost.post(`${game.path}/${game.ids[1]}/keys`, { keys: keysNamed('LAST-VAR', 2) })
    await tradepost.events()
    await tradepost.patch(`${game.path}/${game.ids[1]}`, { active: false })
    expect(await tradepost.events()).toEqual(['product.out_of_stock'])
    await tradepost.patch(`${game.path}/${game.ids[1]}`, { active: false })
    expect(await tradepost.events()).toEqual([])
    await tradepost.patch(`${game.path}/${game.ids[1]}`, { active: true })
    await tradepost.delete(`${game.path}/${game.ids[1]}`)
    expect(await tradepost.events()).toEqual(['product.out_of_stock'])
  })

  test('counts its keys again when its stock is counted by keys again', async () => {
    const game = await product(tradepost, {}, { keys: keysNamed('COUNTED', 3) })
    const path = `/products/${game.id}/variants/${game.variantId}`
    await order(tradepost, game.id)
    expect(
      (await tradepost.patch(path, { stock_mode: 'unlimited' })).json.variant.stock_quantity,
    ).toBe(0)
    const manual = await tradepost.patch(path, { stock_mode: 'manual', stock_quantity: 50 })
    expect(manual.json.variant.stock_quantity).toBe(50)
    const counted = await tradepost.patch(path, { stock_mode: 'calculated' })
    expect(counted.json.variant.stock_quantity).toBe(2)
  })
})

describe('the order of variants', () => {
  test('is what `ids` says, and every list follows it', async () => {
    const game = await twoOf()
    const ids = [...game.ids].reverse()
    const { status, json } = await tradepost.put(`${game.path}/order`, { ids })
    expect(status).toBe(200)
    expect(json.variants.map((item: Json) => [item.id, item.sort_order])).toEqual([
      [ids[0], 0],
      [ids[1], 1],
    ])
    const read = (await tradepost.get(`/products/${game.id}`)).json
    expect(read.variants.map((item: Json) => item.id)).toEqual(ids)
  })

  test('names all of them once, else nothing moves', async () => {
    const game = await twoOf()
    const [a, b] = game.ids
    const other = (await twoOf()).ids[0]
    for (const [ids, field] of [
      [[a], 'ids'],
      [[], 'ids'],
      [[a, a], 'ids[1]'],
      [[a, b, other], 'ids[2]'],
      [[a, '7'], 'ids[1]'],
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

test('the dimensions of a variant are set and read with it, null if they are unknown', async () => {
  const game = await twoOf()
  const path = `${game.path}/${game.ids[0]}/shipping-dimensions`
  const nothing = { length_cm: null, width_cm: null, height_cm: null }
  expect((await tradepost.get(path)).json.shipping_dimensions).toEqual(nothing)
  const sizes = { length_cm: 30, width_cm: 20.25, height_cm: 5.5 }
  const { status, json } = await tradepost.put(path, sizes)
  expect([status, json]).toEqual([200, { success: true, shipping_dimensions: sizes }])
  expect((await tradepost.get(path)).json.shipping_dimensions).toEqual(sizes)
  expect((await tradepost.put(path, { length_cm: 1 })).json.details.field).toBe('width_cm')
  expect((await tradepost.put(path, { ...sizes, width_cm: 0 })).json.details.field).toBe('width_cm')
  expect((await tradepost.put(path, { ...sizes, width_cm: 1.234 })).json.details.field).toBe(
    'width_cm',
  )
  expect((await tradepost.put(path, nothing)).json.shipping_dimensions).toEqual(nothing)
})

describe('a refusal names the field and changes nothing', () => {
  test.each([
    ['an empty name', { name: '' }, 'name'],
    ['a name that is null', { name: null }, 'name'],
    ['half a cent', { price_cents: 0.5 }, 'price_cents'],
    ['101 per cent', { discount_percent: 101 }, 'discount_percent'],
    ['no default at all', { is_default: false }, 'is_default'],
    ['an unknown type', { delivery_type: 'car' }, 'delivery_type'],
    ['keys for what is no serial', { delivery_type: 'file' }, 'stock_mode'],
    ['a quantity of what is counted by keys', { stock_quantity: 5 }, 'stock_quantity'],
    ['a read-only field', { product_id: 'x' }, 'product_id'],
    ['an unknown field', { colour: 'red' }, 'colour'],
    ['11 options', { option_values: Array(11).fill('x') }, 'option_values'],
    ['10,000 options', { option_values: Array(10_000).fill('x') }, 'option_values'],
    ['an option that is no text', { option_values: ['x', 1] }, 'option_values[1]'],
    ['NUL', { name: 'a\0b' }, 'name'],
    ['half a surrogate pair', { name: 'a\ud800' }, 'name'],
    ['a control character', { barcode: 'a\u0007' }, 'barcode'],
  ])('%s', async (_, patch, field) => {
    const game = await twoOf()
    const before = (await tradepost.get(`/products/${game.id}`)).text
    const { status, json } = await tradepost.patch(`${game.path}/${game.ids[0]}`, patch)
    expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', field])
    expect((await tradepost.get(`/products/${game.id}`)).text).toBe(before)
  })

  test('a slug and a SKU that another variant has', async () => {
    const game = await twoOf()
    await tradepost.patch(`${game.path}/${game.ids[0]}`, { sku: 'ONLY-ONCE' })
    const path = `${game.path}/${game.ids[1]}`
    const sku = await tradepost.patch(path, { sku: 'ONLY-ONCE' })
    expect(sku.json.details).toMatchObject({ field: 'sku', reason: 'taken' })
    const slug = await tradepost.patch(path, { slug: 'small' })
    expect(slug.json.details).toMatchObject({ field: 'slug', reason: 'taken' })
    const added = await tradepost.post(game.path, { name: 'More', sku: 'ONLY-ONCE' })
    expect(added.json.details).toMatchObject({ field: 'sku', reason: 'taken' })
  })

  test('a hundred and first variant', async () => {
    const variants = Array.from({ length: 100 }, (_, n) => ({ name: `V${n}` }))
    const full = await product(tradepost, { variants })
    const { status, json } = await tradepost.post(`/products/${full.id}/variants`, { name: 'V100' })
    expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', 'name'])
  })

  test('a variant under another product, or of another store', async () => {
    const [game, twin] = [await twoOf(), await twoOf()]
    const theirs = await twoOf({}, { as: tradepost.other })
    for (const path of [
      `${twin.path}/${game.ids[0]}`,
      `${game.path}/${theirs.ids[0]}`,
      `${theirs.path}/${theirs.ids[0]}`,
      `${game.path}/order`,
      `${game.path}/1e3`,
    ]) {
      expect((await tradepost.get(path)).status, path).toBe(path.endsWith('order') ? 405 : 404)
    }
  })
})
