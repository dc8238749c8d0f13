import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Json } from '../../../../../test/harness.ts'
import type { Misbehaviour } from '../../../../../test/providers/stripe.ts'
import { openStripeStore, type StripeStore } from '../../../../../test/providers/stripe-store.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../kernel/time.ts'
import { checkPaymentsJob, expireOrdersJob } from '../../payments/index.ts'

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
const post = (path: string, body?: Json) => store.tradepost.post(path, body, asTest())
const sessionOf = ({ external_id }: Json): Json => store.stripe.records.sessions.get(external_id)
const created = () =>
  store.stripe.requests.filter(
    ({ method, path }) => method === 'POST' && path === '/v1/checkout/sessions',
  )

describe('a payment by card', () => {
  test('is a Checkout Session with the number and the amount of the order', async () => {
    const unpaid = await store.unpaidOrder()
    const body = { return_url: 'https://bücher.example/danke?a=1' }
    const { status, json } = await store.start(unpaid.id, body)
    expect(status).toBe(201)
    const { payment } = json
    const session = sessionOf(payment)
    expect(payment).toMatchObject({
      kind: 'card',
      provider: 'stripe',
      status: 'pending',
      amount_cents: 1_000,
      external_id: session.id,
      checkout_url: session.url,
      // Stripe counts in seconds.
      expires_at: unpaid.expires_at.replace(/\.\d{3}Z$/, '.000Z'),
    })
    const metadata = { store: store.tradepost.test.id, payment: String(payment.id) }
    const url = 'https://xn--bcher-kva.example/danke?a=1'
    expect(session).toMatchObject({
      amount_total: 1_000,
      currency: 'eur',
      client_reference_id: unpaid.id,
      metadata,
      intent_metadata: metadata,
      success_url: url,
      cancel_url: url,
    })
    const { headers, body: form } = created().at(-1) ?? {}
    expect(headers?.['idempotency-key']).toBe(
      `tradepost-${store.tradepost.test.id}-payment-${payment.id}`,
    )
    expect(decodeURIComponent(form ?? '')).toContain(`[name]=Here #${unpaid.number}`)
  })

  test('links back to the page of the order if nobody has named another page', async () => {
    const payment = await store.startedPayment()
    const { order_url } = await store.orderOf(payment)
    expect(sessionOf(payment).success_url).toBe(order_url)
  })

  test('completes the order when its callback arrives', async () => {
    const payment = await store.startedPayment()
    const events = store.stripe.pay(payment.external_id)
    expect(await store.deliver(events)).toEqual([200, 200, 200])
    await applyCallbacks()
    expect(await store.orderOf(payment)).toMatchObject({ status: 'paid', paid_cents: 1_000 })
  })

  test('that was declined can be paid with another card', async () => {
    const payment = await store.startedPayment()
    await store.deliver(store.stripe.decline(payment.external_id))
    await applyCallbacks()
    expect((await store.refresh(payment)).json.payment.status).toBe('pending')
    store.stripe.pay(payment.external_id)
    expect((await store.refresh(payment)).json.order.status).toBe('paid')
  })

  test('from a bank account is processed for days, and then paid', async () => {
    const payment = await store.startedPayment()
    await store.deliver(store.stripe.process(payment.external_id))
    await applyCallbacks()
    const [processing] = (await store.orderOf(payment)).payments
    expect(processing.status).toBe('processing')
    const cancelled = await post(`/orders/${payment.order_id}/cancel`)
    expect(cancelled.json).toMatchObject({
      code: 'INVALID_STATE',
      details: { status: 'processing' },
    })
    await store.deliver(store.stripe.pay(payment.external_id))
    await applyCallbacks()
    expect((await store.orderOf(payment)).status).toBe('paid')
  })

  test('from a bank account that has no money fails with the reason', async () => {
    const payment = await store.startedPayment()
    store.stripe.process(payment.external_id)
    await store.refresh(payment)
    store.stripe.decline(payment.external_id)
    expect((await store.refresh(payment)).json.payment).toMatchObject({
      status: 'failed',
      failure: { code: 'card_declined', message: 'Your card has insufficient funds.' },
    })
  })

  test('expires at Stripe', async () => {
    const payment = await store.startedPayment()
    await store.deliver(store.stripe.expire(payment.external_id))
    await applyCallbacks()
    expect((await store.refresh(payment)).json.payment.status).toBe('expired')
  })

  test('is ended at Stripe with its order', async () => {
    const payment = await store.startedPayment()
    expect((await post(`/orders/${payment.order_id}/cancel`)).status).toBe(200)
    expect(sessionOf(payment).status).toBe('expired')
    const [ended] = (await store.orderOf(payment)).payments
    expect(ended.status).toBe('cancelled')
  })

  test('wins against a cancellation if it was paid before', async () => {
    const payment = await store.startedPayment()
    store.stripe.pay(payment.external_id)
    const { json } = await post(`/orders/${payment.order_id}/cancel`)
    expect(json.code).toBe('INVOICE_PAID')
    expect((await store.orderOf(payment)).status).toBe('paid')
  })

  test('that another account of Stripe has is failed, so that its order can end', async () => {
    const payment = await store.startedPayment()
    store.stripe.records.sessions.delete(payment.external_id)
    expect((await post(`/orders/${payment.order_id}/cancel`)).status).toBe(200)
    const [failed] = (await store.orderOf(payment)).payments
    expect(failed).toMatchObject({ status: 'failed', failure: { code: 'resource_missing' } })
  })
})

