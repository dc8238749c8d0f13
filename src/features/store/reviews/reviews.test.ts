import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { order, product } from '../../../../test/build.ts'
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

const createEditor = () => product(tradepost, { name: 'Editor', price_cents: 0, type: 'license' })

/** Creates a completed order of a product. Returns the body of a review. */
async function reviewOf(productId: string, fields: Json = {}): Promise<Json> {
  const { id } = await order(tradepost, productId)
  return { order_id: id, product_id: productId, rating: 4, message: 'Good.', ...fields }
}

const createReview = async (body: Json): Promise<Json> => {
  const { status, json, text } = await tradepost.post('/reviews', body)
  expect(status, text).toBe(201)
  return json.review
}

const statsOf = async (productId: string): Promise<Json> =>
  (await tradepost.get(`/reviews?product_id=${productId}`)).json.stats

test('a review of a completed order is published, and review.created reports it', async () => {
  const { id } = await createEditor()
  const body = await reviewOf(id)
  await tradepost.events()
  const newReview = await createReview(body)
  expect(newReview).toEqual({
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
    updated_at: newReview.created_at,
  })
  expect(await tradepost.events()).toEqual(['review.created'])
  const { data } = (await tradepost.payloads('review.created')).at(-1)
  expect(data.object).toEqual({
    object: 'review',
    id: newReview.id,
    order_id: body.order_id,
    product: { id, name: 'Editor' },
    rating: 4,
    message: 'Good.',
    automatic: false,
    created_at: newReview.created_at,
  })
  expect((await tradepost.get(`/reviews/${newReview.id}`)).json.review).toEqual(newReview)
})

test('a review needs no message, and accepts the numeric id of a product', async () => {
  const { id, product: newProduct } = await createEditor()
  const { message, ...body } = await reviewOf(id, {
    product_id: String(newProduct.product.legacy_id),
  })
  expect(await createReview(body)).toMatchObject({ message: null, product: { id } })
})

describe('a review is refused', () => {
  test.each([
    ['rating 0', { rating: 0 }, 'rating'],
    ['rating 6', { rating: 6 }, 'rating'],
    ['rating 4.5', { rating: 4.5 }, 'rating'],
    ['a message of 2001 characters', { message: 'x'.repeat(2_001) }, 'message'],
    ['an unknown order', { order_id: 'ord_0000000000000000000001' }, 'order_id'],
    ['a product that was not bought', { product_id: 'AAAAAAAAAAAA' }, 'product_id'],
    ['an unknown field', { stars: 5 }, 'stars'],
  ])('with %s', async (_, fields, field) => {
    const { id } = await createEditor()
    const { status, json } = await tradepost.post('/reviews', await reviewOf(id, fields))
    expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', field])
  })

  test('for an order that is not completed', async () => {
    const { id } = await product(tradepost, { type: 'service' })
    const unpaidOrder = await order(tradepost, id)
    const paidOrder = await order(tradepost, id, { mark_paid: true })
    for (const { id: order_id, status: orderStatus } of [unpaidOrder, paidOrder]) {
      const body = { order_id, product_id: id, rating: 5 }
      const { status, json } = await tradepost.post('/reviews', body)
      expect([status, json.details]).toMatchObject([
        422,
        { field: 'order_id', status: orderStatus },
      ])
    }
  })

  test('for a product of an order a second time, and emits no event', async () => {
    const { id } = await createEditor()
    const body = await reviewOf(id)
    await createReview(body)
    await tradepost.events()
    const { status, json } = await tradepost.post('/reviews', { ...body, rating: 1 })
    expect([status, json.details]).toMatchObject([422, { field: 'product_id', reason: 'taken' }])
    expect(await tradepost.events()).toEqual([])
    expect(await statsOf(id)).toMatchObject({ total: 1, average: 4 })
  })
})

test('a reply is created, replaced and deleted', async () => {
  const { id } = await createEditor()
  const newReview = await createReview(await reviewOf(id))
  const path = `/reviews/${newReview.id}/reply`
  const first = (await tradepost.put(path, { reply: 'Thanks.' })).json.review
  expect(first).toMatchObject({ reply: 'Thanks.', replied_at: expect.any(String) })
  expect((await tradepost.put(path, { reply: 'Thank you!' })).json.review.reply).toBe('Thank you!')
  expect((await tradepost.put(path, { reply: '' })).json.details.field).toBe('reply')
  expect((await tradepost.put(path, { reply: 'x'.repeat(2_001) })).status).toBe(422)
  const deletion = await tradepost.delete(path)
  expect([deletion.status, deletion.json]).toMatchObject([
    200,
    { deleted: true, id: newReview.id, review: { reply: null, replied_at: null } },
  ])
  expect((await tradepost.delete(path)).status).toBe(200)
})

