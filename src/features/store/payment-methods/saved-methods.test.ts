import { describe, expect, test } from 'vitest'
import { order, product } from '../../../../test/build.ts'
import { expectSuccess, type Json } from '../../../../test/harness.ts'
import { playIn, startPayment } from '../../../../test/provider-payments.ts'
import { openForEachTest, type StoreWithClock } from '../../../../test/store-with-clock.ts'
import { subscriptionOf, subscriptionProduct } from '../../../../test/subscribe.ts'

let store: StoreWithClock

openForEachTest((opened) => {
  store = opened
})

const EMAIL = 'ada@example.com'

async function methodsOf({ customer }: Json): Promise<Json[]> {
  const { json } = await store.tradepost.get(`/customers/${customer.id}/payment-methods`, store.as)
  return json.payment_methods
}

/** Pays an order through the provider `test`. */
async function pay(unpaid: Json, body: Json = {}): Promise<Json> {
  const path = `/orders/${unpaid.id}/payments`
  const { json } = await store.tradepost.post(path, { method: 'test', ...body }, store.as)
  return (await playIn(store, json, { do: 'pay' })).order
}

/** Subscribes a customer who pays through the provider `test`. */
async function subscribed(body: Json = {}, billing: Json = {}) {
  const { tradepost, as } = store
  const id = await subscriptionProduct(tradepost, billing, {}, as)
  const unpaid = await order(
    tradepost,
    id,
    { payment_method: 'test', customer: { email: EMAIL } },
    as,
  )
  const first = await pay(unpaid, body)
  await tradepost.events()
  return { first, subscription: await subscriptionOf(tradepost, first, as) }
}

const newestOrder = async (): Promise<Json> => {
  const { json } = await store.tradepost.get('/orders?limit=1', store.as)
  return store.getOrder(json.orders[0].id)
}

describe('the payment of an order that starts a subscription', () => {
  test('saves the method, which renewals then charge', async () => {
    const { first, subscription } = await subscribed()
    const { customer } = first
    const exported = await store.tradepost.get(`/customers/${customer.id}/export`, store.as)
    expect(exported.json.payment_methods).toEqual(await methodsOf(first))
    expect(await methodsOf(first)).toEqual([
      {
        id: expect.any(Number),
        object: 'payment_method',
        provider: 'test',
        label: 'Test card',
        last4: '4242',
        expires: '2099-12',
        is_default: true,
        created_at: expect.any(String),
      },
    ])
    await store.advanceTo(subscription.next_billing_date)
    const renewal = await newestOrder()
    expect(renewal.id).not.toBe(first.id)
    expect(renewal).toMatchObject({
      status: 'paid',
      payment_method: 'test',
      payments: [
        { kind: 'test', provider: 'test', status: 'succeeded', actor: { type: 'system' } },
      ],
    })
    expect(await store.getSubscription(subscription.id)).toMatchObject({
      status: 'active',
      auto_renewal: { provider: 'test', renewals_count: 1 },
    })
    expect(await store.tradepost.events()).toEqual(['order.created'])
    await store.expectNoFindings()
  })

  test('renews period after period, each charged once', async () => {
    const { subscription } = await subscribed()
    await store.advance('100d')
    const { json } = await store.tradepost.get('/orders?limit=50', store.as)
    expect(json.orders.length).toBeGreaterThanOrEqual(4)
    for (const { id } of json.orders) {
      const { payments, paid_cents, total_cents } = await store.getOrder(id)
      expect(payments).toHaveLength(1)
      expect(paid_cents).toBe(total_cents)
    }
    expect((await store.getSubscription(subscription.id)).status).toBe('active')
    await store.expectNoFindings()
  })

  test('does not save it with `save_method: false`, so the renewal waits to be paid', async () => {
    const { first, subscription } = await subscribed({ save_method: false })
    expect(await methodsOf(first)).toEqual([])
    await store.advanceTo(subscription.next_billing_date)
    expect(await newestOrder()).toMatchObject({ status: 'pending', payments: [] })
    expect((await store.getSubscription(subscription.id)).status).toBe('past_due')
  })
})

