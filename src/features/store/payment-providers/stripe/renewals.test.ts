import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { order } from '../../../../../test/build.ts'
import { expectNoFindings } from '../../../../../test/findings.ts'
import { expectSuccess, type Json } from '../../../../../test/harness.ts'
import type { Misbehaviour } from '../../../../../test/providers/stripe.ts'
import { openStripeStore, type StripeStore } from '../../../../../test/providers/stripe-store.ts'
import { subscription, subscriptionOf, subscriptionProduct } from '../../../../../test/subscribe.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../kernel/time.ts'

// Saved cards, and renewals that charge them.

let store: StripeStore

beforeAll(async () => {
  store = await openStripeStore()
  await store.connect()
})
afterAll(() => store.close())
beforeEach(() => {
  store.stripe.misbehaviours.length = 0
  store.stripe.declines = undefined
})

const as = () => ({ as: store.tradepost.test })
const post = (path: string, body?: Json) => store.tradepost.post(path, body, as())
const runJob = async (name: string) => {
  const job = store.tradepost.app.jobs.find((item) => item.name === name)
  await job?.run(store.tradepost.app)
}
let buyers = 0

/** Subscribes a new customer who pays by card. */
async function subscribed(fields: Json = {}) {
  buyers += 1
  const { tradepost, stripe } = store
  const id = await subscriptionProduct(tradepost, {}, {}, as())
  const customer = { email: `buyer-${buyers}@example.com` }
  const body = { payment_method: 'card', customer, ...fields }
  const first = await order(tradepost, id, body, as())
  const { payment } = (await store.start(first.id)).json
  stripe.pay(payment.external_id)
  await store.refresh(payment)
  const { id: subscriptionId } = await subscriptionOf(tradepost, first, as())
  return { first, payment, subscriptionId }
}

const newestOrder = async (): Promise<Json> => {
  const { json } = await store.tradepost.get('/orders?limit=1', as())
  return (await store.tradepost.get(`/orders/${json.orders[0].id}`, as())).json.order
}
const stateOf = async (id: number): Promise<string> =>
  (await subscription(store.tradepost, id, as())).status

/** Lets a month pass, and renews what is due. The saved card is charged after it, in one of these ways. */
async function renew(...misbehaviours: Misbehaviour[]): Promise<Json> {
  store.tradepost.forward(32 * DAY_MS)
  // Payments that other tests left open are asked about first.
  await runJob('check-payments')
  await runJob('renew-subscriptions')
  store.stripe.misbehaviours.push(...misbehaviours)
  const renewal = await newestOrder()
  await runJob('check-payments')
  return renewal
}
const intentsOf = ({ id }: Json): Json[] =>
  [...store.stripe.records.intents.values()].filter(
    ({ metadata }) => metadata.payment === String(id),
  )

describe('a card', () => {
  test('is saved at Stripe with the first order, and shown', async () => {
    const { first, payment } = await subscribed()
    const { requests } = store.stripe
    const created = requests.filter(({ path }) => path === '/v1/checkout/sessions').at(-1)
    const form = new URLSearchParams(created?.body)
    expect(form.get('customer_creation')).toBe('always')
    expect(form.get('payment_intent_data[setup_future_usage]')).toBe('off_session')
    const path = `/customers/${first.customer.id}/payment-methods`
    const { json } = await store.tradepost.get(path, as())
    expect(json.payment_methods).toMatchObject([
      { provider: 'stripe', label: 'Visa', last4: '4242', expires: '2030-04', is_default: true },
    ])
    expect(payment.status).toBe('pending')
  })

  test('of a customer whom Stripe knows is saved for the same customer', async () => {
    const { first } = await subscribed()
    const again = await store.unpaidOrder({ customer: { email: first.customer.email } })
    await store.start(again.id, { save_method: true })
    const form = new URLSearchParams(store.stripe.requests.at(-1)?.body)
    expect(form.get('customer')).toMatch(/^cus_/)
    expect(form.has('customer_creation')).toBe(false)
  })

  test('is deleted at Stripe too, also if it was deleted there before', async () => {
    for (const isDeletedBefore of [false, true]) {
      const { first } = await subscribed()
      const path = `/customers/${first.customer.id}/payment-methods`
      const { json } = await store.tradepost.get(path, as())
      const [method] = [...store.stripe.records.methods.values()].slice(-1)
      if (isDeletedBefore) store.stripe.records.methods.delete(method?.id)
      const answer = await store.tradepost.delete(`${path}/${json.payment_methods[0].id}`, as())
      expect(answer.status).toBe(200)
      expect(method?.customer === null || isDeletedBefore).toBe(true)
    }
  })

  test('of an erased person is deleted at Stripe too, also if Stripe does not answer at first', async () => {
    const { first } = await subscribed()
    const [method] = [...store.stripe.records.methods.values()].slice(-1)
    await expectSuccess(post(`/customers/${first.customer.id}/erase`))
    store.stripe.misbehaviours.push('error_500')
    await runJob('remove-payment-methods')
    expect(method?.customer).toMatch(/^cus_/)
    store.tradepost.forward(2 * MINUTE_MS)
    await runJob('remove-payment-methods')
    expect(method?.customer).toBeNull()
    const detachments = () => store.stripe.requests.filter(({ path }) => path.endsWith('/detach'))
    const { length } = detachments()
    store.tradepost.forward(2 * DAY_MS)
    await runJob('remove-payment-methods')
    expect(detachments()).toHaveLength(length)
  })

  test('that is saved after the person was erased is deleted at Stripe', async () => {
    const unpaid = await store.unpaidOrder({ customer: { email: 'late@example.com' } })
    const { json } = await store.start(unpaid.id, { save_method: true })
    await expectSuccess(post(`/customers/${unpaid.customer.id}/erase`))
    store.stripe.pay(json.payment.external_id)
    await store.refresh(json.payment)
    const [method] = [...store.stripe.records.methods.values()].slice(-1)
    await runJob('remove-payment-methods')
    expect(method?.customer).toBeNull()
  })

  test('is kept while Stripe does not answer that it is deleted', async () => {
    const { first } = await subscribed()
    const path = `/customers/${first.customer.id}/payment-methods`
    const { json } = await store.tradepost.get(path, as())
    store.stripe.misbehaviours.push('error_500')
    const answer = await store.tradepost.delete(`${path}/${json.payment_methods[0].id}`, as())
    expect(answer.status).toBe(503)
    expect((await store.tradepost.get(path, as())).json.payment_methods).toHaveLength(1)
  })
})

