import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { payloadSealContext } from '../../src/events/sealed.ts'
import { createAutoReviewsJob } from '../../src/features/store/reviews/index.ts'
import { DAY_MS, MINUTE_MS } from '../../src/kernel/time.ts'
import type { Json } from '../harness.ts'
import { call, insist } from '../process/client.ts'
import { sharedRaceStore } from './market-for-all.ts'
import type { RealServer } from './open-market.ts'
import { countersOf, eventCounts } from './put-on-sale.ts'

// Reviews, questions, tickets and returns under parallel calls.

const raceStore = sharedRaceStore()
const CALLS = 20

const times = <T>(work: (n: number) => Promise<T>, count = CALLS): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)))

const outcomes = (replies: readonly { status: number; json: Json }[]) =>
  replies.map(({ status, json }) => json.code ?? status)

async function made(store: RealServer, path: string, body: Json, key: string): Promise<Json> {
  const { status, json, text } = await insist(store.targets[0], path, body, key)
  expect(status, text).toBeLessThan(300)
  return json
}

/** Payloads of the events of a type, the oldest first. */
async function payloads({ app, storeId }: RealServer, type: string): Promise<Json[]> {
  const { rows } = await sql<{ tag: number; payload_enc: Buffer }>`
    select tag, payload_enc from event
     where store_id = ${storeId} and type = ${type} order by no`.execute(app.db)
  return rows.map(({ tag, payload_enc }) =>
    JSON.parse(app.vault.open(payloadSealContext(storeId, tag), payload_enc).toString()),
  )
}

/** A completed order of a product that costs nothing. */
async function sale(store: RealServer): Promise<{ order_id: string; product_id: string }> {
  const product = { name: 'Editor', type: 'license', price_cents: 0 }
  const { product: sold } = await made(store, '/products', product, 'product')
  const items = [{ product_id: sold.id, quantity: 1 }]
  const { order } = await made(
    store,
    '/orders',
    { items, customer: { email: 'ada@example.com' } },
    'order',
  )
  return { order_id: order.id, product_id: sold.id }
}

/** A paid order of five mugs, whose stock is counted. */
async function mugs(store: RealServer) {
  const [target] = store.targets
  const product = { name: 'Mug', type: 'physical', price_cents: 1_000 }
  const { product: mug, variants } = await made(store, '/products', product, 'mug')
  const variantId = variants[0].id
  const path = `/products/${mug.id}/variants/${variantId}/stock`
  await call(target, 'PATCH', path, { body: { quantity: 5 } })
  const items = [{ product_id: mug.id, quantity: 5 }]
  const body = { items, customer: { email: 'ada@example.com' }, mark_paid: true }
  const { order } = await made(store, '/orders', body, 'mugs')
  return { order, variantId, item: { order_item_id: order.items[0].id, quantity: 1 } }
}

test('of 20 answers at once exactly one is the first', async (context) => {
  const store = await raceStore.openStoreFixture(context)
  const { product_id } = await sale(store)
  const question = { product_id, customer_email: 'ada@example.com', body: 'RAW?' }
  const { question: asked } = await made(store, '/questions', question, 'question')
  const path = `/questions/${asked.id}/answers`
  const replies = await times((n) =>
    insist(store.targets[0], path, { body: `Answer ${n}` }, `answer-${n}`),
  )
  expect(new Set(outcomes(replies))).toEqual(new Set([201]))
  const emitted = await payloads(store, 'question.answered')
  expect(emitted).toHaveLength(CALLS)
  const first = emitted.filter(({ data }) => data.object.answer.first)
  expect(first).toHaveLength(1)
  const { json } = await call(store.targets[0], 'GET', `/questions/${asked.id}`)
  expect(first[0]?.data.object.answer.id).toBe(json.question.answers[0].id)
  await raceStore.expectSweepClean()
})

test('of 20 reviews of one product at once one is recorded, and automatic ones do not get between', async (context) => {
  const store = await raceStore.openStoreFixture(context)
  const { app, storeId } = store
  await sql`update store set auto_review_days = 1 where id = ${storeId}`.execute(app.db)
  await createAutoReviewsJob.run(app)
  const bought = await sale(store)
  const nextDay = { ...app, clock: { now: () => app.clock.now() + DAY_MS + MINUTE_MS } }
  const [replies] = await Promise.all([
    times((n) => insist(store.targets[0], '/reviews', { ...bought, rating: 2 }, `review-${n}`)),
    times(() => createAutoReviewsJob.run(nextDay), 5),
  ])
  expect(outcomes(replies).filter((item) => item === 201)).toHaveLength(1)
  expect(outcomes(replies).filter((item) => item === 'VALIDATION_FAILED')).toHaveLength(CALLS - 1)
  await createAutoReviewsJob.run(nextDay)
  const { json } = await call(store.targets[0], 'GET', '/reviews')
  expect(json).toMatchObject({
    reviews: [{ automatic: false, rating: 2 }],
    stats: { total: 1, average: 2 },
  })
  await raceStore.expectSweepClean()
})

