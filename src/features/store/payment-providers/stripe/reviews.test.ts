import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectNoFindings } from '../../../../../test/findings.ts'
import type { Json } from '../../../../../test/harness.ts'
import { openStripeStore, type StripeStore } from '../../../../../test/providers/stripe-store.ts'
import { MINUTE_MS } from '../../../../kernel/time.ts'

// Payments by card of which another amount or another currency arrived, and their fees.

let store: StripeStore

beforeAll(async () => {
  store = await openStripeStore()
  await store.connect()
})
afterAll(() => store.close())
beforeEach(async () => {
  store.stripe.misbehaviours.length = 0
  await store.tradepost.events()
})

const post = (path: string, body?: Json) =>
  store.tradepost.post(path, body, { as: store.tradepost.test })
const review = ({ order_id, id }: Json, decision: 'approve' | 'reject', body?: Json) =>
  post(`/orders/${order_id}/manual-payments/${id}/${decision}`, body)
const refundsAtStripe = ({ external_id }: Json): Json[] => {
  const { payment_intent } = store.stripe.records.sessions.get(external_id)
  return [...store.stripe.records.refunds.values()].filter(
    (refund) => refund.payment_intent === payment_intent,
  )
}
/** The number of questions about a payment. */
const questionsAbout = ({ external_id }: Json): number =>
  store.stripe.requests.filter(({ path }) => path.includes(external_id)).length
const runJob = async (name: string) => {
  const job = store.tradepost.app.jobs.find((item) => item.name === name)
  await job?.run(store.tradepost.app)
}

/** Pays an order of 1000 with another amount or in another currency, and returns the payment. */
async function arrived(
  paid: { amount?: number; currency?: string },
  fields: Json = {},
): Promise<Json> {
  const payment = await store.startedPayment(fields)
  store.stripe.pay(payment.external_id, paid)
  await store.tradepost.events()
  return (await store.refresh(payment)).json.payment
}

describe.each([
  ['less', 400],
  ['more', 1_700],
])('a payment by card of which %s arrived', (_, amount) => {
  test('waits for a review with its order, and delivers nothing', async () => {
    const payment = await arrived({ amount })
    expect(payment).toMatchObject({
      status: 'pending_review',
      review_reason: 'amount_mismatch',
      amount_cents: amount,
    })
    expect(await store.orderOf(payment)).toMatchObject({
      status: 'manual_review',
      paid_cents: 0,
      payment_method: 'card',
      expires_at: null,
    })
    expect(await store.tradepost.events()).toEqual(['order.manual_review'])
    await store.refresh(payment)
    expect(await store.tradepost.events()).toEqual([])
  })

  test('counts with the amount that arrived when it is approved', async () => {
    const payment = await arrived({ amount })
    await store.tradepost.events()
    const { status, json } = await review(payment, 'approve', { note: 'Agreed.' })
    expect(status).toBe(200)
    expect(json.payment).toMatchObject({
      status: 'succeeded',
      amount_cents: amount,
      review_reason: 'amount_mismatch',
      note: 'Agreed.',
      reviewed_by: { type: 'api_key' },
    })
    expect(json.order).toMatchObject({
      status: amount < 1_000 ? 'partially_paid' : 'paid',
      paid_cents: amount,
    })
    // A service is delivered by the seller, so the order is not completed.
    const events = amount < 1_000 ? ['order.partially_paid'] : []
    expect(await store.tradepost.events()).toEqual(events)
    await expectNoFindings(store.tradepost)
  })

  test('goes back when it is rejected, its buyer gets mail, and its order waits for payment again', async () => {
    const payment = await arrived({ amount }, { source: 'embed' })
    await store.tradepost.events()
    const { status, json } = await review(payment, 'reject')
    expect(status).toBe(200)
    expect(json.payment).toMatchObject({ status: 'rejected', amount_cents: amount })
    expect(json.order).toMatchObject({
      status: 'pending',
      paid_cents: 0,
      refunded_cents: 0,
      refunds: [],
      expires_at: expect.any(String),
    })
    expect(refundsAtStripe(payment)).toMatchObject([{ amount, status: 'succeeded' }])
    const outbox = await store.tradepost.get(
      `/account/outbox?order_id=${payment.order_id}&template=order_refunded`,
      { as: store.tradepost.test },
    )
    expect(outbox.json.messages).toMatchObject([
      { text: expect.stringContaining('not the amount') },
    ])
    // Its refund at Stripe is none of the order.
    const { json: after } = await store.refresh(payment)
    expect(after.order).toMatchObject({ status: 'pending', refunded_cents: 0, refunds: [] })
    expect(await store.tradepost.events()).toEqual([])
    expect((await review(payment, 'reject')).json.code).toBe('INVALID_STATE')
    expect(refundsAtStripe(payment)).toHaveLength(1)
    await expectNoFindings(store.tradepost)
  })
})