test('an order with an open payment can end after Stripe was disconnected', async () => {
  const payment = await store.startedPayment()
  const path = '/account/payment-providers/stripe'
  expect((await store.tradepost.delete(path, asTest())).json.code).toBe('INVALID_STATE')
  expect((await store.tradepost.delete(`${path}?force=true`, asTest())).status).toBe(200)
  expect((await store.refresh(payment)).status).toBe(503)
  expect((await post(`/orders/${payment.order_id}/cancel`)).status).toBe(200)
  await store.connect()
})

describe('the session of a payment', () => {
  const lifetimeOf = (payment: Json): number => {
    const { created: start, expires_at } = sessionOf(payment)
    return (expires_at - start) * SECOND_MS
  }
  /** A session begins up to a second before the payment, because its time has no fraction. */
  const expectAbout = (actual: number, expected: number) =>
    expect(Math.abs(actual - expected)).toBeLessThanOrEqual(2 * SECOND_MS)

  async function withExpiry(minutes: number): Promise<Json> {
    await store.tradepost.patch('/account/settings', { order_expiry_minutes: minutes }, asTest())
    return store.startedPayment()
  }

  test.each([
    [15, 35 * MINUTE_MS],
    [60, HOUR_MS],
    [10_080, DAY_MS - 5 * MINUTE_MS],
  ])(
    'of an order that expires after %d minutes lives long enough and not too long',
    async (minutes, lifetime_ms) => {
      const payment = await withExpiry(minutes)
      expectAbout(lifetimeOf(payment), lifetime_ms)
      const order = await store.orderOf(payment)
      const payableUntil = Date.parse(payment.expires_at)
      expect(payableUntil).toBeLessThanOrEqual(Date.parse(order.expires_at))
      expectAbout(
        payableUntil - Date.parse(payment.created_at),
        Math.min(minutes * MINUTE_MS, lifetime_ms),
      )
    },
  )

  test('lives by the clock of the machine, also if the clock of the store is ahead', async () => {
    await post('/account/test-clock', { advance: '30d' })
    const payment = await withExpiry(60)
    expectAbout(lifetimeOf(payment), HOUR_MS)
    expectAbout(Date.parse(payment.expires_at) - Date.parse(payment.created_at), HOUR_MS)
    await store.deliver(store.stripe.pay(payment.external_id))
    await applyCallbacks()
    expect((await store.orderOf(payment)).status).toBe('paid')
  })

  test('is followed by another one when it has expired and the buyer comes back', async () => {
    const payment = await withExpiry(10_080)
    await post('/account/test-clock', { advance: '1d' })
    const { status, json } = await store.start(payment.order_id)
    expect(status).toBe(201)
    expect(json.payment.external_id).not.toBe(payment.external_id)
    expect(sessionOf(payment).status).toBe('expired')
  })

  test('ends with an order that expires before it', async () => {
    const payment = await withExpiry(15)
    store.tradepost.forward(16 * MINUTE_MS)
    await expireOrdersJob.run(store.tradepost.app)
    expect((await store.orderOf(payment)).status).toBe('expired')
    expect(sessionOf(payment).status).toBe('expired')
  })
})

