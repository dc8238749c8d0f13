import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { csvOf } from '../../dashboard/src/kit/csv-text.ts'
import { cellOf } from '../../src/features/store/stock/csv.rules.ts'
import { type CreatedProduct, product } from '../build.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'

// The texts that the catalogue accepts, and how they are stored.

let tradepost: Tradepost
let game: CreatedProduct

beforeAll(async () => {
  tradepost = await openTradepost()
  game = await product(tradepost)
})
afterAll(() => tradepost.close())

/** Returns the field of a refusal, and fails if the body is accepted. */
async function refusedField(path: string, body: Json): Promise<unknown> {
  const { status, json } = await tradepost.post(path, body)
  expect([status, json.code]).toEqual([422, 'VALIDATION_FAILED'])
  return json.details.field
}

describe('a name', () => {
  test.each([' ', '\u00a0\u3000', '\u200b\u200d', '\u2060'])(
    '%j is refused, because it has no visible character',
    async (name) => {
      expect(await refusedField('/products', { name, price_cents: 1 })).toBe('name')
      expect(await refusedField('/categories', { name })).toBe('name')
      expect(await refusedField('/groups', { name })).toBe('name')
      expect(await refusedField('/shipping/zones', { name, countries: ['DE'] })).toBe('name')
    },
  )

  test.each(['x', ' x ', '\u{1f469}\u200d\u{1f680}', '\u3042'])('%j is accepted', async (name) => {
    const { status, json } = await tradepost.post('/products', { name, price_cents: 1 })
    expect([status, json.product?.name]).toEqual([201, name])
  })
})

describe('a control character is refused with its path', () => {
  test.each<[string, Json, string]>([
    ['metadata', { metadata: { a: 'x\u0001' } }, 'metadata.a'],
    ['a key of metadata', { metadata: { 'a\u0001': 'x' } }, 'metadata.a\u0001'],
    ['highlights', { details: { highlights: { a: 'x\u001b' } } }, 'details.highlights.a'],
    ['a delivery note', { delivery_note: 'x\u0085' }, 'delivery_note'],
  ])('in %s', async (_place, fields, field) => {
    expect(await refusedField('/products', { name: 'x', price_cents: 1, ...fields })).toBe(field)
  })
})

test('a metadata value may contain line breaks', async () => {
  const { json } = await tradepost.patch(`/products/${game.id}`, {
    metadata: { a: 'x\ny', b: '' },
  })
  expect(json.product.metadata).toEqual({ a: 'x\ny', b: '' })
})

describe('an empty text', () => {
  test.each(['short_description', 'delivered_message', 'description_html'])(
    'is refused in %s',
    async (name) => {
      const { status, json } = await tradepost.patch(`/products/${game.id}/details`, { [name]: '' })
      expect([status, json.details.field]).toEqual([422, name])
    },
  )

  test('is stored as null if it is HTML that is empty after cleaning', async () => {
    const details = { description_html: '<script>alert(1)</script>' }
    const { json } = await tradepost.patch(`/products/${game.id}/details`, details)
    expect(json.details.description_html).toBeNull()
  })
})

test('an id with a leading zero in a path is 404', async () => {
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

test('a payment method that occurs twice in a body is refused, and its position is named', async () => {
  const card = { method: 'card', enabled: true }
  const { status, json } = await tradepost.put(`/products/${game.id}/payment-methods`, {
    methods: [card, card],
  })
  expect([status, json.details.field]).toEqual([422, 'methods[1].method'])
})

test.each([
  '=1+1',
  '+1',
  '-1+1',
  '@SUM(A1)',
  '\t=1',
  ' =1',
  '\uff1d1+1',
  '\uff0b1',
  '\uff0d1',
  '\uff20A',
])('a CSV cell of the text %j begins with an apostrophe, so that it is not a formula', (text) => {
  expect(cellOf(text)).toBe(`"'${text}"`)
  expect(dashboardCellOf(text)).toBe(`"'${text}"`)
})

test('a CSV cell of a key that is a negative number begins with an apostrophe too', () => {
  expect(cellOf('-1')).toBe(`"'-1"`)
})

test.each(['a;=1+1', 'a\t=1+1', 'a,b', 'a "b"', 'a\r\n=1', '', 'plain', '1-1'])(
  'a CSV cell of the text %j is in quotes, so that no spreadsheet divides it',
  (text) => {
    const cell = `"${text.replaceAll('"', '""')}"`
    expect([cellOf(text), dashboardCellOf(text)]).toEqual([cell, cell])
  },
)

test.each(['-$5.00', '-5,00 €', '-EUR 5.00', '-1'])(
  'a CSV file of the dashboard has the amount %s as it is, because a spreadsheet reads it as a number',
  (text) => {
    expect(dashboardCellOf(text)).toBe(`"${text}"`)
  },
)

/** Returns the only cell of a file of the dashboard, below the name of its column. */
const dashboardCellOf = (text: string): string =>
  csvOf([{ label: 'Name', text: () => text }], [{}]).slice('"Name"\r\n'.length)