describe('a payment under review whose money is not there', () => {
  test('is not approved if all of it has gone back, and delivers nothing', async () => {
    const payment = await arrived({ amount: 1_700 })
    store.stripe.refund(payment.external_id)
    const { status, json } = await review(payment, 'approve')
    expect([status, json.code, json.details.status]).toEqual([
      409,
      'INVALID_STATE',
      'pending_review',
    ])
    expect(await store.orderOf(payment)).toMatchObject({ status: 'manual_review', deliveries: [] })
  })

  test.each([undefined, 'pending'] as const)(
    'is not approved after a rejection whose answer was lost (refund %s)',
    async (state) => {
      const payment = await arrived({ amount: 1_700 })
      store.stripe.nextRefund = state
      store.stripe.misbehaviours.push('none', 'none', 'dies_after_acting', 'dies_after_acting')
      expect((await review(payment, 'reject')).status).toBe(503)
      store.stripe.misbehaviours.length = 0
      expect((await review(payment, 'approve')).status).toBe(409)
      expect((await review(payment, 'reject')).json.payment.status).toBe('rejected')
    },
  )

  test('pays the order and holds it if its buyer disputes it', async () => {
    const payment = await arrived({ amount: 1_700 })
    store.stripe.dispute(payment.external_id)
    const { json } = await review(payment, 'approve')
    expect(json.order).toMatchObject({ status: 'paid', hold: { reason: 'dispute' } })
    await runJob('check-payments')
    const after = await store.orderOf(payment)
    expect(after.payments[0]).toMatchObject({ status: 'disputed', dispute: { status: 'open' } })
  })
})

describe('a payment by card in another currency', () => {
  test('cannot be approved, because its number is not ours', async () => {
    const payment = await arrived({ currency: 'jpy' })
    expect(payment).toMatchObject({
      status: 'pending_review',
      review_reason: 'currency_mismatch',
      amount_cents: 1_000,
    })
    const { status, json } = await review(payment, 'approve')
    expect([status, json.code, json.details.status]).toEqual([
      409,
      'INVALID_STATE',
      'pending_review',
    ])
    expect(json.error).toContain('Reject the payment')
    expect((await review(payment, 'reject')).json.payment.status).toBe('rejected')
    expect(refundsAtStripe(payment)).toMatchObject([{ amount: 1_000, currency: 'jpy' }])
  })
})

describe('a rejection', () => {
  test('while Stripe does not answer changes nothing, and returns the money once when it is repeated', async () => {
    const payment = await arrived({ amount: 400 })
    // The session and the list of refunds are read; a broken connection is repeated once.
    store.stripe.misbehaviours.push('none', 'none', 'dies_after_acting', 'dies_after_acting')
    const lost = await review(payment, 'reject')
    expect(lost.status).toBe(503)
    expect(await store.orderOf(payment)).toMatchObject({
      status: 'manual_review',
      payments: [{ status: 'pending_review' }],
    })
    store.stripe.deleteKeys()
    store.stripe.misbehaviours.length = 0
    expect((await review(payment, 'reject')).json.payment.status).toBe('rejected')
    expect(refundsAtStripe(payment)).toHaveLength(1)
  })

  test('that Stripe refuses is 422 with its code, and the payment still waits', async () => {
    const payment = await arrived({ amount: 400 })
    store.stripe.misbehaviours.push('none', 'none', 'error_400')
    const { status, json } = await review(payment, 'reject')
    expect([status, json.code, json.details]).toEqual([
      422,
      'PROVIDER_REFUSED',
      { provider_code: 'account_invalid' },
    ])
    expect((await store.orderOf(payment)).payments[0].status).toBe('pending_review')
  })

  test('of money that the seller has returned at Stripe returns nothing more', async () => {
    const payment = await arrived({ amount: 400 })
    store.stripe.refund(payment.external_id)
    expect((await review(payment, 'reject')).json.payment.status).toBe('rejected')
    expect(refundsAtStripe(payment)).toHaveLength(1)
  })
})

