import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { order, product } from '../../../../test/build.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../kernel/time.ts'
import { clockCommands } from '../../installation/clock/index.ts'
import { diagnose } from '../../installation/doctor/index.ts'
import { createAutoReviewsJob } from './create-auto-reviews.job.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

async function setAutoReviewDays(days: number | null, as = tradepost.live): Promise<void> {
  await expectSuccess(tradepost.patch('/account/settings', { auto_review_days: days }, { as }))
  await createAutoReviewsJob.run(tradepost.app)
}

/** Creates a completed order of two free products. */
async function createCompletedOrder(options: Json = {}): Promise<Json> {
  const freeProduct = { price_cents: 0, type: 'license' }
  const [first, second] = [
    await product(tradepost, freeProduct, options),
    await product(tradepost, freeProduct, options),
  ]
  const items = [first, second].map(({ id }) => ({ product_id: id, quantity: 1 }))
  return order(tradepost, first.id, { items }, options)
}

const reviewsOf = async ({ id }: Json, options: Json = {}): Promise<Json[]> =>
  (await tradepost.get('/reviews?limit=100', options)).json.reviews.filter(
    (item: Json) => item.order_id === id,
  )

/** Advances the clock, runs the job, and returns the types of its events. */
const runJobAfter = async (pause_ms: number) => {
  tradepost.forward(pause_ms)
  await tradepost.events()
  await createAutoReviewsJob.run(tradepost.app)
  return tradepost.events()
}

beforeEach(() => setAutoReviewDays(null))

test('each product of an order without a review gets five stars after the configured days, with an event', async () => {
  await setAutoReviewDays(3)
  const newOrder = await createCompletedOrder()
  expect(await runJobAfter(3 * DAY_MS - HOUR_MS)).toEqual([])
  expect(await runJobAfter(2 * HOUR_MS)).toEqual(['review.created', 'review.created'])
  const reviews = await reviewsOf(newOrder)
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
  expect(payload.data.object).toMatchObject({ automatic: true, rating: 5, order_id: newOrder.id })
  expect(await runJobAfter(30 * DAY_MS)).toEqual([])
})

test('a product that the customer reviewed gets no automatic review', async () => {
  await setAutoReviewDays(1)
  const newOrder = await createCompletedOrder()
  const product_id = newOrder.items[0].product_id
  await expectSuccess(tradepost.post('/reviews', { order_id: newOrder.id, product_id, rating: 2 }))
  expect(await runJobAfter(2 * DAY_MS)).toEqual(['review.created'])
  expect((await reviewsOf(newOrder)).map((item) => item.automatic).sort()).toEqual([false, true])
})