test('stats stay right while reviews are hidden, shown and written at once', async (context) => {
  const store = await raceStore.openStoreFixture(context)
  const [target] = store.targets
  const bought = await sale(store)
  const { review } = await made(store, '/reviews', { ...bought, rating: 3 }, 'review')
  await times((n) =>
    call(target, 'PATCH', `/reviews/${review.id}`, {
      body: { status: n % 2 === 0 ? 'hidden' : 'published' },
    }),
  )
  await raceStore.expectSweepClean()
})

test('messages, closings and reopenings of a ticket at once leave counts that add up', async (context) => {
  const store = await raceStore.openStoreFixture(context)
  const [target] = store.targets
  const body = { email: 'ada@example.com', subject: 'Help', message: 'Hi.' }
  const { ticket } = await made(store, '/tickets', body, 'ticket')
  const path = `/tickets/${ticket.id}`
  const replies = await times((n) => {
    if (n % 4 === 0) return insist(target, `${path}/close`, {}, `close-${n}`)
    if (n % 4 === 2) return insist(target, `${path}/reopen`, {}, `reopen-${n}`)
    const author = n % 8 === 1 ? 'customer' : 'seller'
    return insist(target, `${path}/messages`, { body: 'Hi.', author }, `message-${n}`)
  })
  for (const outcome of outcomes(replies)) expect([200, 201, 'INVALID_STATE']).toContain(outcome)
  await raceStore.expectSweepClean()
})

test('of 20 returns of one mug at once five are accepted, each with a number of its own', async (context) => {
  const store = await raceStore.openStoreFixture(context)
  const { order, item } = await mugs(store)
  const replies = await times((n) =>
    insist(store.targets[0], '/returns', { order_id: order.id, items: [item] }, `return-${n}`),
  )
  const accepted = replies.filter(({ status }) => status === 201)
  expect(new Set(accepted.map(({ json }) => json.return.rma)).size).toBe(5)
  const refused = replies.filter(({ status }) => status === 422)
  expect(refused.map(({ json }) => json.details.field)).toEqual(
    new Array(15).fill('items[0].quantity'),
  )
  await raceStore.expectSweepClean()
})

test('a return that is received and refunded 20 times at once restocks once and refunds once', async (context) => {
  const store = await raceStore.openStoreFixture(context)
  const { order, item, variantId } = await mugs(store)
  const body = { order_id: order.id, items: [{ ...item, quantity: 2 }] }
  const { return: back } = await made(store, '/returns', body, 'return')
  const path = `/returns/${back.id}`
  await made(store, `${path}/approve`, {}, 'approve')
  const received = await times((n) => insist(store.targets[0], `${path}/receive`, {}, `in-${n}`))
  expect(outcomes(received).filter((item) => item === 200)).toHaveLength(1)
  expect(await countersOf(store, variantId)).toMatchObject({ on_hand: 2 })
  const refunded = await times((n) => insist(store.targets[0], `${path}/refund`, {}, `out-${n}`))
  expect(outcomes(refunded).filter((item) => item === 200)).toHaveLength(1)
  expect(outcomes(refunded).filter((item) => item === 'INVALID_STATE')).toHaveLength(CALLS - 1)
  // The other `product.restocked` is of the stock that the mug began with.
  expect(await eventCounts(store)).toMatchObject({ 'product.restocked': 2, 'order.refunded': 1 })
  const { json } = await call(store.targets[0], 'GET', `/orders/${order.id}`)
  expect(json.order.refunded_cents).toBe(2_000)
  await raceStore.expectSweepClean()
})

test('returns and a refund of the whole order with restock at once put each mug back once', async (context) => {
  const store = await raceStore.openStoreFixture(context)
  const [target] = store.targets
  const { order, item, variantId } = await mugs(store)
  const returns = await Promise.all(
    Array.from({ length: 3 }, (_, n) =>
      made(store, '/returns', { order_id: order.id, items: [item] }, `return-${n}`),
    ),
  )
  const ids = returns.map(({ return: back }) => back.id)
  for (const id of ids) await made(store, `/returns/${id}/approve`, {}, `approve-${id}`)
  await Promise.all([
    ...ids.map((id) => insist(target, `/returns/${id}/receive`, {}, `receive-${id}`)),
    insist(target, `/orders/${order.id}/refund`, { restock: true }, 'refund'),
  ])
  expect(await countersOf(store, variantId)).toMatchObject({ on_hand: 5 })
  await raceStore.expectSweepClean()
})
