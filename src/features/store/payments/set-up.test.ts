import { describe, expect, test } from 'vitest'
import { coupon, order, product } from '../../../../test/build.ts'
import { expectSuccess, type Json } from '../../../../test/harness.ts'
import { playIn } from '../../../../test/provider-payments.ts'
import { openForEachTest, type StoreWithClock } from '../../../../test/store-with-clock.ts'
import { subscriptionOf, subscriptionProduct } from '../../../../test/subscribe.ts'

// A subscription that begins free gets its payment method by a payment of 0 (decision 176).

let store: StoreWithClock

openForEachTest((opened) => {
  store = opened
})

const SAVING = { method: 'test', save_method: true }

/** Begins a free trial of a subscription of 700 a month. */
async function trial(fields: Json = {}, recurring_price_cents = 700): Promise<Json> {
  const billing = { trial_days: 3, recurring_price_cents }
  const { tradepost, as } = store
  const id = await subscriptionProduct(tradepost, billing, { price_cents: 0 }, as)
  const body = { payment_method: 'test', customer: { email: 'ada@example.com' }, ...fields }
  const begun = await order(tradepost, id, body, as)
  await tradepost.events()
  return begun
}
/** Begins two trials with one order: of 700 a month, and two days later of 900. */
async function twoTrials(): Promise<{ begun: Json; subscriptions: Json[] }> {
  const { tradepost, as } = store
  const prices = [
    { trial_days: 3, recurring_price_cents: 700 },
    { trial_days: 5, recurring_price_cents: 900 },
  ]
  const items: Json[] = []
  for (const billing of prices) {
    const product_id = await subscriptionProduct(tradepost, billing, { price_cents: 0 }, as)
    items.push({ product_id, quantity: 1 })
  }
  const body = { items, customer: { email: 'ada@example.com' }, payment_method: 'test' }
  const { order: begun } = (await tradepost.post('/orders', body, as)).json
  const { json } = await tradepost.get('/subscriptions?limit=100', as)
  const own = json.subscriptions.filter((item: Json) => item.initial_invoice_id === begun.id)
  const subscriptions = own.sort((a: Json, b: Json) => a.id - b.id)
  await tradepost.events()
  return { begun, subscriptions }
}
const change = (id: number, body: Json) =>
  expectSuccess(store.tradepost.patch(`/subscriptions/${id}`, body, store.as))
const start = ({ id }: Json, body: Json = SAVING) =>
  store.tradepost.post(`/orders/${id}/payments`, body, store.as)
const methodsOf = async ({ customer }: Json): Promise<Json[]> =>
  (await store.tradepost.get(`/customers/${customer.id}/payment-methods`, store.as)).json
    .payment_methods
const newestOrder = async (): Promise<Json> => {
  const { json } = await store.tradepost.get('/orders?limit=1', store.as)
  return store.getOrder(json.orders[0].id)
}

