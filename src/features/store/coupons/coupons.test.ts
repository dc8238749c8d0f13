import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { coupon, product } from '../../../../test/build.ts'
import {
  type CallOptions,
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

async function category(of = tradepost.live): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into category (store_id, name, slug, visibility, position, created_at, updated_at)
    select id, 'Games', 'games-' || clock_timestamp(), 'public', 0, now(), now()
      from store where hash = ${of.id}
    returning id`.execute(tradepost.db)
  return rows[0]?.id ?? 0
}

const read = async (id: number): Promise<Json> =>
  (await tradepost.get(`/coupons/${id}`)).json.coupon
const fault = ({ status, json }: { status: number; json: Json }) => [
  status,
  json.code,
  json.details?.field,
]

test('a coupon has every field, and emits no event', async () => {
  await tradepost.events()
  const made = await coupon(tradepost, { code: 'Spring-26' })
  expect(made).toEqual({
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
    created_at: made.created_at,
    updated_at: made.created_at,
  })
  expect(await read(made.id)).toEqual(made)
  expect(await tradepost.events()).toEqual([])
})

test('every field that is sent is kept, products by hash and each record once', async () => {
  const game = await product(tradepost)
  const listed = await category()
  const sent = {
    code: 'ALL_1',
    type: 'fixed',
    amount_cents: 500,
    max_uses: 10,
    max_uses_per_customer: 1,
    min_order_cents: 2000,
    variant_ids: [game.variantId],
    category_ids: [listed],
    payment_methods: ['crypto', 'card'],
    applies_to_renewals: true,
    active: false,
    note: 'For friends.',
  }
  const made = await coupon(tradepost, {
    ...sent,
    starts_at: '2026-01-01T01:00:00+01:00',
    expires_at: '2027-01-01T00:00:00Z',
    product_ids: [game.id, String(game.product.product.legacy_id)],
    allowed_emails: ['ADA@example.com'],
  })
  expect(made).toMatchObject({
    ...sent,
    discount_percent: null,
    starts_at: '2026-01-01T00:00:00.000Z',
    expires_at: '2027-01-01T00:00:00.000Z',
    product_ids: [game.id],
    allowed_emails: ['ada@example.com'],
  })
})

test('a code is generated if none is sent, and is accepted in any case of its letters', async () => {
  const [a, b] = [await coupon(tradepost), await coupon(tradepost)]
  expect(a.code).toMatch(/^[A-Z0-9]{10}$/)
  expect(a.code).not.toBe(b.code)
  const again = await tradepost.post('/coupons', {
    code: a.code.toLowerCase(),
    type: 'fixed',
    amount_cents: 1,
  })
  expect(fault(again)).toEqual([422, 'VALIDATION_FAILED', 'code'])
  expect(again.json.details.reason).toBe('taken')
  const moved = await tradepost.patch(`/coupons/${b.id}`, { code: a.code.toLowerCase() })
  expect([...fault(moved), moved.json.details.reason]).toEqual([
    422,
    'VALIDATION_FAILED',
    'code',
    'taken',
  ])
  const theirs = await coupon(tradepost, { code: a.code }, { as: tradepost.other })
  expect(theirs.code).toBe(a.code)
})

describe('an update', () => {
  test('keeps omitted fields, clears with null, and moves updated_at', async () => {
    const made = await coupon(tradepost, { max_uses: 5, note: 'Old', min_order_cents: 100 })
    tradepost.forward(1000)
    const { json } = await tradepost.patch(`/coupons/${made.id}`, { max_uses: null, note: null })
    expect(json.coupon).toEqual({
      ...made,
      max_uses: null,
      note: null,
      updated_at: json.coupon.updated_at,
    })
    expect(json.coupon.updated_at > made.updated_at).toBe(true)
    expect((await tradepost.patch(`/coupons/${made.id}`, {})).status).toBe(200)
  })

  test('of the type needs its value, and drops the other', async () => {
    const made = await coupon(tradepost)
    const lacking = await tradepost.patch(`/coupons/${made.id}`, { type: 'fixed' })
    expect(fault(lacking)).toEqual([422, 'VALIDATION_FAILED', 'amount_cents'])
    const { json } = await tradepost.patch(`/coupons/${made.id}`, {
      type: 'fixed',
      amount_cents: 300,
    })
    expect(json.coupon).toMatchObject({ type: 'fixed', amount_cents: 300, discount_percent: null })
    const both = await tradepost.patch(`/coupons/${made.id}`, { discount_percent: 5 })
    expect(fault(both)).toEqual([422, 'VALIDATION_FAILED', 'discount_percent'])
  })

  test('is checked against the fields that it keeps', async () => {
    const made = await coupon(tradepost, { starts_at: '2026-06-01T00:00:00Z' })
    const answer = await tradepost.patch(`/coupons/${made.id}`, {
      expires_at: '2026-06-01T00:00:00Z',
    })
    expect(fault(answer)).toEqual([422, 'VALIDATION_FAILED', 'expires_at'])
    expect(await read(made.id)).toEqual(made)
  })

  test('may repeat references to deleted records, and may add no unknown one', async () => {
    const listed = await category()
    const made = await coupon(tradepost, { category_ids: [listed] })
    await sql`delete from category where id = ${listed}`.execute(tradepost.db)
    const path = `/coupons/${made.id}`
    expect((await tradepost.patch(path, { category_ids: [listed] })).status).toBe(200)
    const stranger = await tradepost.patch(path, { category_ids: [listed, 999_999] })
    expect(fault(stranger)).toEqual([422, 'VALIDATION_FAILED', 'category_ids[1]'])
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
])('%j is refused by its field', async (fields, field) => {
  const body =
    fields.type === undefined && Object.keys(fields).length > 0
      ? { type: 'fixed', amount_cents: 5 }
      : {}
  const answer = await tradepost.post('/coupons', { ...body, ...fields })
  expect(fault(answer)).toEqual([422, 'VALIDATION_FAILED', field])
})

test('a list is filtered by code, type and active, newest first', async () => {
  const as = tradepost.test
  const a = await coupon(tradepost, { code: 'LIST-A' }, { as })
  tradepost.forward(1)
  const b = await coupon(tradepost, { code: 'LIST-B', type: 'fixed', amount_cents: 1 }, { as })
  tradepost.forward(1)
  const c = await coupon(tradepost, { code: 'LIST-C', active: false }, { as })
  const ids = async (query: string) => {
    const { json } = await tradepost.get(`/coupons?${query}`, { as })
    expect(json.pagination.total).toBe(json.coupons.length)
    return json.coupons.map((item: Json) => item.id)
  }
  expect(await ids('')).toEqual([c.id, b.id, a.id])
  expect(await ids('active=true')).toEqual([b.id, a.id])
  expect(await ids('type=percentage')).toEqual([c.id, a.id])
  expect(await ids('type=percentage,fixed')).toEqual([c.id, b.id, a.id])
  expect(await ids('code=list-b')).toEqual([b.id])
  const page = await tradepost.get('/coupons?limit=2&offset=1', { as })
  expect(page.json.pagination).toEqual({ total: 3, limit: 2, offset: 1, has_more: false })
  for (const [query, field] of [
    ['active=1', 'active'],
    ['type=free', 'type'],
    ['type=fixed,free', 'type'],
    ['limit=101', 'limit'],
  ]) {
    expect(fault(await tradepost.get(`/coupons?${query}`))).toEqual([
      422,
      'VALIDATION_FAILED',
      field,
    ])
  }
})

test('a deleted coupon is gone, its code is free, and another store’s stays', async () => {
  const made = await coupon(tradepost, { code: 'GONE' })
  for (const as of [tradepost.other, tradepost.test]) {
    expect((await tradepost.delete(`/coupons/${made.id}`, { as })).status).toBe(404)
    expect((await tradepost.patch(`/coupons/${made.id}`, { note: 'x' }, { as })).status).toBe(404)
    expect((await tradepost.get(`/coupons/${made.id}`, { as })).status).toBe(404)
  }
  const { json } = await tradepost.delete(`/coupons/${made.id}`)
  expect(json).toEqual({ success: true, deleted: true, id: made.id })
  expect((await tradepost.get(`/coupons/${made.id}`)).status).toBe(404)
  expect((await coupon(tradepost, { code: 'gone' })).code).toBe('gone')
})

describe('validating', () => {
  const check = (code: string, items: Json, more: Json = {}, options: CallOptions = {}) =>
    tradepost.post('/coupons/validate', { code, items, ...more }, options)
  const of = (id: string, quantity = 1) => [{ product_id: id, quantity }]

  test('shows the discount of a coupon, counts no use, and emits no event', async () => {
    const game = await product(tradepost, { price_cents: 999, discount_percent: 50 })
    const made = await coupon(tradepost, { code: 'CHECK' })
    await tradepost.events()
    const { status, json } = await check('check', of(game.id, 3))
    expect([status, json]).toEqual([
      200,
      { success: true, valid: true, reason: null, discount_cents: 150 },
    ])
    expect((await read(made.id)).uses).toBe(0)
    expect(await tradepost.events()).toEqual([])
  })

  test.each<[string, Json, Json]>([
    ['inactive', { active: false }, {}],
    ['not_started', { starts_at: new Date(Date.now() + HOUR_MS).toISOString() }, {}],
    ['expired', { expires_at: new Date(Date.now() - HOUR_MS).toISOString() }, {}],
    ['min_order', { min_order_cents: 1001 }, {}],
    ['email_not_allowed', { allowed_emails: ['bob@example.com'] }, { email: 'ada@example.com' }],
  ])('says why not: %s', async (reason, fields, more) => {
    const game = await product(tradepost)
    const { code } = await coupon(tradepost, fields)
    const { json } = await check(code, of(game.id), more)
    expect(json).toEqual({ success: true, valid: false, reason, discount_cents: 0 })
  })

  test('knows products that take no coupons, and codes of its own store only', async () => {
    const game = await product(tradepost, { accepts_coupons: false })
    const { code } = await coupon(tradepost)
    expect((await check(code, of(game.id))).json.reason).toBe('not_applicable')
    const theirs = await coupon(tradepost, {}, { as: tradepost.other })
    expect((await check(theirs.code, of(game.id))).json.reason).toBe('not_found')
  })

  test('applies where any of its lists names a line', async () => {
    const [game, other] = [await product(tradepost), await product(tradepost, { price_cents: 500 })]
    const listed = await category()
    await tradepost.patch(`/products/${other.id}`, { category_ids: [listed] })
    const items = [...of(game.id), ...of(other.id)]
    const cases: [Json, number][] = [
      [{ product_ids: [game.id] }, 100],
      [{ variant_ids: [other.variantId] }, 50],
      [{ category_ids: [listed] }, 50],
      [{ product_ids: [game.id], category_ids: [listed] }, 150],
    ]
    for (const [fields, discount_cents] of cases) {
      const { code } = await coupon(tradepost, fields)
      expect((await check(code, items)).json).toMatchObject({ valid: true, discount_cents })
    }
  })

  test('names an item that is nothing', async () => {
    const game = await product(tradepost)
    const { code } = await coupon(tradepost)
    const unknown = await check(code, of('zzzzzzzzzzzz'))
    expect(fault(unknown)).toEqual([422, 'VALIDATION_FAILED', 'items[0].product_id'])
    const variant = await check(code, [{ product_id: game.id, variant_id: 999_999, quantity: 1 }])
    expect(fault(variant)).toEqual([422, 'VALIDATION_FAILED', 'items[0].variant_id'])
    const as = await tradepost.key({ permissions: ['coupons:write'] })
    expect((await check(code, of(game.id), {}, { as })).json.details.required).toBe('coupons:read')
  })
})
