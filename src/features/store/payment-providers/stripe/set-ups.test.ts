import { afterAll, beforeAll, expect, test } from 'vitest'
import { order } from '../../../../../test/build.ts'
import type { Json } from '../../../../../test/harness.ts'
import { openStripeStore, type StripeStore } from '../../../../../test/providers/stripe-store.ts'
import { subscriptionProduct } from '../../../../../test/subscribe.ts'

// Sessions that save a card and charge nothing (decision 176).

let store: StripeStore

beforeAll(async () => {
  store = await openStripeStore()
  await store.connect()
})
afterAll(() => store.close())

let buyers = 0

async function startedSetUp(): Promise<{ begun: Json; payment: Json }> {
  const { tradepost } = store
  const as = { as: tradepost.test }
  const billing = { trial_days: 3, recurring_price_cents: 700 }
  const id = await subscriptionProduct(tradepost, billing, { price_cents: 0 }, as)
  buyers += 1
  const customer = { email: `buyer-${buyers}@example.com` }
  const begun = await order(tradepost, id, { payment_method: 'card', customer }, as)
  const { status, json } = await store.start(begun.id, { save_method: true })
  expect(status).toBe(201)
  return { begun, payment: json.payment }
}

const methodsOf = async ({ customer }: Json): Promise<Json[]> => {
  const path = `/customers/${customer.id}/payment-methods`
  return (await store.tradepost.get(path, { as: store.tradepost.test })).json.payment_methods
}

test('a set-up is a session in the mode setup, without an amount', async () => {
  const { payment } = await startedSetUp()
  const form = new URLSearchParams(store.stripe.requests.at(-1)?.body)
  expect(Object.fromEntries(form)).toMatchObject({
    mode: 'setup',
    currency: 'eur',
    customer_creation: 'always',
    'metadata[payment]': String(payment.id),
    'setup_intent_data[metadata][payment]': String(payment.id),
  })
  expect([...form.keys()].filter((name) => name.startsWith('line_items'))).toEqual([])
  expect(payment).toMatchObject({ amount_cents: 0, external_id: expect.stringMatching(/^cs_/) })
})

test('its callbacks save the card once, in any order', async () => {
  const { begun, payment } = await startedSetUp()
  const events = store.stripe.saveCard(payment.external_id)
  expect(await store.deliver([...events.toReversed(), ...events])).toEqual([200, 200, 200, 200])
  await store.refresh(payment)
  expect(await methodsOf(begun)).toMatchObject([
    { provider: 'stripe', label: 'Visa', last4: '4242', is_default: true },
  ])
  expect(await store.orderOf(payment)).toMatchObject({
    status: begun.status,
    paid_cents: 0,
    payments: [{ kind: 'free' }, { kind: 'card', status: 'succeeded', amount_cents: 0 }],
  })
})

test('an answer without the method changes nothing, and is asked for again', async () => {
  const { begun, payment } = await startedSetUp()
  store.stripe.saveCard(payment.external_id)
  const [method] = [...store.stripe.records.methods].slice(-1)
  store.stripe.records.methods.delete(method?.[0] ?? '')
  expect((await store.refresh(payment)).status).toBe(503)
  expect(await methodsOf(begun)).toEqual([])
  if (method) store.stripe.records.methods.set(...method)
  expect((await store.refresh(payment)).json.payment.status).toBe('succeeded')
})

test('it expires, and is ended like any session', async () => {
  const { begun, payment } = await startedSetUp()
  store.stripe.expire(payment.external_id)
  expect((await store.refresh(payment)).json.payment.status).toBe('expired')
  const { json } = await store.start(begun.id, { save_method: true })
  const path = `/orders/${begun.id}/payments/${json.payment.id}/cancel`
  const { json: ended } = await store.tradepost.post(path, undefined, { as: store.tradepost.test })
  expect(ended.payment.status).toBe('cancelled')
  const session = store.stripe.records.sessions.get(json.payment.external_id)
  expect(session?.status).toBe('expired')
})