describe('a payment is refused', () => {
  test.each<[Misbehaviour, number, string]>([
    ['error_400', 422, 'PROVIDER_REFUSED'],
    ['error_500', 503, 'SERVICE_UNAVAILABLE'],
    ['broken_json', 503, 'SERVICE_UNAVAILABLE'],
    ['no_object', 503, 'SERVICE_UNAVAILABLE'],
    ['large', 503, 'SERVICE_UNAVAILABLE'],
    ['redirect', 503, 'SERVICE_UNAVAILABLE'],
    ['unauthorized', 503, 'SERVICE_UNAVAILABLE'],
    ['forbidden', 503, 'SERVICE_UNAVAILABLE'],
  ])('if Stripe answers with %s: %d', async (misbehaviour, status, code) => {
    const unpaid = await store.unpaidOrder()
    store.stripe.misbehaviours.push(misbehaviour)
    const answer = await store.start(unpaid.id)
    expect([answer.status, answer.json.code]).toEqual([status, code])
    expect(answer.text).not.toMatch(/sk_test/)
    const [payment] = (await store.tradepost.get(`/orders/${unpaid.id}`, asTest())).json.order
      .payments
    expect(payment.status).toBe(status === 422 ? 'failed' : 'pending')
    if (status === 422) {
      expect(answer.json.details).toEqual({ provider_code: 'account_invalid' })
      expect(payment.failure).toEqual({ code: 'account_invalid', message: 'Failed for ••••.' })
    }
    // The next call pays the order: by another payment after 422, and by the same after 503.
    const next = await store.start(unpaid.id)
    expect([next.status, next.json.payment.id === payment.id]).toEqual(
      status === 422 ? [201, false] : [200, true],
    )
  })

  test('below the least amount of Stripe, before anything is sent or stored', async () => {
    const unpaid = await store.unpaidOrder({}, 49)
    const before = store.stripe.requests.length
    const { status, json } = await store.start(unpaid.id)
    expect([status, json.details]).toMatchObject([422, { field: 'method', minimum_cents: 50 }])
    expect(store.stripe.requests).toHaveLength(before)
    const { order } = (await store.tradepost.get(`/orders/${unpaid.id}`, asTest())).json
    expect(order.payments).toEqual([])
  })

  test('and ended by the job if Stripe stays away, so that the order can be paid later', async () => {
    const unpaid = await store.unpaidOrder()
    store.stripe.misbehaviours.push('error_500')
    await store.start(unpaid.id)
    store.tradepost.forward(61 * SECOND_MS)
    store.stripe.misbehaviours.push('error_500')
    await checkPaymentsJob.run(store.tradepost.app)
    store.stripe.misbehaviours.length = 0
    const { status, json } = await store.start(unpaid.id)
    expect(status).toBe(201)
    expect(json.order.payments.map((item: Json) => item.status)).toEqual(['cancelled', 'pending'])
  })

  test('within 10 s if Stripe does not answer at all', { timeout: 30_000 }, async () => {
    const unpaid = await store.unpaidOrder()
    store.stripe.misbehaviours.push('hangs')
    expect((await store.start(unpaid.id)).status).toBe(503)
  })
})