describe('a renewal whose method was deleted', () => {
  test('waits, and the payment of its buyer saves a method again', async () => {
    const { first, subscription } = await subscribed()
    const [method] = await methodsOf(first)
    const path = `/customers/${first.customer.id}/payment-methods/${method?.id}`
    const { json } = await store.tradepost.delete(path, store.as)
    expect(json).toMatchObject({ success: true, deleted: true, id: method?.id })
    expect((await store.tradepost.delete(path, store.as)).status).toBe(404)
    await store.advanceTo(subscription.next_billing_date)
    const unpaid = await newestOrder()
    expect(unpaid.status).toBe('pending')
    await pay(unpaid)
    expect(await methodsOf(first)).toHaveLength(1)
    expect((await store.getSubscription(subscription.id)).status).toBe('active')
    await store.expectNoFindings()
  })

  test('is charged at the next retry after another one was saved', async () => {
    const { first, subscription } = await subscribed()
    const [method] = await methodsOf(first)
    const methods = `/customers/${first.customer.id}/payment-methods`
    await expectSuccess(store.tradepost.delete(`${methods}/${method?.id}`, store.as))
    await store.advanceTo(subscription.next_billing_date)
    const { id } = await product(store.tradepost, { type: 'service' }, store.as)
    const other = await order(store.tradepost, id, { customer: { email: EMAIL } }, store.as)
    await pay(other, { save_method: true })
    await store.advance('2d')
    const { json } = await store.tradepost.get('/orders?limit=50', store.as)
    expect(json.orders.map(({ status }: Json) => status)).not.toContain('pending')
    expect((await store.getSubscription(subscription.id)).status).toBe('active')
    await store.expectNoFindings()
  })
})

test('a renewal of a customer who is blocked is not charged (decision 177)', async () => {
  const { subscription } = await subscribed()
  await expectSuccess(store.tradepost.post('/blocklist', { type: 'email', value: EMAIL }, store.as))
  await store.advanceTo(subscription.next_billing_date)
  expect(await newestOrder()).toMatchObject({ status: 'pending', payments: [] })
})

test('an order without a subscription saves the method only if it is asked to', async () => {
  const { tradepost, as } = store
  const { id } = await product(tradepost, { type: 'service' }, as)
  const buy = () => order(tradepost, id, { customer: { email: EMAIL } }, as)
  const first = await pay(await buy())
  expect(await methodsOf(first)).toEqual([])
  await pay(await buy(), { save_method: true })
  await pay(await buy(), { save_method: true })
  expect(await methodsOf(first)).toMatchObject([{ is_default: true }, { is_default: false }])
  const [newest] = await methodsOf(first)
  const path = `/customers/${first.customer.id}/payment-methods/${newest?.id}`
  await expectSuccess(tradepost.delete(path, as))
  expect(await methodsOf(first)).toMatchObject([{ is_default: true }])
})

test('a payment that arrives after the erasure of its buyer saves no method', async () => {
  const { tradepost, as } = store
  const { id } = await product(tradepost, { type: 'service' }, as)
  const unpaid = await order(tradepost, id, {}, as)
  const body = { method: 'test', save_method: true }
  const { json } = await tradepost.post(`/orders/${unpaid.id}/payments`, body, as)
  await expectSuccess(tradepost.post(`/customers/${unpaid.customer.id}/erase`, undefined, as))
  await playIn(store, json, { do: 'pay' })
  expect(await methodsOf(unpaid)).toEqual([])
})

test('a start that saves the method ends an open payment that does not', async () => {
  const { tradepost, as } = store
  const { id } = await product(tradepost, { type: 'service' }, as)
  const unpaid = await order(tradepost, id, {}, as)
  const open = await startPayment(tradepost, unpaid.id, as)
  const body = { method: 'test', save_method: true }
  const { status, json } = await tradepost.post(`/orders/${unpaid.id}/payments`, body, as)
  expect([status, json.payment.id === open.id]).toEqual([201, false])
  const again = await tradepost.post(`/orders/${unpaid.id}/payments`, { method: 'test' }, as)
  expect([again.status, again.json.payment.id]).toEqual([200, json.payment.id])
})

test('a merge moves the methods, and an erasure deletes them', async () => {
  const { first } = await subscribed()
  const { tradepost, as } = store
  const other = await tradepost.post('/customers', { email: 'grace@example.com' }, as)
  const { id: into } = other.json.customer
  await expectSuccess(tradepost.post(`/customers/${first.customer.id}/merge`, { into }, as))
  expect(await methodsOf({ customer: { id: into } })).toMatchObject([{ is_default: true }])
  await expectSuccess(tradepost.post(`/customers/${into}/erase`, undefined, as))
  expect(await methodsOf({ customer: { id: into } })).toEqual([])
})
