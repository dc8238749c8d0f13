import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectNoFindings } from '../../../../../test/findings.ts'
import type { Json } from '../../../../../test/harness.ts'
import type { Misbehaviour } from '../../../../../test/providers/stripe.ts'
import { failRefund } from '../../../../../test/providers/stripe-records.ts'
import { openStripeStore, type StripeStore } from '../../../../../test/providers/stripe-store.ts'
import { DAY_MS, HOUR_MS } from '../../../../kernel/time.ts'

let store: StripeStore

beforeAll(async () => {
  store = await openStripeStore()
  await store.connect()
})
afterAll(() => store.close())
beforeEach(() => {
  store.stripe.misbehaviours.length = 0
})

const asTest = () => ({ as: store.tradepost.test })
const run = async (name: string) => {
  const job = store.tradepost.app.jobs.find((item) => item.name === name)
  await job?.run(store.tradepost.app)
}
const refund = (payment: Json, body: Json = {}) =>
  store.tradepost.post(
    `/orders/${payment.order_id}/refund`,
    { reason: 'requested_by_customer', ...body },
    asTest(),
  )
const atStripe = (payment: Json): Json[] => {
  const session = store.stripe.records.sessions.get(payment.external_id)
  return [...store.stripe.records.refunds.values()].filter(
    (record) => record.payment_intent === session.payment_intent,
  )
}

async function paidPayment(): Promise<Json> {
  const payment = await store.startedPayment()
  store.stripe.pay(payment.external_id)
  expect((await store.refresh(payment)).json.order.status).toBe('paid')
  return payment
}

describe('a refund of a payment by card', () => {
  test('is made at Stripe, once', async () => {
    const payment = await paidPayment()
    const { status, json } = await refund(payment, { amount_cents: 300 })
    expect(status).toBe(201)
    const [record] = atStripe(payment)
    expect(json.refund).toMatchObject({
      status: 'succeeded',
      amount_cents: 300,
      external_id: record.id,
      payment_id: payment.id,
    })
    const { headers } = store.stripe.requests.at(-1) ?? {}
    expect(headers?.['idempotency-key']).toBe(
      `tradepost-${store.tradepost.test.id}-refund-${json.refund.id}`,
    )
    expect(record).toMatchObject({ amount: 300, metadata: { refund: String(json.refund.id) } })
    // Its callback and a question change nothing.
    await store.deliver([refundEvent(record)])
    await run('apply-payment-callbacks')
    await store.refresh(payment)
    expect(await store.orderOf(payment)).toMatchObject({ refunded_cents: 300 })
    expect((await refund(payment)).json.refund.amount_cents).toBe(700)
    expect(await store.orderOf(payment)).toMatchObject({
      refunded_cents: 1_000,
      status: 'refunded',
    })
  })

  test.each<Misbehaviour>(['error_500', 'dies_after_acting'])(
    'whose answer is lost (%s) is pending, and finished once, also after days',
    async (kind) => {
      const payment = await paidPayment()
      // The session, the list of refunds and the refund; a broken connection is repeated once.
      const lost = kind === 'error_500' ? [kind] : [kind, kind]
      const answers = passing(2)
      store.stripe.misbehaviours.push(...answers, ...lost)
      const { json } = await refund(payment)
      expect(json.refund.status).toBe('pending')
      store.stripe.misbehaviours.length = 0
      // After a day Stripe has deleted the idempotency key.
      store.stripe.deleteKeys()
      store.tradepost.forward(2 * DAY_MS)
      await run('send-refunds')
      expect(await store.orderOf(payment)).toMatchObject({ refunded_cents: 1_000 })
      expect(atStripe(payment)).toHaveLength(1)
    },
  )

  test('that Stripe refuses has failed with its reason', async () => {
    const payment = await paidPayment()
    store.stripe.misbehaviours.push(...passing(2), 'error_400')
    const { json } = await refund(payment)
    expect(json.refund).toMatchObject({
      status: 'failed',
      failure: { code: 'account_invalid', message: 'Failed for ••••.' },
    })
    expect((await store.orderOf(payment)).refunded_cents).toBe(0)
  })

  test('that the bank makes slowly is pending until Stripe says more', async () => {
    const payment = await paidPayment()
    store.stripe.nextRefund = 'pending'
    expect((await refund(payment)).json.refund.status).toBe('pending')
    expect((await store.refresh(payment)).json.order.refunded_cents).toBe(0)
    const [record] = atStripe(payment)
    record.status = 'succeeded'
    store.tradepost.forward(2 * HOUR_MS)
    await run('send-refunds')
    expect((await store.orderOf(payment)).refunded_cents).toBe(1_000)
  })

  test('that the bank does not take has failed', async () => {
    const payment = await paidPayment()
    store.stripe.nextRefund = 'failed'
    expect((await refund(payment)).json.refund).toMatchObject({
      status: 'failed',
      failure: { code: 'expired_or_canceled_card' },
    })
  })
})