describe('a call to Stripe', () => {
  test.each<Misbehaviour>(['rate_limited', 'conflict'])('is repeated after %s', async (kind) => {
    const unpaid = await store.unpaidOrder()
    store.stripe.misbehaviours.push(kind, kind)
    expect((await store.start(unpaid.id)).status).toBe(201)
    store.stripe.misbehaviours.push(kind, kind, kind)
    const other = await store.unpaidOrder()
    expect((await store.start(other.id)).status).toBe(503)
  })

  test('is sent again if its connection breaks', async () => {
    const unpaid = await store.unpaidOrder()
    const before = store.stripe.records.sessions.size
    store.stripe.misbehaviours.push('dies_after_acting')
    expect((await store.start(unpaid.id)).status).toBe(201)
    expect(store.stripe.records.sessions.size).toBe(before + 1)
  })

  test('that was carried out and whose answer was lost opens one page', async () => {
    const unpaid = await store.unpaidOrder()
    const before = store.stripe.records.sessions.size
    store.stripe.misbehaviours.push('dies_after_acting', 'dies_after_acting', 'dies_after_acting')
    expect((await store.start(unpaid.id)).status).toBe(503)
    store.stripe.misbehaviours.length = 0
    store.tradepost.forward(5 * SECOND_MS)
    const { status, json } = await store.start(unpaid.id)
    expect(status).toBe(200)
    expect(store.stripe.records.sessions.size).toBe(before + 1)
    expect(sessionOf(json.payment)).toBeDefined()
  })

  test('holds no transaction: twenty payments are started at once', async () => {
    const orders = await Promise.all(Array.from({ length: 20 }, () => store.unpaidOrder()))
    const answers = await Promise.all(orders.map(({ id }) => store.start(id)))
    expect(answers.map(({ status }) => status)).toEqual(orders.map(() => 201))
  })
})

async function applyCallbacks(): Promise<void> {
  const job = store.tradepost.app.jobs.find(({ name }) => name === 'apply-payment-callbacks')
  await job?.run(store.tradepost.app)
}

describe('while Stripe does not answer', () => {
  /** Makes every call to Stripe fail until the test ends. A call that could be repeated is repeated once. */
  const goAway = () => store.stripe.misbehaviours.push(...Array<Misbehaviour>(40).fill('error_500'))
  const advance = (duration: string) => post('/account/test-clock', { advance: duration })

  test('an order is cancelled ten minutes after the first attempt, and later money is recorded (decision 455)', async () => {
    const payment = await store.startedPayment()
    const cancel = () => post(`/orders/${payment.order_id}/cancel`)
    goAway()
    expect((await cancel()).status).toBe(503)
    expect((await store.orderOf(payment)).status).toBe('pending')
    await advance('9m')
    goAway()
    expect((await cancel()).status).toBe(503)
    await advance('1m')
    goAway()
    const { status, json } = await cancel()
    expect(status).toBe(200)
    expect(json.order).toMatchObject({ status: 'cancelled', payments: [{ status: 'pending' }] })
    store.stripe.misbehaviours.length = 0
    store.stripe.pay(sessionOf(payment).id)
    await store.refresh(payment)
    expect(await store.orderOf(payment)).toMatchObject({ status: 'cancelled', paid_cents: 1_000 })
    expect((await post(`/orders/${payment.order_id}/refund`, {})).json.refund.status).toBe(
      'succeeded',
    )
  })

  test('an order expires ten minutes late', async () => {
    const payment = await store.startedPayment()
    const { app } = store.tradepost
    const expireAll = async () => {
      await sql`delete from order_expiry_retry`.execute(store.tradepost.db)
      goAway()
      await expireOrdersJob.run(app)
      store.stripe.misbehaviours.length = 0
      return (await store.orderOf(payment)).status
    }
    await sql`update "order" set expires_at = created_at where id = ${payment.order_id}`.execute(
      store.tradepost.db,
    )
    expect(await expireAll()).toBe('pending')
    await sql`update payment set end_failed_at = end_failed_at - interval '10 minutes'
               where id = ${payment.id}`.execute(store.tradepost.db)
    expect(await expireAll()).toBe('expired')
  })
})
