import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { coupon, product } from '../../../../test/build.ts'
import { fromNow } from '../../../../test/clock.ts'
import {
  type CallOptions,
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'
import { HOUR_MS } from '../../../kernel/time.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

async function createCategory(): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into category (store_id, name, slug, visibility, position, created_at, updated_at)
    select id, 'Games', 'games-' || clock_timestamp(), 'public', 0, now(), now()
      from store where hash = ${tradepost.live.id}
    returning id`.execute(tradepost.db)
  return rows[0]?.id ?? 0
}

const getCoupon = async (id: number): Promise<Json> =>
  (await tradepost.get(`/coupons/${id}`)).json.coupon
const refusalOf = ({ status, json }: { status: number; json: Json }) => [
  status,
  json.code,
  json.details?.field,
]

test('a coupon has every field, and emits no event', async () => {
  await tradepost.events()
  const newCoupon = await coupon(tradepost, { code: 'Spring-26' })
  expect(newCoupon).toEqual({
    id: expect.any(Number),
    object: 'coupon',
    code: 'Spring-26',
    type: 'percentage',
    discount_percent: 10,
    amount_cents: null,
    max_uses: null,
    max_uses_per_customer: null,
    min_order_cents: null,
    starts_at: null,
    expires_at: null,
    product_ids: [],
    variant_ids: [],
    category_ids: [],
    payment_methods: [],
    allowed_emails: [],
    applies_to_renewals: false,
    active: true,
    affiliate_partner_id: null,
    note: null,
    uses: 0,
    created_at: newCoupon.created_at,
    updated_at: newCoupon.created_at,
  })
  expect(await getCoupon(newCoupon.id)).toEqual(newCoupon)
  expect(await tradepost.events()).toEqual([])
})

test('every field of a coupon is stored, with products by hash and each record once', async () => {
  const game = await product(tradepost)
  const categoryId = await createCategory()
  const fields = {
    code: 'ALL_1',
    type: 'fixed',
    amount_cents: 500,
    max_uses: 10,
    max_uses_per_customer: 1,
    min_order_cents: 2000,
    variant_ids: [game.variantId],
    category_ids: [categoryId],
    payment_methods: ['crypto', 'card'],
    applies_to_renewals: true,
    active: false,
    note: 'For friends.',
  }
  const newCoupon = await coupon(tradepost, {
    ...fields,
    starts_at: '2026-01-01T01:00:00+01:00',
    expires_at: '2027-01-01T00:00:00Z',
    product_ids: [game.id, String(game.product.product.legacy_id)],
    allowed_emails: ['ADA@example.com'],
  })
  expect(newCoupon).toMatchObject({
    ...fields,
    discount_percent: null,
    starts_at: '2026-01-01T00:00:00.000Z',
    expires_at: '2027-01-01T00:00:00.000Z',
    product_ids: [game.id],
    allowed_emails: ['ada@example.com'],
  })
})

test('a code is generated if omitted, and is unique in its store in any case of its letters', async () => {
  const [first, second] = [await coupon(tradepost), await coupon(tradepost)]
  expect(first.code).toMatch(/^[A-Z0-9]{10}$/)
  expect(first.code).not.toBe(second.code)
  const duplicate = await tradepost.post('/coupons', {
    code: first.code.toLowerCase(),
    type: 'fixed',
    amount_cents: 1,
  })
  expect(refusalOf(duplicate)).toEqual([422, 'VALIDATION_FAILED', 'code'])
  expect(duplicate.json.details.reason).toBe('taken')
  const codeChange = await tradepost.patch(`/coupons/${second.id}`, {
    code: first.code.toLowerCase(),
  })
  expect([...refusalOf(codeChange), codeChange.json.details.reason]).toEqual([
    422,
    'VALIDATION_FAILED',
    'code',
    'taken',
  ])
  const foreignCoupon = await coupon(tradepost, { code: first.code }, { as: tradepost.other })
  expect(foreignCoupon.code).toBe(first.code)
})

describe('an update', () => {
  test('keeps omitted fields, clears fields that are null, and sets updated_at', async () => {
    const newCoupon = await coupon(tradepost, { max_uses: 5, note: 'Old', min_order_cents: 100 })
    tradepost.forward(1000)
    const { json } = await tradepost.patch(`/coupons/${newCoupon.id}`, {
      max_uses: null,
      note: null,
    })
    expect(json.coupon).toEqual({
      ...newCoupon,
      max_uses: null,
      note: null,
      updated_at: json.coupon.updated_at,
    })
    expect(json.coupon.updated_at > newCoupon.updated_at).toBe(true)
    expect((await tradepost.patch(`/coupons/${newCoupon.id}`, {})).status).toBe(200)
  })

  test('of the type needs the value of the new type, and clears the value of the former type', async () => {
    const newCoupon = await coupon(tradepost)
    const withoutValue = await tradepost.patch(`/coupons/${newCoupon.id}`, { type: 'fixed' })
    expect(refusalOf(withoutValue)).toEqual([422, 'VALIDATION_FAILED', 'amount_cents'])
    const { json } = await tradepost.patch(`/coupons/${newCoupon.id}`, {
      type: 'fixed',
      amount_cents: 300,
    })
    expect(json.coupon).toMatchObject({ type: 'fixed', amount_cents: 300, discount_percent: null })
    const withBothValues = await tradepost.patch(`/coupons/${newCoupon.id}`, {
      discount_percent: 5,
    })
    expect(refusalOf(withBothValues)).toEqual([422, 'VALIDATION_FAILED', 'discount_percent'])
  })

  test('is checked against the fields that it keeps', async () => {
    const newCoupon = await coupon(tradepost, { starts_at: '2026-06-01T00:00:00Z' })
    const answer = await tradepost.patch(`/coupons/${newCoupon.id}`, {
      expires_at: '2026-06-01T00:00:00Z',
    })
    expect(refusalOf(answer)).toEqual([422, 'VALIDATION_FAILED', 'expires_at'])
    expect(await getCoupon(newCoupon.id)).toEqual(newCoupon)
  })

  test('may repeat references to deleted records, and cannot add unknown ones', async () => {
    const categoryId = await createCategory()
    const newCoupon = await coupon(tradepost, { category_ids: [categoryId] })
    await sql`delete from category where id = ${categoryId}`.execute(tradepost.db)
    const path = `/coupons/${newCoupon.id}`
    expect((await tradepost.patch(path, { category_ids: [categoryId] })).status).toBe(200)
    const unknownCategory = await tradepost.patch(path, { category_ids: [categoryId, 999_999] })
    expect(refusalOf(unknownCategory)).toEqual([422, 'VALIDATION_FAILED', 'category_ids[1]'])
  })
})

test.each<[Json, string]>([
  [{ type: 'percentage' }, 'discount_percent'],
  [{ type: 'percentage', discount_percent: 0 }, 'discount_percent'],
  [{ type: 'percentage', discount_percent: 100.01 }, 'discount_percent'],
  [{ type: 'percentage', discount_percent: 1.001 }, 'discount_percent'],
  [{ type: 'percentage', discount_percent: 5, amount_cents: 5 }, 'amount_cents'],
  [{ type: 'fixed', amount_cents: 0 }, 'amount_cents'],
  [{ type: 'half' }, 'type'],
  [{}, 'type'],
  [{ code: 'with space' }, 'code'],
  [{ code: '' }, 'code'],
  [{ code: 'x'.repeat(65) }, 'code'],
  [{ max_uses: 0 }, 'max_uses'],
  [{ max_uses_per_customer: 1.5 }, 'max_uses_per_customer'],
  [{ min_order_cents: -1 }, 'min_order_cents'],
  [{ starts_at: 'tomorrow' }, 'starts_at'],
  [{ product_ids: ['zzzzzzzzzzzz'] }, 'product_ids[0]'],
  [{ product_ids: ['!'] }, 'product_ids[0]'],
  [{ variant_ids: [999_999] }, 'variant_ids[0]'],
  [{ category_ids: [0] }, 'category_ids[0]'],
  [{ category_ids: Array(501).fill(1) }, 'category_ids'],
  [{ payment_methods: ['free'] }, 'payment_methods[0]'],
  [{ allowed_emails: ['ada'] }, 'allowed_emails[0]'],
  [{ uses: 1 }, 'uses'],
])('a coupon with %j is refused, and the error names %s', async (fields, field) => {
  const isTypeTested = 'type' in fields || Object.keys(fields).length === 0
  const validFields = isTypeTested ? {} : { type: 'fixed', amount_cents: 5 }
  const answer = await tradepost.post('/coupons', { ...validFields, ...fields })
  expect(refusalOf(answer)).toEqual([422, 'VALIDATION_FAILED', field])
})

test('coupons are listed newest first, and filtered by code, type and active', async () => {
  const as = tradepost.test
  const first = await coupon(tradepost, { code: 'LIST-A' }, { as })
  tradepost.forward(1)
  const second = await coupon(tradepost, { code: 'LIST-B', type: 'fixed', amount_cents: 1 }, { as })
  tradepost.forward(1)
  const third = await coupon(tradepost, { code: 'LIST-C', active: false }, { as })
  const ids = async (query: string) => {
    const { json } = await tradepost.get(`/coupons?${query}`, { as })
    expect(json.pagination.total).toBe(json.coupons.length)
    return json.coupons.map((item: Json) => item.id)
  }
  expect(await ids('')).toEqual([third.id, second.id, first.id])
  expect(await ids('active=true')).toEqual([second.id, first.id])
  expect(await ids('type=percentage')).toEqual([third.id, first.id])
  expect(await ids('type=percentage,fixed')).toEqual([third.id, second.id, first.id])
  expect(await ids('code=list-b')).toEqual([second.id])
  const page = await tradepost.get('/coupons?limit=2&offset=1', { as })
  expect(page.json.pagination).toEqual({ total: 3, limit: 2, offset: 1, has_more: false })
  for (const [query, field] of [
    ['active=1', 'active'],
    ['type=free', 'type'],
    ['type=fixed,free', 'type'],
    ['limit=101', 'limit'],
  ]) {
    expect(refusalOf(await tradepost.get(`/coupons?${query}`))).toEqual([
      422,
      'VALIDATION_FAILED',
      field,
    ])
  }
})

test('a deleted coupon is not found, its code can be used again, and a coupon of another store is not deleted', async () => {
  const newCoupon = await coupon(tradepost, { code: 'GONE' })
  for (const as of [tradepost.other, tradepost.test]) {
    expect((await tradepost.delete(`/coupons/${newCoupon.id}`, { as })).status).toBe(404)
    expect((await tradepost.patch(`/coupons/${newCoupon.id}`, { note: 'x' }, { as })).status).toBe(
      404,
    )
    expect((await tradepost.get(`/coupons/${newCoupon.id}`, { as })).status).toBe(404)
  }
  const { json } = await tradepost.delete(`/coupons/${newCoupon.id}`)
  expect(json).toEqual({ success: true, deleted: true, id: newCoupon.id })
  expect((await tradepost.get(`/coupons/${newCoupon.id}`)).status).toBe(404)
  expect((await coupon(tradepost, { code: 'gone' })).code).toBe('gone')
})

describe('a validation', () => {
  const validate = (code: string, items: Json, fields: Json = {}, options: CallOptions = {}) =>
    tradepost.post('/coupons/validate', { code, items, ...fields }, options)
  const itemsOf = (id: string, quantity = 1) => [{ product_id: id, quantity }]

  test('shows the discount of a coupon, counts no use, and emits no event', async () => {
    const game = await product(tradepost, { price_cents: 999, discount_percent: 50 })
    const newCoupon = await coupon(tradepost, { code: 'CHECK' })
    await tradepost.events()
    const { status, json } = await validate('check', itemsOf(game.id, 3))
    expect([status, json]).toEqual([
      200,
      { success: true, valid: true, reason: null, discount_cents: 150 },
    ])
    expect((await getCoupon(newCoupon.id)).uses).toBe(0)
    expect(await tradepost.events()).toEqual([])
  })

  test.each<[string, Json, Json]>([
    ['inactive', { active: false }, {}],
    ['not_started', { starts_at: fromNow(HOUR_MS) }, {}],
    ['expired', { expires_at: fromNow(-HOUR_MS) }, {}],
    ['min_order', { min_order_cents: 1001 }, {}],
    ['email_not_allowed', { allowed_emails: ['bob@example.com'] }, { email: 'ada@example.com' }],
  ])('names the reason why a coupon is refused: %s', async (reason, fields, buyer) => {
    const game = await product(tradepost)
    const { code } = await coupon(tradepost, fields)
    const { json } = await validate(code, itemsOf(game.id), buyer)
    expect(json).toEqual({ success: true, valid: false, reason, discount_cents: 0 })
  })

  test('finds coupons of its own store only, and gives no discount on products that do not accept coupons', async () => {
    const game = await product(tradepost, { accepts_coupons: false })
    const { code } = await coupon(tradepost)
    expect((await validate(code, itemsOf(game.id))).json.reason).toBe('not_applicable')
    const foreignCoupon = await coupon(tradepost, {}, { as: tradepost.other })
    expect((await validate(foreignCoupon.code, itemsOf(game.id))).json.reason).toBe('not_found')
  })

  test('finds no coupon by a code with other letters, of which some are S or I in upper case', async () => {
    const game = await product(tradepost)
    const { code } = await coupon(tradepost, { code: 'SIKE' })
    expect((await validate(code.toLowerCase(), itemsOf(game.id))).json.valid).toBe(true)
    for (const other of ['ſIKE', 'SıKE', 'SI\u212aE']) {
      const { json } = await validate(other, itemsOf(game.id))
      expect([other, json.valid, json.reason]).toEqual([other, false, 'not_found'])
      const list = await tradepost.get(`/coupons?code=${encodeURIComponent(other)}`)
      expect(list.json.coupons).toEqual([])
    }
  })

  test('applies a coupon to a line that is in any of its lists', async () => {
    const [game, other] = [await product(tradepost), await product(tradepost, { price_cents: 500 })]
    const categoryId = await createCategory()
    await expectSuccess(tradepost.patch(`/products/${other.id}`, { category_ids: [categoryId] }))
    const items = [...itemsOf(game.id), ...itemsOf(other.id)]
    const cases: [Json, number][] = [
      [{ product_ids: [game.id] }, 100],
      [{ variant_ids: [other.variantId] }, 50],
      [{ category_ids: [categoryId] }, 50],
      [{ product_ids: [game.id], category_ids: [categoryId] }, 150],
    ]
    for (const [fields, discount_cents] of cases) {
      const { code } = await coupon(tradepost, fields)
      expect((await validate(code, items)).json).toMatchObject({ valid: true, discount_cents })
    }
  })

  test('names an item that does not exist', async () => {
    const game = await product(tradepost)
    const { code } = await coupon(tradepost)
    const unknownProduct = await validate(code, itemsOf('zzzzzzzzzzzz'))
    expect(refusalOf(unknownProduct)).toEqual([422, 'VALIDATION_FAILED', 'items[0].product_id'])
    const unknownVariant = await validate(code, [
      { product_id: game.id, variant_id: 999_999, quantity: 1 },
    ])
    expect(refusalOf(unknownVariant)).toEqual([422, 'VALIDATION_FAILED', 'items[0].variant_id'])
  })

  test('needs coupons:read', async () => {
    const game = await product(tradepost)
    const { code } = await coupon(tradepost)
    const as = await tradepost.key({ permissions: ['coupons:write'] })
    expect((await validate(code, itemsOf(game.id), {}, { as })).json.details.required).toBe(
      'coupons:read',
    )
  })
})
