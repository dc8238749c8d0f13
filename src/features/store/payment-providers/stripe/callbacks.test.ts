import Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Json } from '../../../../../test/harness.ts'
import { STRIPE_KEY, STRIPE_WEBHOOK_SECRET } from '../../../../../test/providers/stripe.ts'
import { openStripeStore, type StripeStore } from '../../../../../test/providers/stripe-store.ts'

let store: StripeStore

beforeAll(async () => {
  store = await openStripeStore()
  await store.connect()
})
afterAll(() => store.close())

const asTest = () => ({ as: store.tradepost.test })
const callbacks = async (query = ''): Promise<Json[]> =>
  (await store.tradepost.get(`/account/payment-callbacks${query}`, asTest())).json.payment_callbacks

async function applyCallbacks(): Promise<void> {
  const job = store.tradepost.app.jobs.find(({ name }) => name === 'apply-payment-callbacks')
  await job?.run(store.tradepost.app)
}

interface Sent {
  secret?: string
  header?: string | undefined
  age_s?: number
  /** Changes the body after it was signed. */
  change?: (body: string) => string
}

/** Sends an event to the test side, and returns the status and whether the package of Stripe would accept it. */
async function send(
  event: Json,
  { secret, header, age_s = 0, change = (text) => text }: Sent = {},
) {
  const signedAt_s = store.stripe.records.now_s() - age_s
  const signed = store.stripe.signed(event, secret ?? STRIPE_WEBHOOK_SECRET, signedAt_s)
  const body = change(signed.body)
  const headers = { ...signed.headers, ...(header !== undefined && { 'stripe-signature': header }) }
  const response = await store.tradepost.server.inject({
    method: 'POST',
    url: `/callbacks/stripe/${store.tradepost.test.id}`,
    headers,
    payload: body,
  })
  return {
    answer: [response.statusCode, response.json().code ?? 'received'],
    isAcceptedByStripe: isAcceptedByStripe(body, headers['stripe-signature'] ?? ''),
  }
}

function isAcceptedByStripe(body: string, header: string): boolean {
  const now_ms = store.stripe.records.now_s() * 1_000
  try {
    Stripe.webhooks.constructEvent(body, header, STRIPE_WEBHOOK_SECRET, 300, undefined, now_ms)
    return true
  } catch {
    return false
  }
}