describe('an order whose payment by card is under review', () => {
  test('is cancelled, and the money can still be returned or counted', async () => {
    for (const decision of ['reject', 'approve'] as const) {
      const payment = await arrived({ amount: 400 })
      expect((await post(`/orders/${payment.order_id}/cancel`)).json.order.status).toBe('cancelled')
      const { json } = await review(payment, decision)
      expect(json.order).toMatchObject({
        status: 'cancelled',
        paid_cents: decision === 'approve' ? 400 : 0,
      })
      if (decision === 'approve') {
        const { json: refunded } = await post(`/orders/${payment.order_id}/refund`, {})
        expect(refunded.refund).toMatchObject({ status: 'succeeded', amount_cents: 400 })
      }
    }
    await expectNoFindings(store.tradepost)
  })

  test('is paid in another way, and the payment is then decided', async () => {
    const payment = await arrived({ amount: 400 })
    const manual = await post(`/orders/${payment.order_id}/manual-payments`, {})
    expect(manual.json.order.status).toBe('paid')
    expect((await review(payment, 'reject')).json.order).toMatchObject({
      status: 'paid',
      paid_cents: 1_000,
    })
    await expectNoFindings(store.tradepost)
  })
})

test('the cancellation of an order to which another amount arrives meanwhile is refused', async () => {
  const payment = await store.startedPayment()
  store.stripe.pay(payment.external_id, { amount: 400 })
  const { status, json } = await post(`/orders/${payment.order_id}/cancel`)
  expect([status, json.code, json.details.status]).toEqual([409, 'INVALID_STATE', 'pending_review'])
  expect((await store.orderOf(payment)).status).toBe('manual_review')
})

test('another amount for an order that has ended is recorded, and can be refunded', async () => {
  const payment = await store.startedPayment()
  store.stripe.misbehaviours.push('error_500')
  await post(`/orders/${payment.order_id}/cancel`)
  store.tradepost.forward(11 * MINUTE_MS)
  store.stripe.misbehaviours.push('error_500')
  expect((await post(`/orders/${payment.order_id}/cancel`)).status).toBe(200)
  store.stripe.pay(payment.external_id, { amount: 400 })
  const { json } = await store.refresh(payment)
  expect(json.payment).toMatchObject({ status: 'succeeded', amount_cents: 400 })
  expect(json.order).toMatchObject({ status: 'cancelled', paid_cents: 400 })
})

test('a payment that is approved after a part of it went back leaves the rest to be paid', async () => {
  const payment = await arrived({ amount: 1_700 })
  store.stripe.refund(payment.external_id, 900)
  const { status, json } = await review(payment, 'approve')
  expect(status).toBe(200)
  expect(json.order).toMatchObject({ status: 'partially_paid', expires_at: expect.any(String) })
  await runJob('check-payments')
  expect(await store.orderOf(payment)).toMatchObject({ paid_cents: 1_700, refunded_cents: 900 })
  const rest = (await store.start(payment.order_id)).json.payment
  expect(rest.amount_cents).toBe(200)
  store.stripe.pay(rest.external_id)
  expect((await store.refresh(rest)).json.order.status).toBe('paid')
  await expectNoFindings(store.tradepost)
})

describe('the fee of a payment by card', () => {
  test('is known with the payment', async () => {
    const payment = await store.startedPayment()
    expect(payment).toMatchObject({ fee_cents: null, fee_currency: null })
    store.stripe.pay(payment.external_id)
    expect((await store.refresh(payment)).json.payment).toMatchObject({
      status: 'succeeded',
      fee_cents: 59,
      fee_currency: 'EUR',
    })
  })

  test('that Stripe has not booked is asked for again until it has', async () => {
    const payment = await store.startedPayment()
    store.stripe.pay(payment.external_id, { isBookedLater: true })
    expect((await store.refresh(payment)).json.payment.fee_cents).toBeNull()
    const feeAfter = async (minutes: number) => {
      store.tradepost.forward(minutes * MINUTE_MS)
      await runJob('check-payments')
      return (await store.orderOf(payment)).payments[0].fee_cents
    }
    expect(await feeAfter(2)).toBeNull()
    store.stripe.book(payment.external_id)
    expect(await feeAfter(2)).toBe(59)
    const before = questionsAbout(payment)
    expect(await feeAfter(120)).toBe(59)
    expect(questionsAbout(payment)).toBe(before)
  })

  test('that Stripe never tells is asked for during seven days', async () => {
    const payment = await store.startedPayment()
    store.stripe.pay(payment.external_id, { isBookedLater: true })
    await store.refresh(payment)
    store.tradepost.forward(8 * 24 * 60 * MINUTE_MS)
    await runJob('check-payments')
    const before = questionsAbout(payment)
    store.tradepost.forward(120 * MINUTE_MS)
    await runJob('check-payments')
    expect(questionsAbout(payment)).toBe(before)
  })
})
