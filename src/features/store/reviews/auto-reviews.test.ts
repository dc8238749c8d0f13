import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { order, product } from '../../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { DAY_MS, HOUR_MS } from '../../../kernel/time.ts'
import { clockCommands } from '../../installation/clock/index.ts'
import { diagnose } from '../../installation/doctor/index.ts'
import { createAutoReviewsJob } from './create-auto-reviews.job.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

async function turn(days: number | null, as = tradepost.live): Promise<void> {
  await tradepost.patch('/account/settings', { auto_review_days: days }, { as })
  await createAutoReviewsJob.run(tradepost.app)
}

/** A completed order of two products, and the reviews of it. */
async function sale(options: Json = {}): Promise<Json> {
  const free = { price_cents: 0, type: 'license' }
  const [a, b] = [await product(tradepost, free, options), await product(tradepost, free, options)]
  const items = [a, b].map(({ id }) => ({ product_id: id, quantity: 1 }))
  return order(tradepost, a.id, { items }, options)
}

const reviewsOf = async ({ id }: Json, options: Json = {}): Promise<Json[]> =>
  (await tradepost.get('/reviews?limit=100', options)).json.reviews.filter(
    (item: Json) => item.order_id === id,
  )

const run = async (ahead_ms: number) => {
  tradepost.forward(ahead_ms)
  await tradepost.events()
  await createAutoReviewsJob.run(tradepost.app)
  return tradepost.events()
}

beforeEach(() => turn(null))

test('after the days without a review each product gets five stars, and events say so', async () => {
  await turn(3)
  const made = await sale()
  expect(await run(3 * DAY_MS - HOUR_MS)).toEqual([])
  expect(await run(2 * HOUR_MS)).toEqual(['review.created', 'review.created'])
  const reviews = await reviewsOf(made)
  expect(reviews).toHaveLength(2)
  for (const review of reviews) {
    expect(review).toMatchObject({
      rating: 5,
      automatic: true,
      status: 'published',
      customer_email: 'ada@example.com',
      message: expect.stringMatching(/\w/),
    })
  }
  const payload = (await tradepost.payloads('review.created')).at(-1)
  expect(payload.data.object).toMatchObject({ automatic: true, rating: 5, order_id: made.id })
  expect(await run(30 * DAY_MS)).toEqual([])
})

test('a product that the customer reviewed gets none', async () => {
  await turn(1)
  const made = await sale()
  const product_id = made.items[0].product_id
  await tradepost.post('/reviews', { order_id: made.id, product_id, rating: 2 })
  expect(await run(2 * DAY_MS)).toEqual(['review.created'])
  expect((await reviewsOf(made)).map((item) => item.automatic).sort()).toEqual([false, true])
})

test("the customer's review replaces an automatic one, once, under the same id", async () => {
  await turn(1)
  const made = await sale()
  await run(2 * DAY_MS)
  const [automatic] = await reviewsOf(made)
  await tradepost.put(`/reviews/${automatic?.id}/reply`, { reply: 'Thanks.' })
  await tradepost.events()
  const body = { order_id: made.id, product_id: automatic?.product.id, rating: 1, message: 'No.' }
  const { status, json } = await tradepost.post('/reviews', body)
  expect(status).toBe(201)
  expect(json.review).toMatchObject({
    id: automatic?.id,
    rating: 1,
    message: 'No.',
    automatic: false,
    reply: null,
  })
  expect(await tradepost.events()).toEqual(['review.created'])
  const { stats } = (await tradepost.get(`/reviews?product_id=${body.product_id}`)).json
  expect(stats).toMatchObject({ total: 1, average: 1 })
  expect((await tradepost.post('/reviews', body)).json.details.reason).toBe('taken')
})

test('orders that were due before it was turned on get none, later ones do', async () => {
  const before = await sale()
  tradepost.forward(5 * DAY_MS)
  const recent = await sale()
  await turn(3)
  expect(await run(4 * DAY_MS)).toEqual(['review.created', 'review.created'])
  expect(await reviewsOf(before)).toEqual([])
  expect(await reviewsOf(recent)).toHaveLength(2)
})

test('is not created if it was turned off, the order was refunded, or the customer erased', async () => {
  await turn(2)
  const off = await sale()
  tradepost.forward(HOUR_MS)
  await turn(null)
  expect(await run(3 * DAY_MS)).toEqual([])
  expect(await reviewsOf(off)).toEqual([])
  await turn(2)
  const refunded = await sale()
  await tradepost.post(`/orders/${refunded.id}/refund`, { amount_cents: 0 })
  const free = { price_cents: 0, type: 'license' }
  const { id } = await product(tradepost, free)
  const gone = await order(tradepost, id, { customer: { email: 'gone@example.com' } })
  await tradepost.post(`/customers/${gone.customer.id}/erase`)
  expect(await run(3 * DAY_MS)).toEqual([])
})

test('an order that fails is tried again, and then left, and holds no other store up', async () => {
  await turn(1)
  const made = await sale()
  await sql`alter table review add constraint broken check (not automatic) not valid`.execute(
    tradepost.db,
  )
  expect(await run(2 * DAY_MS)).toEqual([])
  await sql`alter table review drop constraint broken`.execute(tradepost.db)
  expect(await run(0)).toEqual([])
  expect(await run(HOUR_MS)).toEqual(['review.created', 'review.created'])
  expect(await reviewsOf(made)).toHaveLength(2)
})

describe('on a test side', () => {
  test('a moved clock makes the reviews that become due on the way', async () => {
    const as = { as: tradepost.test }
    await turn(7, tradepost.test)
    const made = await sale(as)
    await clockCommands[0]?.run(tradepost.app, { store: tradepost.test.id, duration: '6d' })
    expect(await reviewsOf(made, as)).toEqual([])
    await clockCommands[0]?.run(tradepost.app, { store: tradepost.test.id, duration: '30d' })
    const reviews = await reviewsOf(made, as)
    expect(reviews).toHaveLength(2)
    const age_ms = Date.parse(reviews[0]?.created_at) - Date.parse(made.completed_at)
    expect(age_ms).toBeGreaterThanOrEqual(7 * DAY_MS)
    expect(age_ms).toBeLessThan(7 * DAY_MS + HOUR_MS)
  })
})

test('all of these reviews are counted', async () => {
  const { findings } = await diagnose(tradepost.app)
  const own = findings.filter(({ check }) => check.startsWith('reviews_'))
  expect(own.map(({ ok }) => ok)).toEqual([true, true, true])
})
