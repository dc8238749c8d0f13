import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { order, product } from '../../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const aProduct = () => product(tradepost, { name: 'Editor', price_cents: 0, type: 'license' })

/** The body of a review of a new completed order of this product. */
async function bought(id: string, fields: Json = {}): Promise<Json> {
  const sale = await order(tradepost, id)
  return { order_id: sale.id, product_id: id, rating: 4, message: 'Good.', ...fields }
}

const review = async (body: Json): Promise<Json> => {
  const { status, json, text } = await tradepost.post('/reviews', body)
  expect(status, text).toBe(201)
  return json.review
}

const stats = async (productId: string): Promise<Json> =>
  (await tradepost.get(`/reviews?product_id=${productId}`)).json.stats

test('a review of a completed order is published, and review.created reports it', async () => {
  const { id } = await aProduct()
  const body = await bought(id)
  await tradepost.events()
  const made = await review(body)
  expect(made).toEqual({
    id: expect.any(Number),
    object: 'review',
    order_id: body.order_id,
    product: { id, name: 'Editor' },
    customer_email: 'ada@example.com',
    rating: 4,
    message: 'Good.',
    automatic: false,
    status: 'published',
    reply: null,
    replied_at: null,
    created_at: expect.any(String),
    updated_at: made.created_at,
  })
  expect(await tradepost.events()).toEqual(['review.created'])
  const { data } = (await tradepost.payloads('review.created')).at(-1)
  expect(data.object).toEqual({
    object: 'review',
    id: made.id,
    order_id: body.order_id,
    product: { id, name: 'Editor' },
    rating: 4,
    message: 'Good.',
    automatic: false,
    created_at: made.created_at,
  })
  expect((await tradepost.get(`/reviews/${made.id}`)).json.review).toEqual(made)
})

test('a review needs no message, and takes the numeric id of a product', async () => {
  const { id, product: made } = await aProduct()
  const { message, ...body } = await bought(id, { product_id: String(made.product.legacy_id) })
  expect(await review(body)).toMatchObject({ message: null, product: { id } })
})

describe('a review is refused', () => {
  test.each([
    ['rating 0', { rating: 0 }, 'rating'],
    ['rating 6', { rating: 6 }, 'rating'],
    ['a rating between two', { rating: 4.5 }, 'rating'],
    ['a message of 2001 characters', { message: 'x'.repeat(2_001) }, 'message'],
    ['an unknown order', { order_id: 'ord_0000000000000000000001' }, 'order_id'],
    ['a product that was not bought', { product_id: 'AAAAAAAAAAAA' }, 'product_id'],
    ['an unknown field', { stars: 5 }, 'stars'],
  ])('with %s', async (_, fields, field) => {
    const { id } = await aProduct()
    const { status, json } = await tradepost.post('/reviews', await bought(id, fields))
    expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', field])
  })

  test('of an order that is not completed', async () => {
    const { id } = await product(tradepost, { type: 'service' })
    const open = await order(tradepost, id)
    const paid = await order(tradepost, id, { mark_paid: true })
    for (const sale of [open, paid]) {
      const body = { order_id: sale.id, product_id: id, rating: 5 }
      const { status, json } = await tradepost.post('/reviews', body)
      expect([status, json.details]).toEqual([422, { field: 'order_id', status: sale.status }])
    }
  })

  test('a second time, and no event is sent', async () => {
    const { id } = await aProduct()
    const body = await bought(id)
    await review(body)
    await tradepost.events()
    const { status, json } = await tradepost.post('/reviews', { ...body, rating: 1 })
    expect([status, json.details]).toEqual([422, { field: 'product_id', reason: 'taken' }])
    expect(await tradepost.events()).toEqual([])
    expect(await stats(id)).toMatchObject({ total: 1, average: 4 })
  })
})

test('a reply is written, replaced and deleted', async () => {
  const { id } = await aProduct()
  const made = await review(await bought(id))
  const path = `/reviews/${made.id}/reply`
  const first = (await tradepost.put(path, { reply: 'Thanks.' })).json.review
  expect(first).toMatchObject({ reply: 'Thanks.', replied_at: expect.any(String) })
  expect((await tradepost.put(path, { reply: 'Thank you!' })).json.review.reply).toBe('Thank you!')
  expect((await tradepost.put(path, { reply: '' })).json.details.field).toBe('reply')
  expect((await tradepost.put(path, { reply: 'x'.repeat(2_001) })).status).toBe(422)
  const gone = await tradepost.delete(path)
  expect([gone.status, gone.json]).toMatchObject([
    200,
    { deleted: true, id: made.id, review: { reply: null, replied_at: null } },
  ])
  expect((await tradepost.delete(path)).status).toBe(200)
})

