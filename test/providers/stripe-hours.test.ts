import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/kernel/time.ts'
import { keysNamed, order, product } from '../build.ts'
import { chanceOf } from '../chance.mjs'
import { expectNoFindings } from '../findings.ts'
import type { Json } from '../harness.ts'
import { subscriptionOf, subscriptionProduct } from '../subscribe.ts'
import type { Misbehaviour } from './stripe.ts'
import { faultsOf } from './stripe-books.ts'
import { runJobs, untilQuiet } from './stripe-quiet.ts'
import { openStripeStore, type StripeStore } from './stripe-store.ts'

// Stripe does not answer for an hour, and the clock of the machine goes back an hour.

let store: StripeStore
let productId: string
let clubId: string
let buyers = 0
const chance = chanceOf('hours without Stripe')

beforeAll(async () => {
  store = await openStripeStore()
  await store.connect()
  const { tradepost } = store
  await sql`update api_key set rate_limit = 0`.execute(tradepost.db)
  tradepost.stopClock()
  productId = (await product(tradepost, {}, { ...as(), keys: keysNamed('HOUR', 60) })).id
  clubId = await subscriptionProduct(tradepost, {}, {}, as())
})
afterAll(() => store.close())
afterEach(() => {
  store.stripe.outage = undefined
})

const as = () => ({ as: store.tradepost.test })
const post = (path: string, body: Json = {}, headers: Record<string, string> = {}) =>
  store.tradepost.post(path, body, { ...as(), headers })
const get = async (id: string): Promise<Json> => store.orderOf({ order_id: id })

async function unpaid(id = productId): Promise<Json> {
  buyers += 1
  const customer = { email: `buyer-${buyers}@example.com` }
  return order(store.tradepost, id, { customer, payment_method: 'card' }, as())
}

async function started(id?: string): Promise<Json> {
  const { json, text } = await store.start((await unpaid(id)).id)
  if (!json.payment) throw new Error(text)
  return json.payment
}

async function paid(id?: string): Promise<Json> {
  const payment = await started(id)
  store.stripe.pay(payment.external_id)
  return payment
}

async function counted(id?: string): Promise<Json> {
  const payment = await paid(id)
  await store.refresh(payment)
  return payment
}

/** Starts a subscription, and returns the order of its first renewal, whose card is not charged yet. */
async function dueRenewal(): Promise<Json> {
  const { tradepost } = store
  const first = await counted(clubId)
  const subscription = await subscriptionOf(tradepost, { id: first.order_id }, as())
  tradepost.forward(Date.parse(subscription.next_billing_date) - tradepost.app.clock.now())
  await runJobs(store, ['renew-subscriptions'])
  const { json } = await tradepost.get('/orders?limit=1', as())
  return json.orders[0]
}

const refundOf = ({ order_id }: Json) =>
  post(`/orders/${order_id}/refund`, { amount_cents: 600 }, { 'idempotency-key': order_id })

/** Lets time pass, until nothing is due for any of these orders, and compares the books. */
async function expectBooksAgree(...orderIds: string[]): Promise<void> {
  for (const id of orderIds) await untilQuiet(store, id, chance)
  for (const id of orderIds) expect(faultsOf(store.stripe.records, await get(id))).toEqual([])
  await expectNoFindings(store.tradepost)
}

async function pass(minutes: number): Promise<void> {
  for (let passed = 0; passed < minutes; passed += 5) {
    store.tradepost.forward(5 * MINUTE_MS)
    await runJobs(store)
  }
}