test('a review by the customer replaces an automatic one under the same id, and a second one is refused', async () => {
  await setAutoReviewDays(1)
  const newOrder = await createCompletedOrder()
  await runJobAfter(2 * DAY_MS)
  const [automatic] = await reviewsOf(newOrder)
  await expectSuccess(tradepost.put(`/reviews/${automatic?.id}/reply`, { reply: 'Thanks.' }))
  await tradepost.events()
  const body = {
    order_id: newOrder.id,
    product_id: automatic?.product.id,
    rating: 1,
    message: 'No.',
  }
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

test('orders that were due before automatic reviews were switched on get no review, and later orders do', async () => {
  const oldOrder = await createCompletedOrder()
  tradepost.forward(5 * DAY_MS)
  const recentOrder = await createCompletedOrder()
  await setAutoReviewDays(3)
  expect(await runJobAfter(4 * DAY_MS)).toEqual(['review.created', 'review.created'])
  expect(await reviewsOf(oldOrder)).toEqual([])
  expect(await reviewsOf(recentOrder)).toHaveLength(2)
})

test('no review is created if the feature is switched off, the order refunded, or the customer erased', async () => {
  await setAutoReviewDays(2)
  const orderBeforeSwitch = await createCompletedOrder()
  tradepost.forward(HOUR_MS)
  await setAutoReviewDays(null)
  expect(await runJobAfter(3 * DAY_MS)).toEqual([])
  expect(await reviewsOf(orderBeforeSwitch)).toEqual([])
  await setAutoReviewDays(2)
  const refundedOrder = await createCompletedOrder()
  await expectSuccess(tradepost.post(`/orders/${refundedOrder.id}/refund`, { amount_cents: 0 }))
  const freeProduct = { price_cents: 0, type: 'license' }
  const { id } = await product(tradepost, freeProduct)
  const erasedOrder = await order(tradepost, id, { customer: { email: 'gone@example.com' } })
  await expectSuccess(tradepost.post(`/customers/${erasedOrder.customer.id}/erase`))
  expect(await runJobAfter(3 * DAY_MS)).toEqual([])
})

test('reviews that cannot be created are created by a later run', async () => {
  await setAutoReviewDays(1)
  const newOrder = await createCompletedOrder()
  await sql`alter table review add constraint broken check (not automatic) not valid`.execute(
    tradepost.db,
  )
  expect(await runJobAfter(2 * DAY_MS)).toEqual([])
  await sql`alter table review drop constraint broken`.execute(tradepost.db)
  expect(await runJobAfter(0)).toEqual([])
  expect(await runJobAfter(HOUR_MS)).toEqual(['review.created', 'review.created'])
  expect(await reviewsOf(newOrder)).toHaveLength(2)
})

test('an order whose reviews fail is skipped after five attempts, and until then delays later orders of its store only', async () => {
  await setAutoReviewDays(1)
  const as = { as: tradepost.other }
  await setAutoReviewDays(1, tradepost.other)
  const failingOrder = await createCompletedOrder()
  tradepost.forward(MINUTE_MS)
  const nextOrder = await createCompletedOrder()
  const orderOfOtherStore = await createCompletedOrder(as)
  await sql`
    alter table review add constraint broken
          check (order_id <> ${sql.lit(failingOrder.id)}) not valid`.execute(tradepost.db)
  expect(await runJobAfter(2 * DAY_MS)).toEqual(['review.created', 'review.created'])
  expect(await reviewsOf(orderOfOtherStore, as)).toHaveLength(2)
  for (let attempts = 2; attempts <= 5; attempts++) {
    expect(await runJobAfter(HOUR_MS)).toEqual([])
  }
  expect(await runJobAfter(HOUR_MS)).toEqual(['review.created', 'review.created'])
  expect(await reviewsOf(nextOrder)).toHaveLength(2)
  await sql`alter table review drop constraint broken`.execute(tradepost.db)
  expect(await runJobAfter(HOUR_MS)).toEqual([])
  expect(await reviewsOf(failingOrder)).toEqual([])
})

describe('on a test side', () => {
  test('an advanced clock creates the reviews that become due', async () => {
    const as = { as: tradepost.test }
    await setAutoReviewDays(7, tradepost.test)
    const newOrder = await createCompletedOrder(as)
    await clockCommands[0]?.run(tradepost.app, { store: tradepost.test.id, duration: '6d' })
    expect(await reviewsOf(newOrder, as)).toEqual([])
    await clockCommands[0]?.run(tradepost.app, { store: tradepost.test.id, duration: '30d' })
    const reviews = await reviewsOf(newOrder, as)
    expect(reviews).toHaveLength(2)
    const age_ms = Date.parse(reviews[0]?.created_at) - Date.parse(newOrder.completed_at)
    expect(age_ms).toBeGreaterThanOrEqual(7 * DAY_MS)
    expect(age_ms).toBeLessThan(7 * DAY_MS + HOUR_MS)
  })
})

test('automatic reviews count in the statistics', async () => {
  await setAutoReviewDays(1)
  const { items } = await createCompletedOrder()
  await runJobAfter(2 * DAY_MS)
  const { json } = await tradepost.get(`/reviews?product_id=${items[0].product_id}`)
  expect(json.stats).toMatchObject({ total: 1, average: 5 })
  const { findings } = await diagnose(tradepost.app)
  const ofReviews = findings.filter(({ check }) => check.startsWith('reviews_'))
  expect(ofReviews.map(({ ok }) => ok)).toEqual([true, true, true])
})