test('a refund whose money the bank sends back later counts, and says that it has to be returned in another way', async () => {
  const payment = await paidPayment()
  await refund(payment, { amount_cents: 400 })
  const [record] = atStripe(payment)
  failRefund(store.stripe.records, record.id, 'failed')
  await store.deliver([
    { id: 'evt_sent_back', object: 'event', type: 'refund.failed', data: { object: record } },
  ])
  await run('apply-payment-callbacks')
  const sentBack = {
    status: 'succeeded',
    amount_cents: 400,
    failure: {
      code: 'expired_or_canceled_card',
      message: expect.stringContaining('Return it to the buyer in another way'),
    },
  }
  expect(await store.orderOf(payment)).toMatchObject({ refunded_cents: 400, refunds: [sentBack] })
  await store.refresh(payment)
  expect((await store.orderOf(payment)).refunds).toMatchObject([sentBack])
  await expectNoFindings(store.tradepost)
})

test('a line whose refund Stripe refused in part is refunded up to the rest of its price', async () => {
  const unpaid = await store.unpaidOrder()
  const path = `/orders/${unpaid.id}`
  await store.tradepost.post(`${path}/manual-payments`, { amount_cents: 400 }, asTest())
  const { payment } = (await store.start(unpaid.id)).json
  store.stripe.pay(payment.external_id)
  await store.refresh(payment)
  const items = [{ order_item_id: unpaid.items[0].id, quantity: 1 }]
  store.stripe.misbehaviours.push(...passing(2), 'error_400')
  const first = await refund(payment, { items })
  expect(first.json.refunds).toMatchObject([
    { status: 'failed', items: [{ quantity: 1, amount_cents: 600 }] },
    { status: 'succeeded', amount_cents: 400 },
  ])
  const second = await refund(payment, { items })
  expect(second.json.refunds).toMatchObject([
    { status: 'succeeded', items: [{ quantity: 1, amount_cents: 600 }] },
  ])
  expect(second.json.order).toMatchObject({ status: 'refunded', refunded_cents: 1_000 })
})

test('a refund that Stripe makes although nothing is left of the order has failed and says so', async () => {
  const payment = await paidPayment()
  store.stripe.nextRefund = 'pending'
  await refund(payment)
  const { db } = store.tradepost
  await sql`update "order" set refunded_cents = paid_cents where id = ${payment.order_id}`.execute(
    db,
  )
  for (const record of atStripe(payment)) record.status = 'succeeded'
  store.tradepost.forward(2 * HOUR_MS)
  await run('send-refunds')
  const { refunds } = await store.orderOf(payment)
  expect(refunds).toMatchObject([{ status: 'failed', failure: { code: 'more_than_paid' } }])
})

test('a refund that was made at Stripe is recorded once', async () => {
  const payment = await paidPayment()
  const events = store.stripe.refund(payment.external_id, 400)
  await store.deliver(events)
  await run('apply-payment-callbacks')
  await store.refresh(payment)
  const order = await store.orderOf(payment)
  expect(order).toMatchObject({ refunded_cents: 400 })
  expect(order.refunds).toMatchObject([
    { source: 'provider', amount_cents: 400, external_id: atStripe(payment)[0]?.id },
  ])
})

/** Lets so many requests pass. */
const passing = (count: number) => Array.from({ length: count }, () => 'none' as const)

const refundEvent = (record: Json): Json => ({
  id: `evt_${record.id}`,
  object: 'event',
  type: 'refund.created',
  data: { object: record },
})