describe('a renewal', () => {
  // The renewals of other tests would be due too, and take the misbehaviours of this one.
  beforeEach(async () => {
    const { json } = await store.tradepost.get('/subscriptions?limit=100', as())
    for (const { id } of json.subscriptions)
      await post(`/subscriptions/${id}/cancel`, { at_period_end: false })
  })

  test('charges the card without its buyer, once', async () => {
    const { subscriptionId } = await subscribed()
    const renewal = await renew()
    const paid = await newestOrder()
    expect(paid).toMatchObject({
      id: renewal.id,
      status: 'paid',
      payments: [
        {
          kind: 'card',
          status: 'succeeded',
          external_id: expect.stringMatching(/^pi_/),
          checkout_url: null,
          fee_cents: 59,
        },
      ],
    })
    expect(await stateOf(subscriptionId)).toBe('active')
    const [payment] = paid.payments
    const [intent] = intentsOf(payment)
    await store.deliver([
      {
        id: 'evt_renewal',
        object: 'event',
        type: 'payment_intent.succeeded',
        data: { object: intent },
      },
    ])
    await runJob('apply-payment-callbacks')
    expect((await newestOrder()).paid_cents).toBe(paid.total_cents)
    await expectNoFindings(store.tradepost)
  })

  test.each(['dies_after_acting', 'error_500', 'hangs'] as const)(
    'whose answer is lost (%s) is charged once',
    async (kind) => {
      const { subscriptionId } = await subscribed()
      // The intents of the customer are read; a broken connection is repeated once.
      const renewal = await renew('none', kind, ...(kind === 'error_500' ? [] : [kind]))
      expect(renewal.status).toBe('pending')
      store.stripe.misbehaviours.length = 0
      // Stripe deletes idempotency keys after a day.
      store.stripe.deleteKeys()
      store.tradepost.forward(2 * HOUR_MS)
      await runJob('check-payments')
      const paid = await newestOrder()
      expect(paid).toMatchObject({ id: renewal.id, status: 'paid' })
      expect(intentsOf(paid.payments[0])).toHaveLength(1)
      expect(await stateOf(subscriptionId)).toBe('active')
    },
    60_000,
  )

  test.each([
    ['card_declined', 'renewal_failed'],
    ['authentication_required', 'renewal_action'],
  ] as const)(
    'that the bank refuses (%s) waits for its buyer, who gets %s, and is charged again at the next retry',
    async (code, template) => {
      const { subscriptionId } = await subscribed({ source: 'embed' })
      store.stripe.declines = code
      const renewal = await renew()
      expect(await newestOrder()).toMatchObject({
        id: renewal.id,
        status: 'pending',
        payments: [{ status: 'failed', failure: { code } }],
      })
      expect(await stateOf(subscriptionId)).toBe('past_due')
      const path = `/account/outbox?order_id=${renewal.id}`
      const { json: outbox } = await store.tradepost.get(path, as())
      expect(outbox.messages).toMatchObject([{ template }])
      store.stripe.declines = undefined
      store.tradepost.forward(2 * DAY_MS)
      await runJob('renew-subscriptions')
      await runJob('check-payments')
      expect(await newestOrder()).toMatchObject({
        id: renewal.id,
        status: 'paid',
        payments: [{ status: 'failed' }, { status: 'succeeded' }],
      })
      expect(await stateOf(subscriptionId)).toBe('active')
    },
  )

  test('that is cancelled while Stripe does not answer takes no money, or can be refunded', async () => {
    const { subscriptionId } = await subscribed()
    const renewal = await renew('none', 'dies_after_acting', 'dies_after_acting')
    store.stripe.misbehaviours.length = 0
    // The money has arrived, so the payment wins.
    const cancelled = await post(`/orders/${renewal.id}/cancel`)
    expect(cancelled.json.code).toBe('INVOICE_PAID')
    expect(await stateOf(subscriptionId)).toBe('active')
    const refunded = await post(`/orders/${renewal.id}/refund`, {})
    expect(refunded.json.refund).toMatchObject({ status: 'succeeded' })
    await expectNoFindings(store.tradepost)
  })

  test('whose charge waits for Stripe is paid by its buyer, who gets a page of its own', async () => {
    await subscribed()
    const renewal = await renew('error_500')
    const { status, json } = await store.start(renewal.id)
    expect([status, json.payment.status]).toEqual([201, 'pending'])
    expect(json.payment.external_id).toMatch(/^cs_/)
    store.stripe.pay(json.payment.external_id)
    await store.refresh(json.payment)
    store.tradepost.forward(2 * HOUR_MS)
    await runJob('check-payments')
    const paid = await newestOrder()
    expect(paid).toMatchObject({ status: 'paid', paid_cents: 1_000 })
    expect(paid.payments.map((payment: Json) => payment.status)).toEqual(['cancelled', 'succeeded'])
    await expectNoFindings(store.tradepost)
  })

  test.each(['hold of the first order', 'hold of the renewal', 'block'])(
    'whose charge waits for Stripe is not charged after a %s',
    async (act) => {
      const { first } = await subscribed()
      const renewal = await renew('error_500')
      if (act === 'block') {
        const entry = { type: 'email', value: first.customer.email }
        await post('/blocklist', entry)
      } else await post(`/orders/${act.includes('first') ? first.id : renewal.id}/hold`, {})
      store.tradepost.forward(2 * HOUR_MS)
      await runJob('check-payments')
      const after = await newestOrder()
      expect(after).toMatchObject({ status: 'pending', payments: [{ status: 'cancelled' }] })
      expect(intentsOf(after.payments[0])).toEqual([])
    },
  )

  test('that is always refused is charged when it is due and at each of its four retries, and then ends', async () => {
    const { subscriptionId } = await subscribed()
    store.stripe.declines = 'card_declined'
    const renewal = await renew()
    for (let days = 0; days < 9; days += 1) {
      store.tradepost.forward(DAY_MS)
      await runJob('renew-subscriptions')
      await runJob('check-payments')
    }
    const { json } = await store.tradepost.get(`/orders/${renewal.id}`, as())
    expect(json.order.status).toBe('expired')
    expect(json.order.payments.map((payment: Json) => payment.status)).toEqual(
      Array.from({ length: 5 }, () => 'failed'),
    )
    expect(await stateOf(subscriptionId)).toBe('expired')
  })

  test('of a subscription whose first payment was approved charges the card of that payment', async () => {
    buyers += 1
    const id = await subscriptionProduct(store.tradepost, {}, {}, as())
    const customer = { email: `buyer-${buyers}@example.com` }
    const first = await order(store.tradepost, id, { payment_method: 'card', customer }, as())
    const { payment } = (await store.start(first.id)).json
    store.stripe.pay(payment.external_id, { amount: 1_700 })
    await store.refresh(payment)
    await post(`/orders/${first.id}/manual-payments/${payment.id}/approve`, {})
    await renew()
    expect((await newestOrder()).payments).toMatchObject([{ status: 'succeeded' }])
  })

  test('that is cancelled before it was charged is never charged', async () => {
    await subscribed()
    store.tradepost.forward(32 * DAY_MS)
    await runJob('renew-subscriptions')
    const renewal = await newestOrder()
    expect((await post(`/orders/${renewal.id}/cancel`)).json.order.status).toBe('cancelled')
    await runJob('check-payments')
    const after = await newestOrder()
    expect(after).toMatchObject({ status: 'cancelled', payments: [{ status: 'cancelled' }] })
    expect(intentsOf(after.payments[0])).toEqual([])
  })
})