describe('a method is saved with a free first order', () => {
  test('by a payment of 0, which changes nothing else of the order and sends no event', async () => {
    const begun = await trial()
    const { status, json } = await start(begun)
    expect(status).toBe(201)
    expect(json.payment).toMatchObject({
      kind: 'test',
      status: 'pending',
      amount_cents: 0,
      checkout_url: expect.stringContaining('/pay/'),
    })
    const { payment, order: after } = await playIn(store, json, { do: 'pay' })
    expect(payment).toMatchObject({ status: 'succeeded', amount_cents: 0, refunded_cents: 0 })
    expect(after).toMatchObject({
      status: begun.status,
      payment_method: 'free',
      paid_cents: 0,
      status_history: begun.status_history,
    })
    expect(await store.tradepost.events()).toEqual([])
    expect(await methodsOf(begun)).toMatchObject([{ provider: 'test', is_default: true }])
    await store.expectNoFindings()
  })

  test('and the renewals charge it', async () => {
    const begun = await trial()
    await playIn(store, (await start(begun)).json, { do: 'pay' })
    const { id, next_billing_date } = await subscriptionOf(store.tradepost, begun, store.as)
    await store.advanceTo(next_billing_date)
    expect(await newestOrder()).toMatchObject({
      status: 'paid',
      total_cents: 700,
      payments: [{ kind: 'test', status: 'succeeded', amount_cents: 700 }],
    })
    expect((await store.getSubscription(id)).status).toBe('active')
    await store.expectNoFindings()
  })

  test('of a coupon of 100 %', async () => {
    const { tradepost, as } = store
    const { code } = await coupon(tradepost, { discount_percent: 100 }, as)
    const id = await subscriptionProduct(tradepost, {}, {}, as)
    const begun = await order(tradepost, id, { payment_method: 'test', coupon_code: code }, as)
    expect((await start(begun)).json.payment.amount_cents).toBe(0)
  })

  test('whose subscription then renews by the saved method', async () => {
    const begun = await trial({ payment_method: undefined })
    const before = await subscriptionOf(store.tradepost, begun, store.as)
    expect(before.auto_renewal.provider).toBe('manual')
    await playIn(store, (await start(begun)).json, { do: 'pay' })
    const { auto_renewal } = await store.getSubscription(before.id)
    expect(auto_renewal.provider).toBe('test')
  })

  test('and leaves the method of subscriptions that renew in another way, or that have ended', async () => {
    const { begun, subscriptions } = await twoTrials()
    const [first, second] = subscriptions
    await change(second?.id, { payment_method: 'balance' })
    await playIn(store, (await start(begun)).json, { do: 'pay' })
    const methodOf = async ({ id }: Json) => (await store.getSubscription(id)).auto_renewal.provider
    expect([await methodOf(first ?? {}), await methodOf(second ?? {})]).toEqual(['test', 'balance'])
    const manual = await trial({ payment_method: undefined, customer: { email: 'b@example.com' } })
    const { json } = await start(manual)
    const { id } = await subscriptionOf(store.tradepost, manual, store.as)
    await store.cancelNow(id)
    const before = await store.getSubscription(id)
    await playIn(store, json, { do: 'pay' })
    expect(await store.getSubscription(id)).toEqual(before)
  })

  test('and none is kept if the subscription ended while its buyer was on the page', async () => {
    const begun = await trial()
    const { json } = await start(begun)
    const { id } = await subscriptionOf(store.tradepost, begun, store.as)
    await store.cancelNow(id)
    await playIn(store, json, { do: 'pay' })
    expect(await methodsOf(begun)).toEqual([])
  })

  test('and is kept if the first renewal became due while its buyer was on the page', async () => {
    const begun = await trial()
    const { json } = await start(begun)
    const { id, next_billing_date } = await subscriptionOf(store.tradepost, begun, store.as)
    await store.advanceTo(next_billing_date)
    expect((await store.getSubscription(id)).status).toBe('past_due')
    await playIn(store, json, { do: 'pay' })
    expect(await methodsOf(begun)).toHaveLength(1)
    await store.advance('2d')
    expect((await store.getSubscription(id)).status).toBe('active')
  })

  test('after an earlier attempt was declined, and while one is open by that one', async () => {
    const begun = await trial()
    const { json: first } = await start(begun)
    const again = await start(begun)
    expect([again.status, again.json.payment.id]).toEqual([200, first.payment.id])
    expect(await playIn(store, first, { do: 'decline' })).toMatchObject({
      payment: { status: 'failed' },
      order: { status: begun.status },
    })
    const { status, json } = await start(begun)
    expect([status, json.payment.id === first.payment.id]).toEqual([201, false])
  })
})

describe('a method is not saved with an order', () => {
  const refusal = async (body: Json, of: Json) => {
    const { status, json } = await start(of, body)
    return [status, json.code, json.details?.status]
  }

  test('a second time', async () => {
    const begun = await trial()
    await playIn(store, (await start(begun)).json, { do: 'pay' })
    expect(await refusal(SAVING, begun)).toEqual([409, 'INVALID_STATE', begun.status])
    expect(await methodsOf(begun)).toHaveLength(1)
  })

  test('whose subscription renews by another method', async () => {
    const begun = await trial({ payment_method: 'balance' })
    expect(await refusal(SAVING, begun)).toEqual([409, 'INVALID_STATE', begun.status])
  })

  test('whose subscription has ended', async () => {
    const begun = await trial()
    const { id } = await subscriptionOf(store.tradepost, begun, store.as)
    await store.cancelNow(id)
    expect(await refusal(SAVING, begun)).toEqual([409, 'INVALID_STATE', begun.status])
  })

  test('that began no subscription', async () => {
    const { tradepost, as } = store
    const { id } = await product(tradepost, { type: 'service', price_cents: 0 }, as)
    const free = await order(tradepost, id, {}, as)
    expect(await refusal(SAVING, free)).toEqual([409, 'INVALID_STATE', free.status])
  })

  test.each([[{ method: 'test' }], [{ method: 'test', save_method: false }]])(
    'by %j',
    async (body) => {
      const begun = await trial()
      const { status, json } = await start(begun, body)
      expect([status, json.error]).toEqual([409, expect.stringContaining('save_method: true')])
    },
  )

  test.each(['pay_part', 'overpay'])('by %s, because no money moves', async (action) => {
    const begun = await trial()
    const answer = await playIn(store, (await start(begun)).json, { do: action })
    expect([answer.code, answer.details?.field]).toEqual(['VALIDATION_FAILED', 'do'])
  })
})

