import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { order } from '../../../../test/build.ts'
import { expectSuccess } from '../../../../test/harness.ts'
import { openStoreWithClock, type StoreWithClock } from '../../../../test/store-with-clock.ts'
import { subscribe, subscriptionOf, subscriptionProduct } from '../../../../test/subscribe.ts'
import { DAY_MS } from '../../../kernel/time.ts'

let store: StoreWithClock

beforeAll(async () => {
  store = await openStoreWithClock()
})
afterAll(async () => {
  await store.expectNoFindings()
  await store.tradepost.close()
})
beforeEach(() => store.tradepost.events())

const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / DAY_MS

describe('a subscription', () => {
  test('is pending until its first order is paid, with null for the fields of a period', async () => {
    const { tradepost, as } = store
    const productId = await subscriptionProduct(tradepost, { recurring_price_cents: 700 }, {}, as)
    const newOrder = await order(tradepost, productId, {}, as)
    const pendingSubscription = await subscriptionOf(tradepost, newOrder, as)
    expect(pendingSubscription).toEqual({
      id: expect.any(Number),
      object: 'subscription',
      status: 'pending',
      customer_email: 'ada@example.com',
      product: { id: productId, name: 'Game' },
      initial_invoice_id: newOrder.id,
      billing_cycle: 'monthly',
      currency: 'EUR',
      initial_price_cents: 1000,
      recurring_price_cents: 700,
      trial_days: 0,
      trial_ends_at: null,
      current_period_start: null,
      current_period_end: null,
      next_billing_date: null,
      auto_renew: true,
      cancelled_at: null,
      created_at: newOrder.created_at,
      updated_at: newOrder.created_at,
      payments: [
        {
          id: expect.any(Number),
          invoice_id: newOrder.id,
          invoice_status: 'pending',
          amount_cents: 1000,
          status: 'pending',
          period_start: null,
          period_end: null,
          paid_at: null,
          created_at: newOrder.created_at,
        },
      ],
      auto_renewal: null,
    })
    expect(await tradepost.events()).toEqual(['customer.created', 'order.created'])
    await expectSuccess(tradepost.post(`/orders/${newOrder.id}/manual-payments`, {}, as))
    const activeSubscription = await store.getSubscription(pendingSubscription.id)
    const paidOrder = await store.getOrder(newOrder.id)
    expect(activeSubscription).toMatchObject({
      status: 'active',
      current_period_start: paidOrder.paid_at,
      next_billing_date: activeSubscription.current_period_end,
      payments: [
        {
          status: 'paid',
          paid_at: paidOrder.paid_at,
          period_end: activeSubscription.current_period_end,
        },
      ],
      auto_renewal: {
        id: activeSubscription.id,
        object: 'auto_renewal',
        status: 'active',
        provider: 'manual',
        customer_email: 'ada@example.com',
        product: { id: productId, name: 'Game' },
        origin_invoice_id: newOrder.id,
        last_invoice_id: newOrder.id,
        period_days: daysBetween(
          activeSubscription.current_period_start,
          activeSubscription.current_period_end,
        ),
        price_cents: 700,
        currency: 'EUR',
        discount_percent: 0,
        renewals_count: 0,
        current_period_end: activeSubscription.current_period_end,
        cancelled_at: null,
        can_cancel: true,
        created_at: paidOrder.paid_at,
      },
    })
    expect(await tradepost.events()).toEqual([])
    expect((await store.cancelNow(activeSubscription.id)).json.subscription.status).toBe(
      'cancelled',
    )
  })

  test('renews from the balance with a new order at the fixed price, and starts the next period', async () => {
    const { tradepost, as } = store
    const productId = await subscriptionProduct(tradepost, { recurring_price_cents: 700 }, {}, as)
    const before = await subscribe(tradepost, productId, { payment_method: 'balance' }, as)
    await store.setBalance('ada@example.com', 1500)
    await expectSuccess(tradepost.patch(`/products/${productId}`, { price_cents: 9999 }, as))
    await tradepost.events()
    await store.advance('32d')
    const after = await store.getSubscription(before.id)
    expect(after).toMatchObject({
      status: 'active',
      current_period_start: before.current_period_end,
      recurring_price_cents: 700,
      auto_renewal: { renewals_count: 1, last_invoice_id: after.payments[1].invoice_id },
    })
    expect(after.payments[1]).toMatchObject({
      invoice_status: 'paid',
      amount_cents: 700,
      status: 'paid',
      paid_at: before.current_period_end,
      period_start: before.current_period_end,
      period_end: after.current_period_end,
    })
    const renewal = await store.getOrder(after.payments[1].invoice_id)
    expect(renewal).toMatchObject({
      total_cents: 700,
      paid_cents: 700,
      coupon: null,
      expires_at: null,
      payment_method: 'balance',
      payments: [{ kind: 'balance', status: 'succeeded', amount_cents: 700 }],
      created_at: before.current_period_end,
    })
    expect(renewal).not.toHaveProperty('recurring')
    const customer = await tradepost.db.selectFrom('customer').select('balance_cents').execute()
    expect(customer).toEqual([{ balance_cents: 800 }])
    expect(await tradepost.events()).toEqual(['order.created'])
    await store.cancelNow(before.id)
  })

  test('becomes past_due while it waits for a manual payment, and its renewal order has no expiry', async () => {
    const { tradepost, as } = store
    const before = await subscribe(
      tradepost,
      await subscriptionProduct(tradepost, {}, {}, as),
      {},
      as,
    )
    await tradepost.events()
    const dueAt = before.current_period_end
    await store.advance('32d')
    const unpaidSubscription = await store.getSubscription(before.id)
    expect(unpaidSubscription).toMatchObject({
      status: 'past_due',
      current_period_end: dueAt,
      payments: [{}, { status: 'pending', invoice_status: 'pending', paid_at: null }],
      auto_renewal: { status: 'past_due', can_cancel: true, renewals_count: 0 },
    })
    expect(daysBetween(dueAt, unpaidSubscription.next_billing_date)).toBe(3)
    const { invoice_id } = unpaidSubscription.payments[1]
    expect(await store.getOrder(invoice_id)).toMatchObject({ status: 'pending', expires_at: null })
    await expectSuccess(tradepost.post(`/orders/${invoice_id}/manual-payments`, {}, as))
    const renewedSubscription = await store.getSubscription(before.id)
    expect(renewedSubscription).toMatchObject({
      status: 'active',
      current_period_start: dueAt,
      next_billing_date: renewedSubscription.current_period_end,
      payments: [{}, { status: 'paid', period_start: dueAt }],
      auto_renewal: { status: 'active', renewals_count: 1 },
    })
    expect(await tradepost.events()).toEqual(['order.created'])
    await store.cancelNow(before.id)
  })

  test('is retried 1, 3, 5 and 7 days after the due date, and expires with the last retry (decision 143)', async () => {
    const { tradepost, as } = store
    const productId = await subscriptionProduct(tradepost, { billing_cycle: 'yearly' }, {}, as)
    const { id, current_period_end: dueAt } = await subscribe(tradepost, productId, {}, as)
    await tradepost.events()
    await store.advanceTo(dueAt)
    for (const day of [1, 3, 5, 7]) {
      const state = await store.getSubscription(id)
      expect([state.status, daysBetween(dueAt, state.next_billing_date)]).toEqual(['past_due', day])
      await store.advance(day === 1 ? '1d' : '2d')
    }
    const expiredSubscription = await store.getSubscription(id)
    expect(expiredSubscription).toMatchObject({
      status: 'expired',
      next_billing_date: null,
      auto_renew: false,
      cancelled_at: null,
      payments: [{}, { status: 'failed', invoice_status: 'expired' }],
      auto_renewal: { status: 'expired', can_cancel: false },
    })
    const { status_history } = await store.getOrder(expiredSubscription.payments[1].invoice_id)
    expect(daysBetween(dueAt, status_history[1].at)).toBe(7)
    expect(await tradepost.events()).toEqual(['order.created', 'order.expired'])
  })
})