test.each<Misbehaviour>(['error_500', 'dies', 'unauthorized'])(
  'an hour in which Stripe does not answer (%s) loses no money, and no order waits for it longer',
  async (outage) => {
    const renewal = await dueRenewal()
    const refunded = await counted()
    const silent = await paid()
    const abandoned = await started()
    const cancelled = await started()
    const waiting = await unpaid()
    store.stripe.outage = outage

    // Callers are told to repeat, except for a refund, which is asked for later.
    expect((await store.start(waiting.id)).status).toBe(503)
    expect((await post(`/orders/${cancelled.order_id}/cancel`)).status).toBe(503)
    expect((await refundOf(refunded)).json.refund.status).toBe('pending')
    await pass(10)
    expect((await post(`/orders/${cancelled.order_id}/cancel`)).json.order.status).toBe('cancelled')
    // Its page still takes money.
    store.stripe.pay(cancelled.external_id)
    await pass(50)
    expect((await get(abandoned.order_id)).status).toBe('pending')
    await pass(10)
    expect((await get(abandoned.order_id)).status).toBe('expired')
    expect((await get(renewal.id)).status).toBe('pending')

    store.stripe.outage = undefined
    const payments = [silent, abandoned, cancelled, refunded]
    await expectBooksAgree(renewal.id, waiting.id, ...payments.map(({ order_id }) => order_id))
    expect(await get(renewal.id)).toMatchObject({ status: 'paid', paid_cents: 1_000 })
    expect(await get(refunded.order_id)).toMatchObject({ refunded_cents: 600 })
    const late = await get(cancelled.order_id)
    expect(late).toMatchObject({ status: 'cancelled', paid_cents: 1_000, deliveries: [] })
    expect((await post(`/orders/${late.id}/refund`)).json.refund.status).toBe('succeeded')
  },
)

/** Fails if something happened before its record was created, or the history is not in sequence. */
function expectTimesInSequence(after: Json): void {
  const { created_at, status_history } = after
  const times: string[] = status_history.map(({ at }: Json) => at)
  expect(times).toEqual([...times].sort())
  for (const name of ['paid_at', 'completed_at', 'cancelled_at'])
    if (after[name] !== null) expect(after[name] >= created_at, name).toBe(true)
}

test.each(['stays behind', 'is put right'])(
  'a clock of the machine that goes back an hour (and %s) loses no money and charges nothing twice',
  async (course) => {
    const { tradepost, stripe } = store
    const renewal = await dueRenewal()
    const refunded = await counted()
    const silent = await paid()
    const noticed = await paid()
    const open = await started()
    const abandoned = await started()
    const waiting = await unpaid()
    stripe.outage = 'dies_after_acting'
    expect((await refundOf(refunded)).json.refund.status).toBe('pending')
    await runJobs(store)
    stripe.outage = undefined
    const nowAtStripe_s = stripe.records.now_s
    tradepost.forward(-HOUR_MS)
    stripe.records.now_s = () => nowAtStripe_s() + HOUR_MS / SECOND_MS

    // A repeated start answers the same page, and a signature from the future is refused.
    const again = (await store.start(open.order_id)).json.payment
    expect(again.external_id).toBe(open.external_id)
    const [event = {}] = stripe.pay(open.external_id)
    expect(await store.deliver([event])).toEqual([400])
    expect((await store.refresh(open)).json.order.status).toBe('completed')
    expect((await store.refresh(noticed)).json.order.status).toBe('completed')
    await refundOf(refunded)
    // Stripe takes no page that ends in its past.
    expect([201, 422]).toContain((await store.start(waiting.id)).status)
    await pass(20)
    if (course === 'is put right') tradepost.forward(HOUR_MS)
    stripe.records.now_s = nowAtStripe_s

    const payments = [refunded, silent, noticed, open, abandoned]
    const ids = [renewal.id, waiting.id, ...payments.map(({ order_id }) => order_id)]
    await expectBooksAgree(...ids)
    for (const id of ids) expectTimesInSequence(await get(id))
    expect(await get(renewal.id)).toMatchObject({ status: 'paid', paid_cents: 1_000 })
    expect(await get(refunded.order_id)).toMatchObject({ refunded_cents: 600 })
    expect(await get(silent.order_id)).toMatchObject({ status: 'completed', paid_cents: 1_000 })
    expect((await get(abandoned.order_id)).status).toBe('expired')
  },
)