test('the statistics of a product count its reviews except for hidden ones', async () => {
  const { id } = await createEditor()
  expect(await statsOf(id)).toEqual({
    total: 0,
    average: null,
    by_rating: { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 },
  })
  const [worstReview] = [
    await createReview(await reviewOf(id, { rating: 1 })),
    await createReview(await reviewOf(id, { rating: 5 })),
    await createReview(await reviewOf(id, { rating: 5 })),
  ]
  expect(await statsOf(id)).toEqual({
    total: 3,
    average: 3.67,
    by_rating: { 1: 1, 2: 0, 3: 0, 4: 0, 5: 2 },
  })
  const storeTotal = (await tradepost.get('/reviews')).json.stats.total
  await expectSuccess(tradepost.patch(`/reviews/${worstReview?.id}`, { status: 'hidden' }))
  expect(await statsOf(id)).toMatchObject({ total: 2, average: 5 })
  expect((await tradepost.get('/reviews')).json.stats.total).toBe(storeTotal - 1)
  await expectSuccess(tradepost.patch(`/reviews/${worstReview?.id}`, { status: 'published' }))
  expect(await statsOf(id)).toMatchObject({ total: 3 })
})

test('a reported review counts in the statistics, is reported once, and its reason is in the audit trail', async () => {
  const { id } = await createEditor()
  const newReview = await createReview(await reviewOf(id))
  const path = `/reviews/${newReview.id}`
  const report = await tradepost.post(`${path}/report`, { reason: 'Insults us.' })
  expect([report.status, report.json.review.status]).toEqual([200, 'reported'])
  expect(await statsOf(id)).toMatchObject({ total: 1 })
  const secondReport = await tradepost.post(`${path}/report`, { reason: 'Insults us.' })
  expect([secondReport.status, secondReport.json.code, secondReport.json.details.status]).toEqual([
    409,
    'INVALID_STATE',
    'reported',
  ])
  expect((await tradepost.post(`${path}/report`, {})).json.details.field).toBe('reason')
  const { audit_events } = (await tradepost.get('/account/audit-events?action=review.report')).json
  expect(audit_events[0]).toMatchObject({
    object: 'review',
    object_id: String(newReview.id),
    changes: { reason: { to: 'Insults us.' }, status: { from: 'published', to: 'reported' } },
  })
  expect((await tradepost.patch(path, { status: 'hidden' })).json.review.status).toBe('hidden')
  expect((await tradepost.post(`${path}/report`, { reason: 'x' })).status).toBe(409)
  expect((await tradepost.patch(path, { status: 'reported' })).json.details.field).toBe('status')
})

test('reviews are filtered by product, rating, reply, status, automatic and email', async () => {
  const { id } = await createEditor()
  const firstReview = await createReview(await reviewOf(id, { rating: 5 }))
  const secondReview = await createReview(await reviewOf(id, { rating: 2 }))
  await expectSuccess(tradepost.put(`/reviews/${firstReview.id}/reply`, { reply: 'Thanks.' }))
  await expectSuccess(tradepost.patch(`/reviews/${secondReview.id}`, { status: 'hidden' }))
  const listIds = async (query: string) =>
    (await tradepost.get(`/reviews?product_id=${id}&${query}`)).json.reviews.map(
      (item: Json) => item.id,
    )
  expect(await listIds('')).toEqual([secondReview.id, firstReview.id])
  expect(await listIds('rating=5')).toEqual([firstReview.id])
  expect(await listIds('rating=1,2')).toEqual([secondReview.id])
  expect(await listIds('has_reply=true')).toEqual([firstReview.id])
  expect(await listIds('has_reply=false')).toEqual([secondReview.id])
  expect(await listIds('status=hidden,reported')).toEqual([secondReview.id])
  expect(await listIds('automatic=true')).toEqual([])
  expect(await listIds('automatic=false')).toEqual([secondReview.id, firstReview.id])
  expect(await listIds('email=ada@example.com')).toEqual([secondReview.id, firstReview.id])
  expect(await listIds('email=bob@example.com')).toEqual([])
  expect((await tradepost.get('/reviews?rating=6')).json.details.field).toBe('rating')
  const page = (await tradepost.get(`/reviews?product_id=${id}&limit=1`)).json
  expect(page.pagination).toEqual({ total: 2, limit: 1, offset: 0, has_more: true })
})

test('a call that is repeated with one idempotency key creates one review', async () => {
  const { id } = await createEditor()
  const body = await reviewOf(id)
  await tradepost.events()
  const headers = { 'idempotency-key': 'review-once' }
  const first = await tradepost.post('/reviews', body, { headers })
  const second = await tradepost.post('/reviews', body, { headers })
  expect([second.status, second.text]).toEqual([201, first.text])
  expect(await tradepost.events()).toEqual(['review.created'])
})