test('stats count the reviews of a product that are not hidden', async () => {
  const { id } = await aProduct()
  expect(await stats(id)).toEqual({
    total: 0,
    average: null,
    by_rating: { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 },
  })
  const [bad] = [
    await review(await bought(id, { rating: 1 })),
    await review(await bought(id, { rating: 5 })),
    await review(await bought(id, { rating: 5 })),
  ]
  expect(await stats(id)).toEqual({
    total: 3,
    average: 3.67,
    by_rating: { 1: 1, 2: 0, 3: 0, 4: 0, 5: 2 },
  })
  const whole = (await tradepost.get('/reviews')).json.stats.total
  await tradepost.patch(`/reviews/${bad?.id}`, { status: 'hidden' })
  expect(await stats(id)).toMatchObject({ total: 2, average: 5 })
  expect((await tradepost.get('/reviews')).json.stats.total).toBe(whole - 1)
  await tradepost.patch(`/reviews/${bad?.id}`, { status: 'published' })
  expect(await stats(id)).toMatchObject({ total: 3 })
})

test('a reported review stays counted, is reported once, and the trail keeps the reason', async () => {
  const { id } = await aProduct()
  const made = await review(await bought(id))
  const path = `/reviews/${made.id}`
  const reported = await tradepost.post(`${path}/report`, { reason: 'Insults us.' })
  expect([reported.status, reported.json.review.status]).toEqual([200, 'reported'])
  expect(await stats(id)).toMatchObject({ total: 1 })
  const again = await tradepost.post(`${path}/report`, { reason: 'Insults us.' })
  expect([again.status, again.json.code, again.json.details.status]).toEqual([
    409,
    'INVALID_STATE',
    'reported',
  ])
  expect((await tradepost.post(`${path}/report`, {})).json.details.field).toBe('reason')
  const { audit_events } = (await tradepost.get('/account/audit-events?action=review.report')).json
  expect(audit_events[0]).toMatchObject({
    object: 'review',
    object_id: String(made.id),
    changes: { reason: { to: 'Insults us.' }, status: { from: 'published', to: 'reported' } },
  })
  expect((await tradepost.patch(path, { status: 'hidden' })).json.review.status).toBe('hidden')
  expect((await tradepost.post(`${path}/report`, { reason: 'x' })).status).toBe(409)
  expect((await tradepost.patch(path, { status: 'reported' })).json.details.field).toBe('status')
})

test('the list is filtered by rating, product, reply, status, kind and e-mail', async () => {
  const { id } = await aProduct()
  const five = await review(await bought(id, { rating: 5 }))
  const two = await review(await bought(id, { rating: 2 }))
  await tradepost.put(`/reviews/${five.id}/reply`, { reply: 'Thanks.' })
  await tradepost.patch(`/reviews/${two.id}`, { status: 'hidden' })
  const found = async (query: string) =>
    (await tradepost.get(`/reviews?product_id=${id}&${query}`)).json.reviews.map(
      (item: Json) => item.id,
    )
  expect(await found('')).toEqual([two.id, five.id])
  expect(await found('rating=5')).toEqual([five.id])
  expect(await found('rating=1,2')).toEqual([two.id])
  expect(await found('has_reply=true')).toEqual([five.id])
  expect(await found('has_reply=false')).toEqual([two.id])
  expect(await found('status=hidden,reported')).toEqual([two.id])
  expect(await found('automatic=true')).toEqual([])
  expect(await found('automatic=false')).toEqual([two.id, five.id])
  expect(await found('email=ada@example.com')).toEqual([two.id, five.id])
  expect(await found('email=bob@example.com')).toEqual([])
  expect((await tradepost.get('/reviews?rating=6')).json.details.field).toBe('rating')
  const paged = (await tradepost.get(`/reviews?product_id=${id}&limit=1`)).json
  expect(paged.pagination).toEqual({ total: 2, limit: 1, offset: 0, has_more: true })
})

test('a repeated call with an idempotency key makes one review', async () => {
  const { id } = await aProduct()
  const body = await bought(id)
  await tradepost.events()
  const headers = { 'idempotency-key': 'review-once' }
  const first = await tradepost.post('/reviews', body, { headers })
  const second = await tradepost.post('/reviews', body, { headers })
  expect([second.status, second.text]).toEqual([201, first.text])
  expect(await tradepost.events()).toEqual(['review.created'])
})