describe('a callback of Stripe', () => {
  test('is accepted if its signature is valid, and applied to the payment that it names', async () => {
    const payment = await store.startedPayment()
    const events = store.stripe.pay(payment.external_id)
    const sent = await send(events[0])
    expect(sent).toEqual({ answer: [200, 'received'], isAcceptedByStripe: true })
    await applyCallbacks()
    expect((await store.orderOf(payment)).status).toBe('paid')
    expect(await callbacks(`?order_id=${payment.order_id}`)).toMatchObject([
      { external_id: events[0]?.id, type: 'charge.succeeded', status: 'applied' },
    ])
  })

  test.each<[string, Sent]>([
    ['with the secret of another endpoint', { secret: 'whsec_AnotherEndpoint' }],
    ['with a changed byte', { change: (body) => body.replace('succeeded', 'Succeeded') }],
    ['without a body', { change: () => '' }],
    ['with an empty signature', { header: '' }],
    ['with a malformed signature', { header: 't=1,v1=zz' }],
    ['with another scheme', { header: 't=1,v0=00' }],
    ['of 301 s ago', { age_s: 301 }],
  ])('%s is refused, by us as by the package of Stripe', async (_case, sent) => {
    const payment = await store.startedPayment()
    const [event] = store.stripe.pay(payment.external_id)
    expect(await send(event, sent)).toEqual({
      answer: [400, 'CALLBACK_REJECTED'],
      isAcceptedByStripe: false,
    })
  })

  test('of 299 s ago is accepted, by the clock of the machine', async () => {
    const payment = await store.startedPayment()
    await store.tradepost.post('/account/test-clock', { advance: '1d' }, asTest())
    const [event] = store.stripe.process(payment.external_id)
    const sent = await send(event, { age_s: 299 })
    expect(sent).toEqual({ answer: [200, 'received'], isAcceptedByStripe: true })
  })

  test('that is signed and no JSON is refused', async () => {
    const text = 'paid'
    const payload = { payload: text, secret: STRIPE_WEBHOOK_SECRET }
    const header = Stripe.webhooks.generateTestHeaderString({
      ...payload,
      timestamp: store.stripe.records.now_s(),
    })
    const { answer } = await send({}, { header, change: () => text })
    expect(answer).toEqual([400, 'CALLBACK_REJECTED'])
  })

  test('that is signed and no event is refused', async () => {
    for (const event of [null, 1, {}, { id: 'evt_1', type: 'x' }, { id: 1, type: 'x', data: {} }])
      expect((await send(event)).answer).toEqual([400, 'CALLBACK_REJECTED'])
  })

  test('about a refund or a dispute finds the payment by its transaction', async () => {
    const payment = await store.startedPayment()
    await store.deliver(store.stripe.pay(payment.external_id))
    await applyCallbacks()
    const events = [
      ...store.stripe.refund(payment.external_id, 100),
      ...store.stripe.dispute(payment.external_id, { amount: 900 }),
    ]
    await store.deliver(events)
    await applyCallbacks()
    const applied = await callbacks(`?order_id=${payment.order_id}`)
    for (const { id } of events)
      expect(applied).toContainEqual(
        expect.objectContaining({ external_id: id, status: 'applied', payment_id: payment.id }),
      )
  })

  test('about another store or program of the account is ignored', async () => {
    const payment = await store.startedPayment()
    const [charge] = store.stripe.pay(payment.external_id)
    const ofOther = (id: string, fields: Json) => ({
      ...charge,
      id,
      data: {
        object: { id: `ch_${id}`, object: 'charge', payment_intent: `pi_${id}`, ...fields },
      },
    })
    const metadata = { store: 'AAAAAAAAAAAA', payment: String(payment.id) }
    await send(ofOther('evt_other_1', { metadata }))
    await send(ofOther('evt_other_2', { metadata: {} }))
    await send(ofOther('evt_other_3', {}))
    await applyCallbacks()
    const ignored = (await callbacks('?status=ignored')).map(({ external_id }) => external_id)
    expect(ignored).toEqual(['evt_other_3', 'evt_other_2', 'evt_other_1'])
    expect((await store.orderOf(payment)).status).toBe('pending')
  })

  test('for a store that is not connected to Stripe is 404', async () => {
    const { headers, body } = store.stripe.signed({ id: 'evt_1' }, STRIPE_WEBHOOK_SECRET)
    const url = `/callbacks/stripe/${store.tradepost.live.id}`
    const response = await store.tradepost.server.inject({
      method: 'POST',
      url,
      headers,
      payload: body,
    })
    expect(response.statusCode).toBe(404)
  })

  test('is checked with new credentials as soon as they are stored', async () => {
    const payment = await store.startedPayment()
    const [event] = store.stripe.process(payment.external_id)
    expect((await send(event)).answer[0]).toBe(200)
    const secret = 'whsec_NewSecretOfTheEndpoint'
    await store.connect({ secret_key: STRIPE_KEY, webhook_secret: secret })
    expect((await send(event)).answer).toEqual([400, 'CALLBACK_REJECTED'])
    expect((await send(event, { secret })).answer[0]).toBe(200)
    await store.connect()
    expect((await send(event)).answer[0]).toBe(200)
  })

  test('that is forged costs no statement', async () => {
    const event = { id: 'evt_forged', type: 'x', data: { object: {} } }
    await send(event, { secret: 'whsec_Guess' })
    const statements = await store.tradepost.statements(async () => {
      expect((await send(event, { secret: 'whsec_Guess' })).answer[0]).toBe(400)
    })
    expect(statements).toEqual([])
  })
})
