import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Json } from '../../../../../test/harness.ts'
import { openStripeStore, type StripeStore } from '../../../../../test/providers/stripe-store.ts'

let store: StripeStore

beforeAll(async () => {
  store = await openStripeStore()
  await store.connect()
})
afterAll(() => store.close())

/** Returns the dispute of a payment after Stripe was asked. */
const disputeOf = async (payment: Json): Promise<Json> =>
  (await store.refresh(payment)).json.payment.dispute

async function paidPayment(): Promise<Json> {
  const payment = await store.startedPayment()
  store.stripe.pay(payment.external_id)
  await store.refresh(payment)
  return payment
}

const dispute = (payment: Json, fields: Json = {}): Json =>
  store.stripe.dispute(payment.external_id, fields)[0]?.data.object

test('a dispute at Stripe has its amount, its reason, the time for evidence and its fee', async () => {
  const payment = await paidPayment()
  expect(await disputeOf(payment)).toBeNull()
  const { id } = dispute(payment, { amount: 400, reason: 'product_not_received' })
  const found = await disputeOf(payment)
  expect(found).toEqual({
    id,
    status: 'open',
    reason: 'product_not_received',
    amount_cents: 400,
    due_at: expect.stringMatching(/^\d{4}-.*Z$/),
    fee_cents: 2_000,
  })
})

test('a dispute holds the order when its callback arrives, and releases it when it is won', async () => {
  const payment = await paidPayment()
  const [opened] = store.stripe.dispute(payment.external_id)
  await deliver([opened])
  expect(await store.orderOf(payment)).toMatchObject({ hold: { reason: 'dispute' } })
  const { id } = opened?.data.object ?? {}
  await deliver(store.stripe.win(id))
  expect((await store.orderOf(payment)).hold).toBeNull()
})

test('a lost dispute is a refund of the order, once', async () => {
  const payment = await paidPayment()
  const opened = store.stripe.dispute(payment.external_id)
  const lost = store.stripe.lose(opened[0]?.data.object.id)
  await deliver([...lost, ...opened])
  await store.refresh(payment)
  const { refunds, refunded_cents } = await store.orderOf(payment)
  expect(refunded_cents).toBe(1_000)
  expect(refunds).toMatchObject([{ source: 'dispute', amount_cents: 1_000 }])
})

async function deliver(events: readonly (Json | undefined)[]): Promise<void> {
  await store.deliver(events)
  const job = store.tradepost.app.jobs.find(({ name }) => name === 'apply-payment-callbacks')
  await job?.run(store.tradepost.app)
}

test.each([
  ['needs_response', 'open'],
  ['under_review', 'open'],
  ['appeal_under_review', 'open'],
  ['won', 'won'],
  ['prevented', 'won'],
  ['lost', 'lost'],
])('a dispute that Stripe calls %s is %s', async (status, ours) => {
  const payment = await paidPayment()
  store.stripe.records.disputes.get(dispute(payment).id).status = status
  expect((await disputeOf(payment)).status).toBe(ours)
})

test.each(['warning_needs_response', 'warning_under_review', 'warning_closed'])(
  'an inquiry of a bank (%s) is no dispute, and hides none',
  async (status) => {
    const payment = await paidPayment()
    const inquiry = dispute(payment)
    store.stripe.records.disputes.get(inquiry.id).status = status
    expect(await disputeOf(payment)).toBeNull()
    expect((await store.orderOf(payment)).hold).toBeNull()
    const { id } = dispute(payment)
    const later = dispute(payment)
    store.stripe.records.disputes.get(later.id).status = status
    expect((await disputeOf(payment)).id).toBe(id)
  },
)

test('a fee in another currency is not shown as one of the payment', async () => {
  const payment = await paidPayment()
  const record = store.stripe.records.disputes.get(dispute(payment).id)
  record.balance_transactions[0].currency = 'usd'
  expect((await disputeOf(payment)).fee_cents).toBeNull()
})