describe('the page of the order', () => {
  const pathOf = ({ order_url }: Json) => new URL(order_url).pathname
  const pageOf = async (shown: Json): Promise<string> =>
    (await store.tradepost.server.inject(pathOf(shown))).body

  test('offers to save a method, leads to the provider, and says that it is saved', async () => {
    const begun = await trial()
    const offer = await pageOf(begun)
    expect(offer).toContain('Save a payment method')
    expect(offer).toMatch(/It renews on \w+ \d+, \d{4} for €7\.00/)
    const url = `${pathOf(begun)}/pay`
    const { headers, statusCode } = await store.tradepost.server.inject({ method: 'POST', url })
    expect(statusCode).toBe(303)
    const page = new URL(String(headers.location)).pathname
    const { body } = await store.tradepost.server.inject(page)
    expect(body).toContain('Nothing is charged now')
    await store.tradepost.server.inject({
      method: 'POST',
      url: page,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'do=pay',
    })
    expect((await store.tradepost.server.inject(page)).body).toContain('Your card is saved')
    expect(await pageOf(begun)).toContain('Your payment method is saved')
    expect(await methodsOf(begun)).toHaveLength(1)
    const [{ id: methodId }] = await methodsOf(begun)
    const path = `/customers/${begun.customer.id}/payment-methods/${methodId}`
    await expectSuccess(store.tradepost.delete(path, store.as))
    expect(await pageOf(begun)).toContain('Save a payment method')
    await playIn(store, (await start(begun)).json, { do: 'pay' })
    expect(await pageOf(begun)).toContain('Your payment method is saved')
    const { id } = await subscriptionOf(store.tradepost, begun, store.as)
    await change(id, { payment_method: 'balance' })
    expect(await pageOf(begun)).not.toContain('payment method')
    await store.cancelNow(id)
    expect(await pageOf(begun)).not.toContain('payment method')
  })

  test('offers the renewal of a method of a provider, whatever the others renew by', async () => {
    const { begun, subscriptions } = await twoTrials()
    const [first, second] = subscriptions
    await change(first?.id, { payment_method: 'balance' })
    expect(await pageOf(begun)).toMatch(/It renews on .* for €9\.00/)
    await change(second?.id, { payment_method: 'manual' })
    expect(await pageOf(begun)).not.toContain('payment method')
  })

  test('offers nothing for a renewal that is not charged: to a blocked customer, of 0, and while one is unpaid', async () => {
    const begun = await trial()
    const entry = { type: 'email', value: 'ada@example.com' }
    const { blocklist_entry } = await expectSuccess(
      store.tradepost.post('/blocklist', entry, store.as),
    )
    expect(await pageOf(begun)).not.toContain('payment method')
    await expectSuccess(store.tradepost.delete(`/blocklist/${blocklist_entry.id}`, store.as))
    const { next_billing_date } = await subscriptionOf(store.tradepost, begun, store.as)
    await store.advanceTo(next_billing_date)
    expect(await pageOf(begun)).not.toContain('payment method')
    expect((await start(begun)).status).toBe(409)
    const free = await trial({ customer: { email: 'zero@example.com' } }, 0)
    expect(await pageOf(free)).not.toContain('payment method')
  })

  test('offers nothing if the subscription renews without a provider, or a method is saved already', async () => {
    expect(await pageOf(await trial({ payment_method: 'balance' }))).not.toContain('Save a payment')
    const first = await trial()
    await playIn(store, (await start(first)).json, { do: 'pay' })
    expect(await pageOf(await trial())).not.toContain('Save a payment')
  })
})
