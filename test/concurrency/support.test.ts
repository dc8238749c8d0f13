import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { payloadSealContext } from '../../src/events/sealed.ts'
import { createAutoReviewsJob } from '../../src/features/store/reviews/index.ts'
import { DAY_MS, MINUTE_MS } from '../../src/kernel/time.ts'
import type { Json } from '../harness.ts'
import { call, postUntilAnswered } from '../process/client.ts'
import type { ServedStore } from './open-served-database.ts'
import { postSuccessfully } from './post-successfully.ts'
import { countersOf, eventCounts } from './put-on-sale.ts'
import { sharedDatabase } from './shared-database.ts'

// Concurrent calls that change reviews, questions, tickets and returns.

const database = sharedDatabase()
const CALLS = 20

const runConcurrently = <T>(work: (n: number) => Promise<T>, count = CALLS): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)))

const outcomesOf = (replies: readonly { status: number; json: Json }[]) =>
  replies.map(({ status, json }) => json.code ?? status)

/** Returns the payloads of the events of a type, oldest first. */
async function payloads({ app, storeId }: ServedStore, type: string): Promise<Json[]> {
  const { rows } = await sql<{ tag: number; payload_enc: Buffer }>`
    select tag, payload_enc from event
     where store_id = ${storeId} and type = ${type} order by no`.execute(app.db)
  return rows.map(({ tag, payload_enc }) =>
    JSON.parse(app.vault.open(payloadSealContext(storeId, tag), payload_enc).toString()),
  )
}

/** Creates a completed order of a free product. */
async function createFreeOrder(
  store: ServedStore,
): Promise<{ order_id: string; product_id: string }> {
  const product = { name: 'Editor', type: 'license', price_cents: 0 }
  const { product: freeProduct } = await postSuccessfully(store, '/products', product)
  const items = [{ product_id: freeProduct.id, quantity: 1 }]
  const { order } = await postSuccessfully(store, '/orders', {
    items,
    customer: { email: 'ada@example.com' },
  })
  return { order_id: order.id, product_id: freeProduct.id }
}

/** Creates a paid order of five mugs with counted stock. */
async function createOrderOfFiveMugs(store: ServedStore) {
  const [target] = store.targets
  const product = { name: 'Mug', type: 'physical', price_cents: 1_000 }
  const { product: mug, variants } = await postSuccessfully(store, '/products', product)
  const variantId = variants[0].id
  const path = `/products/${mug.id}/variants/${variantId}/stock`
  await call(target, 'PATCH', path, { body: { quantity: 5 } })
  const items = [{ product_id: mug.id, quantity: 5 }]
  const body = { items, customer: { email: 'ada@example.com' }, mark_paid: true }
  const { order } = await postSuccessfully(store, '/orders', body)
  return { order, variantId, item: { order_item_id: order.items[0].id, quantity: 1 } }
}

test('exactly one of 20 concurrent answers to a question is marked as the first', async (context) => {
  const store = await database.openStore(context)
  const { product_id } = await createFreeOrder(store)
  const question = { product_id, customer_email: 'ada@example.com', body: 'RAW?' }
  const { question: newQuestion } = await postSuccessfully(store, '/questions', question)
  const path = `/questions/${newQuestion.id}/answers`
  const replies = await runConcurrently((n) =>
    postUntilAnswered(store.targets[0], path, { body: `Answer ${n}` }, `answer-${n}`),
  )
  expect(new Set(outcomesOf(replies))).toEqual(new Set([201]))
  const answeredEvents = await payloads(store, 'question.answered')
  expect(answeredEvents).toHaveLength(CALLS)
  const firstAnswers = answeredEvents.filter(({ data }) => data.object.answer.first)
  expect(firstAnswers).toHaveLength(1)
  const { json } = await call(store.targets[0], 'GET', `/questions/${newQuestion.id}`)
  expect(firstAnswers[0]?.data.object.answer.id).toBe(json.question.answers[0].id)
  await database.expectNoFaults()
})

test('one of 20 concurrent reviews of an order is stored, and no automatic review', async (context) => {
  const store = await database.openStore(context)
  const { app, storeId } = store
  await sql`update store set auto_review_days = 1 where id = ${storeId}`.execute(app.db)
  await createAutoReviewsJob.run(app)
  const completedOrder = await createFreeOrder(store)
  const nextDay = { ...app, clock: { now: () => app.clock.now() + DAY_MS + MINUTE_MS } }
  const [replies] = await Promise.all([
    runConcurrently((n) =>
      postUntilAnswered(
        store.targets[0],
        '/reviews',
        { ...completedOrder, rating: 2 },
        `review-${n}`,
      ),
    ),
    runConcurrently(() => createAutoReviewsJob.run(nextDay), 5),
  ])
  expect(outcomesOf(replies).filter((item) => item === 201)).toHaveLength(1)
  expect(outcomesOf(replies).filter((item) => item === 'VALIDATION_FAILED')).toHaveLength(CALLS - 1)
  await createAutoReviewsJob.run(nextDay)
  const { json } = await call(store.targets[0], 'GET', '/reviews')
  expect(json).toMatchObject({
    reviews: [{ automatic: false, rating: 2 }],
    stats: { total: 1, average: 2 },
  })
  await database.expectNoFaults()
})

