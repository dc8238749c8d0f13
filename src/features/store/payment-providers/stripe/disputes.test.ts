import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Json } from '../../../../../test/harness.ts'
import { openStripeStore, type StripeStore } from '../../../../../test/providers/stripe-store.ts'
import { storeContextOf } from '../../../../app.ts'
import { selectStore } from '../../../installation/index.ts'
import { callStripe } from './client.ts'
import { readDispute } from './disputes.ts'

let store: StripeStore

beforeAll(async () => {
  store = await openStripeStore()
  await store.connect()
})
afterAll(() => store.close())

async function disputeOf(payment: Json) {
  const side = await selectStore(store.tradepost.db, store.tradepost.test.id)
  if (!side) throw new Error('There is no test side.')
  const context = storeContextOf(store.tradepost.app, side)
  const { payment_intent } = store.stripe.records.sessions.get(payment.external_id)
  return callStripe(context, (stripe) => readDispute(context, stripe, payment_intent, payment))
}

async function paidPayment(): Promise<Json> {
  const payment = await store.startedPayment()
  store.stripe.pay(payment.external_id)
  return payment
}

const dispute = (payment: Json, fields: Json = {}): Json =>
  store.stripe.dispute(payment.external_id, fields)[0]?.data.object

test('a dispute at Stripe has its amount, its reason, the time for evidence and its fee', async () => {
  const payment = await paidPayment()
  expect(await disputeOf(payment)).toBeUndefined()
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
  expect((await disputeOf(payment))?.status).toBe(ours)
})

test.each(['warning_needs_response', 'warning_under_review', 'warning_closed'])(
  'an inquiry of a bank (%s) is no dispute, and an earlier dispute is still found',
  async (status) => {
    const payment = await paidPayment()
    const earlier = dispute(payment)
    store.stripe.records.disputes.get(dispute(payment).id).status = status
    expect((await disputeOf(payment))?.id).toBe(earlier.id)
    store.stripe.records.disputes.get(earlier.id).status = status
    expect(await disputeOf(payment)).toBeUndefined()
  },
)

test('a fee in another currency is not shown as one of the payment', async () => {
  const payment = await paidPayment()
  const record = store.stripe.records.disputes.get(dispute(payment).id)
  record.balance_transactions[0].currency = 'usd'
  expect((await disputeOf(payment))?.fee_cents).toBeNull()
})
