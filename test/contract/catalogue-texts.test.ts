import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cellOf } from '../../src/features/store/stock/csv.rules.ts'
import { product, type Stocked } from '../build.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'

/** The texts that the catalogue accepts, and their stored form. */

let tradepost: Tradepost
let game: Stocked

beforeAll(async () => {
  tradepost = await openTradepost()
  game = await product(tradepost)
})
afterAll(() => tradepost.close())

async function refusedAt(path: string, body: Json): Promise<unknown> {
  const { status, json } = await tradepost.post(path, body)
  expect([status, json.code]).toEqual([422, 'VALIDATION_FAILED'])
  return json.details.field
}

describe('a name is something that can be seen', () => {
  test.each([' ', '\u00a0\u3000', '\u200b\u200d', '\u2060'])('not %j', async (name) => {
    expect(await refusedAt('/products', { name, price_cents: 1 })).toBe('name')
    expect(await refusedAt('/categories', { name })).toBe('name')
    expect(await refusedAt('/groups', { name })).toBe('name')
    expect(await refusedAt('/shipping/zones', { name, countries: ['DE'] })).toBe('name')
  })

  test.each(['x', ' x ', '\u{1f469}\u200d\u{1f680}', '\u3042'])('%j is', async (name) => {
    const { status, json } = await tradepost.post('/products', { name, price_cents: 1 })
    expect([status, json.product?.name]).toEqual([201, name])
  })
})

describe('control characters are refused by their path', () => {
  test.each<[string, Json, string]>([
    ['metadata', { metadata: { a: 'x\u0001' } }, 'metadata.a'],
    ['a key of metadata', { metadata: { 'a\u0001': 'x' } }, 'metadata.a\u0001'],
    ['highlights', { details: { highlights: { a: 'x\u001b' } } }, 'details.highlights.a'],
    ['a delivery note', { delivery_note: 'x\u0085' }, 'delivery_note'],
  ])('%s', async (_, fields, field) => {
    expect(await refusedAt('/products', { name: 'x', price_cents: 1, ...fields })).toBe(field)
  })

  test('line breaks may stand in a value', async () => {
    const { json } = await tradepost.patch(`/products/${game.id}`, {
      metadata: { a: 'x\ny', b: '' },
    })
    expect(json.product.metadata).toEqual({ a: 'x\ny', b: '' })
  })
})

describe('no text is null, never empty', () => {
  test.each(['short_description', 'delivered_message', 'description_html'])('%s', async (name) => {
    const { status, json } = await tradepost.patch(`/products/${game.id}/details`, { [name]: '' })
    expect([status, json.details.field]).toEqual([422, name])
  })

  test('HTML that is empty after cleaning is null', async () => {
    const details = { description_html: '<script>alert(1)</script>' }
    const { json } = await tradepost.patch(`/products/${game.id}/details`, details)
    expect(json.details.description_html).toBeNull()
  })
})

test('a number has one way to be written in a path', async () => {
  const zone = await tradepost.post('/shipping/zones', { name: 'Z', countries: ['DE'] })
  const { json } = await tradepost.get(`/products/${game.id}`)
  for (const [area, id] of [
    ['products', json.product.legacy_id],
    ['shipping/zones', zone.json.zone.id],
  ]) {
    expect((await tradepost.get(`/${area}/${id}`)).status).toBe(200)
    expect((await tradepost.get(`/${area}/0${id}`)).status).toBe(404)
  }
})

test('a payment method that is sent twice is refused by its position', async () => {
  const card = { method: 'card', enabled: true }
  const { json } = await tradepost.put(`/products/${game.id}/payment-methods`, {
    methods: [card, card],
  })
  expect(json.details.field).toBe('methods[1].method')
})

test.each([
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  ' =1',
  '\uff1d1+1',
  '\uff0b1',
  '\uff0d1',
  '\uff20A',
])('a cell of CSV that begins with %j is no formula', (text) => {
  expect(cellOf(text)).toBe(`"'${text}"`)
})
