import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { order } from '../../../../test/build.ts'
import { expectSuccess, type Json } from '../../../../test/harness.ts'
import { openStoreWithClock, type StoreWithClock } from '../../../../test/store-with-clock.ts'
import { subscribe, subscriptionOf, subscriptionProduct } from '../../../../test/subscribe.ts'

let store: StoreWithClock

beforeAll(async () => {
  store = await openStoreWithClock()
})
afterAll(async () => {
  await store.expectNoFindings()
  await store.tradepost.close()
})
beforeEach(() => store.tradepost.events())

const plan = (billing: Json = {}, fields: Json = {}) =>
  subscriptionProduct(store.tradepost, billing, { type: 'license', ...fields }, store.as)
const start = (productId: string, email: string, fields: Json = {}) =>
  subscribe(store.tradepost, productId, { customer: { email }, ...fields }, store.as)
const customerOf = async ({ customer_email }: Json): Promise<Json> => {
  const { json } = await store.tradepost.get(`/customers?email=${customer_email}`, store.as)
  return json.customers[0]
}
const post = (path: string, body?: Json) =>
  expectSuccess(store.tradepost.post(path, body, store.as))

describe('the erasure of a person (decision 177)', () => {
  test('cancels the subscriptions at once, with the unpaid renewal order', async () => {
    const { tradepost } = store
    const email = 'gone@example.com'
    const paid = await start(await plan(), email, { payment_method: 'balance' })
    const unpaid = await start(await plan({ billing_cycle: 'daily' }), email)
    const other = await start(await plan(), 'stays@example.com')
    await store.advanceTo(unpaid.next_billing_date)
    const pendingOrder = await order(tradepost, await plan(), { customer: { email } }, store.as)
    const pending = await subscriptionOf(tradepost, pendingOrder, store.as)
    await tradepost.events()
    const { id } = await customerOf(paid)
    expect(await post(`/customers/${id}/erase`)).toMatchObject({ cancelled_subscriptions: 3 })
    expect(await tradepost.events()).toEqual(['order.cancelled'])
    for (const item of [paid, unpaid, pending]) {
      const after = await store.getSubscription(item.id)
      expect(after).toMatchObject({ status: 'cancelled', auto_renew: false })
    }
    expect((await store.getSubscription(unpaid.id)).payments[1].invoice_status).toBe('cancelled')
    expect((await store.getSubscription(other.id)).status).toBe('active')
    expect(await post(`/customers/${id}/erase`)).toMatchObject({ cancelled_subscriptions: 0 })
    await tradepost.events()
    await store.advance('70d')
    expect((await store.getSubscription(paid.id)).payments).toHaveLength(1)
    await store.cancelNow(other.id)
  })

  test('before a first order is paid keeps its subscription from starting', async () => {
    const newOrder = await order(
      store.tradepost,
      await plan(),
      { customer: { email: 'late@example.com' } },
      store.as,
    )
    const subscription = await subscriptionOf(store.tradepost, newOrder, store.as)
    const { id } = await customerOf(subscription)
    await post(`/customers/${id}/erase`)
    await store.pay(newOrder.id)
    expect(await store.getSubscription(subscription.id)).toMatchObject({
      status: 'cancelled',
      next_billing_date: null,
      payments: [{ status: 'paid' }],
    })
  })

  test('is audited with each cancelled subscription', async () => {
    const subscription = await start(await plan(), 'audited@example.com')
    await post(`/customers/${(await customerOf(subscription)).id}/erase`)
    const { json } = await store.tradepost.get(
      '/account/audit-events?action=subscription.cancel&limit=1',
      store.as,
    )
    expect(json.audit_events[0]).toMatchObject({
      object_id: String(subscription.id),
      changes: { status: { from: 'active', to: 'cancelled' } },
    })
    const { json: erasures } = await store.tradepost.get(
      '/account/audit-events?action=customer.erase&limit=1',
      store.as,
    )
    expect(erasures.audit_events[0].changes).toEqual({})
  })
})