test('the statistics of reviews are right after a review was concurrently hidden and published', async (context) => {
  const store = await database.openStore(context)
  const [target] = store.targets
  const completedOrder = await createFreeOrder(store)
  const { review } = await postSuccessfully(store, '/reviews', { ...completedOrder, rating: 3 })
  await runConcurrently((n) =>
    call(target, 'PATCH', `/reviews/${review.id}`, {
      body: { status: n % 2 === 0 ? 'hidden' : 'published' },
    }),
  )
  await database.expectNoFaults()
})

test('the counts of messages are right after a ticket was concurrently answered, closed and reopened', async (context) => {
  const store = await database.openStore(context)
  const [target] = store.targets
  const body = { email: 'ada@example.com', subject: 'Help', message: 'Hi.' }
  const { ticket } = await postSuccessfully(store, '/tickets', body)
  const path = `/tickets/${ticket.id}`
  const replies = await runConcurrently((n) => {
    if (n % 4 === 0) return postUntilAnswered(target, `${path}/close`, {}, `close-${n}`)
    if (n % 4 === 2) return postUntilAnswered(target, `${path}/reopen`, {}, `reopen-${n}`)
    const author = n % 8 === 1 ? 'customer' : 'seller'
    return postUntilAnswered(target, `${path}/messages`, { body: 'Hi.', author }, `message-${n}`)
  })
  for (const outcome of outcomesOf(replies)) expect([200, 201, 'INVALID_STATE']).toContain(outcome)
  await database.expectNoFaults()
})

test('if 20 concurrent calls each return one of five mugs, five succeed, each with a different number', async (context) => {
  const store = await database.openStore(context)
  const { order, item } = await createOrderOfFiveMugs(store)
  const replies = await runConcurrently((n) =>
    postUntilAnswered(
      store.targets[0],
      '/returns',
      { order_id: order.id, items: [item] },
      `return-${n}`,
    ),
  )
  const accepted = replies.filter(({ status }) => status === 201)
  expect(new Set(accepted.map(({ json }) => json.return.rma)).size).toBe(5)
  const refused = replies.filter(({ status }) => status === 422)
  expect(refused.map(({ json }) => json.details.field)).toEqual(
    new Array(15).fill('items[0].quantity'),
  )
  await database.expectNoFaults()
})

test('a return that is concurrently received and refunded 20 times restocks once and refunds once', async (context) => {
  const store = await database.openStore(context)
  const { order, item, variantId } = await createOrderOfFiveMugs(store)
  const body = { order_id: order.id, items: [{ ...item, quantity: 2 }] }
  const { return: newReturn } = await postSuccessfully(store, '/returns', body)
  const path = `/returns/${newReturn.id}`
  await postSuccessfully(store, `${path}/approve`, {})
  const receiptReplies = await runConcurrently((n) =>
    postUntilAnswered(store.targets[0], `${path}/receive`, {}, `in-${n}`),
  )
  expect(outcomesOf(receiptReplies).filter((item) => item === 200)).toHaveLength(1)
  expect(await countersOf(store, variantId)).toMatchObject({ on_hand: 2 })
  const refundReplies = await runConcurrently((n) =>
    postUntilAnswered(store.targets[0], `${path}/refund`, {}, `out-${n}`),
  )
  expect(outcomesOf(refundReplies).filter((item) => item === 200)).toHaveLength(1)
  expect(outcomesOf(refundReplies).filter((item) => item === 'INVALID_STATE')).toHaveLength(
    CALLS - 1,
  )
  // The first `product.restocked` is that of the initial stock.
  expect(await eventCounts(store)).toMatchObject({ 'product.restocked': 2, 'order.refunded': 1 })
  const { json } = await call(store.targets[0], 'GET', `/orders/${order.id}`)
  expect(json.order.refunded_cents).toBe(2_000)
  await database.expectNoFaults()
})

test('each mug is restocked once by concurrent receipts of returns and a full refund with restock', async (context) => {
  const store = await database.openStore(context)
  const [target] = store.targets
  const { order, item, variantId } = await createOrderOfFiveMugs(store)
  const returns = await Promise.all(
    Array.from({ length: 3 }, () =>
      postSuccessfully(store, '/returns', { order_id: order.id, items: [item] }),
    ),
  )
  const ids = returns.map(({ return: newReturn }) => newReturn.id)
  for (const id of ids) await postSuccessfully(store, `/returns/${id}/approve`, {})
  await Promise.all([
    ...ids.map((id) => postUntilAnswered(target, `/returns/${id}/receive`, {}, `receive-${id}`)),
    postUntilAnswered(target, `/orders/${order.id}/refund`, { restock: true }, 'refund'),
  ])
  expect(await countersOf(store, variantId)).toMatchObject({ on_hand: 5 })
  await database.expectNoFaults()
})