describe('the renewal of a customer on the blocklist (decision 177)', () => {
  const block = async (item: Json) => post(`/customers/${(await customerOf(item)).id}/block`)
  const reasonsOf = async (item: Json) => {
    const [, payment] = (await store.getSubscription(item.id)).payments
    const { status_history } = await store.getOrder(payment.invoice_id)
    return status_history.map(({ status, reason }: Json) => [status, reason])
  }

  test('is ordered and not charged, and expires after the last retry', async () => {
    const subscription = await start(await plan(), 'blocked@example.com', {
      payment_method: 'balance',
    })
    await store.setBalance('blocked@example.com', 5_000)
    await block(subscription)
    await store.tradepost.events()
    await store.advanceTo(subscription.next_billing_date)
    expect((await store.getSubscription(subscription.id)).status).toBe('past_due')
    expect(await reasonsOf(subscription)).toEqual([['pending', 'customer_blocked']])
    expect(await store.tradepost.events()).toEqual(['order.created'])
    await store.advance('8d')
    expect((await store.getSubscription(subscription.id)).status).toBe('expired')
    expect(await reasonsOf(subscription)).toEqual([
      ['pending', 'customer_blocked'],
      ['expired', 'customer_blocked'],
    ])
    expect((await customerOf(subscription)).balance_cents).toBe(5_000)
    expect(await store.tradepost.events()).toEqual(['order.expired'])
  })

  test('is charged by a retry once the block has ended, also that of a domain', async () => {
    const email = 'domain@blocked.example'
    const subscription = await start(await plan(), email, { payment_method: 'balance' })
    await store.setBalance(email, 5_000)
    const { blocklist_entry } = await post('/blocklist', {
      type: 'email',
      value: '*@blocked.example',
    })
    await store.advanceTo(subscription.next_billing_date)
    expect((await store.getSubscription(subscription.id)).status).toBe('past_due')
    await store.tradepost.delete(`/blocklist/${blocklist_entry.id}`, store.as)
    await store.advance('1d')
    expect((await store.getSubscription(subscription.id)).status).toBe('active')
    expect((await reasonsOf(subscription))[0]).toEqual(['pending', 'customer_blocked'])
    await store.cancelNow(subscription.id)
  })

  test('is not charged in a batch, and the other customers of the batch are', async () => {
    const productId = await plan()
    const names = ['b1', 'b2', 'b3'].map((name) => `${name}@example.com`)
    const subscriptions: Json[] = []
    for (const email of names) {
      subscriptions.push(await start(productId, email, { payment_method: 'balance' }))
      await store.setBalance(email, 1_000)
    }
    await block(subscriptions[1] as Json)
    await store.advanceTo(subscriptions[2]?.next_billing_date)
    const after = await Promise.all(subscriptions.map(({ id }) => store.getSubscription(id)))
    expect(after.map(({ status }) => status)).toEqual(['active', 'past_due', 'active'])
    for (const { id } of subscriptions) await store.cancelNow(id)
  })

  test('is not delivered if it is free', async () => {
    const productId = await plan({ recurring_price_cents: 0 })
    const subscription = await start(productId, 'freeloader@example.com')
    await block(subscription)
    await store.advanceTo(subscription.next_billing_date)
    expect((await store.getSubscription(subscription.id)).status).toBe('past_due')
    await store.cancelNow(subscription.id)
  })
})

describe('a deleted product (decision 177)', () => {
  test('ends its subscriptions with their paid periods, and those with an unpaid renewal at once', async () => {
    const productId = await plan({ billing_cycle: 'daily' })
    const unpaid = await start(productId, 'unpaid@example.com')
    await store.advanceTo(unpaid.next_billing_date)
    const paid = await start(productId, 'paid@example.com')
    const other = await start(await plan(), 'paid@example.com')
    await store.tradepost.events()
    await expectSuccess(store.tradepost.delete(`/products/${productId}`, store.as))
    expect(await store.getSubscription(paid.id)).toMatchObject({
      status: 'active',
      auto_renew: false,
      next_billing_date: null,
      cancelled_at: expect.any(String),
    })
    expect((await store.getSubscription(other.id)).auto_renew).toBe(true)
    await store.advance('1s')
    expect(await store.getSubscription(unpaid.id)).toMatchObject({
      status: 'cancelled',
      payments: [{ status: 'paid' }, { status: 'failed', invoice_status: 'cancelled' }],
    })
    expect(await store.tradepost.events()).toEqual(['product.deleted', 'order.cancelled'])
    await store.advanceTo(paid.current_period_end)
    expect((await store.getSubscription(paid.id)).status).toBe('cancelled')
    await store.cancelNow(other.id)
  })

  test('ends a subscription whose first order is paid afterwards with its first period', async () => {
    const productId = await plan()
    const newOrder = await order(store.tradepost, productId, {}, store.as)
    await expectSuccess(store.tradepost.delete(`/products/${productId}`, store.as))
    const { id } = await subscriptionOf(store.tradepost, newOrder, store.as)
    expect(await store.getSubscription(id)).toMatchObject({ status: 'pending', auto_renew: false })
    await store.pay(newOrder.id)
    const { status, auto_renew, next_billing_date, current_period_end } =
      await store.getSubscription(id)
    expect([status, auto_renew, next_billing_date]).toEqual(['active', false, null])
    await store.expectNoFindings()
    await store.advanceTo(current_period_end)
    expect(await store.getSubscription(id)).toMatchObject({
      status: 'cancelled',
      payments: [{ status: 'paid' }],
    })
  })
})
