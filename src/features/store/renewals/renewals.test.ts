import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { order } from '../../../../test/build.ts'
import { type Clocked, openClocked } from '../../../../test/clocked.ts'
import { plan, subscribe, subscriptionOf } from '../../../../test/subscribe.ts'

let store: Clocked

beforeAll(async () => {
  store = await openClocked()
})
afterAll(async () => {
  await store.isSound()
  await store.tradepost.close()
})
beforeEach(() => store.tradepost.events())

const days = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000

describe('a subscription', () => {
  test('is pending until its first order is paid, with null for what does not exist yet', async () => {
    const { tradepost, as } = store
    const planId = await plan(tradepost, { recurring_price_cents: 700 }, {}, as)
    const made = await order(tradepost, planId, {}, as)
    const pending = await subscriptionOf(tradepost, made, as)
    expect(pending).toEqual({
      id: expect.any(Number),
      object: 'subscription',
      status: 'pending',
      customer_email: 'ada@example.com',
      product: { id: planId, name: 'Game' },
      initial_invoice_id: made.id,
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
      created_at: made.created_at,
      updated_at: made.created_at,
      payments: [
        {
          id: expect.any(Number),
          invoice_id: made.id,
          invoice_status: 'pending',
          amount_cents: 1000,
          status: 'pending',
          period_start: null,
          period_end: null,
          paid_at: null,
          created_at: made.created_at,
        },
      ],
      auto_renewal: null,
    })
    expect(await tradepost.events()).toEqual(['customer.created', 'order.created'])
    await tradepost.post(`/orders/${made.id}/manual-payments`, {}, as)
    const active = await store.see(pending.id)
    const paid = await store.order(made.id)
    expect(active).toMatchObject({
      status: 'active',
      current_period_start: paid.paid_at,
      next_billing_date: active.current_period_end,
      payments: [{ status: 'paid', paid_at: paid.paid_at, period_end: active.current_period_end }],
      auto_renewal: {
        id: active.id,
        object: 'auto_renewal',
        status: 'active',
        provider: 'manual',
        customer_email: 'ada@example.com',
        product: { id: planId, name: 'Game' },
        origin_invoice_id: made.id,
        last_invoice_id: made.id,
        period_days: days(active.current_period_start, active.current_period_end),
        price_cents: 700,
        currency: 'EUR',
        discount_percent: 0,
        renewals_count: 0,
        current_period_end: active.current_period_end,
        cancelled_at: null,
        can_cancel: true,
        created_at: paid.paid_at,
      },
    })
    expect(await tradepost.events()).toEqual([])
    expect((await store.stop(active.id)).json.subscription.status).toBe('cancelled')
  })

  test('renews from the balance: an order of its own at the fixed price, and the period moves on', async () => {
    const { tradepost, as } = store
    const planId = await plan(tradepost, { recurring_price_cents: 700 }, {}, as)
    const before = await subscribe(tradepost, planId, { payment_method: 'balance' }, as)
    await store.balance('ada@example.com', 1500)
    await tradepost.patch(`/products/${planId}`, { price_cents: 9999 }, as)
    await tradepost.events()
    await store.advance('32d')
    const after = await store.see(before.id)
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
    const renewal = await store.order(after.payments[1].invoice_id)
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
    await store.stop(before.id)
  })

  test('waits for a manual payment, is past due, and its order has no expiry of its own', async () => {
    const { tradepost, as } = store
    const before = await subscribe(tradepost, await plan(tradepost, {}, {}, as), {}, as)
    await tradepost.events()
    const due = before.current_period_end
    await store.advance('32d')
    const unpaid = await store.see(before.id)
    expect(unpaid).toMatchObject({
      status: 'past_due',
      current_period_end: due,
      payments: [{}, { status: 'pending', invoice_status: 'pending', paid_at: null }],
      auto_renewal: { status: 'past_due', can_cancel: true, renewals_count: 0 },
    })
    expect(days(due, unpaid.next_billing_date)).toBe(3)
    const { invoice_id } = unpaid.payments[1]
    expect(await store.order(invoice_id)).toMatchObject({ status: 'pending', expires_at: null })
    await tradepost.post(`/orders/${invoice_id}/manual-payments`, {}, as)
    const paid = await store.see(before.id)
    expect(paid).toMatchObject({
      status: 'active',
      current_period_start: due,
      next_billing_date: paid.current_period_end,
      payments: [{}, { status: 'paid', period_start: due }],
      auto_renewal: { status: 'active', renewals_count: 1 },
    })
    expect(await tradepost.events()).toEqual(['order.created'])
    await store.stop(before.id)
  })

  test('is retried 1, 3, 5 and 7 days after the due date, and expires with the last retry (decision 143)', async () => {
    const { tradepost, as } = store
    const planId = await plan(tradepost, { billing_cycle: 'yearly' }, {}, as)
    const { id, current_period_end: due } = await subscribe(tradepost, planId, {}, as)
    await tradepost.events()
    await store.advanceTo(due)
    for (const day of [1, 3, 5, 7]) {
      const state = await store.see(id)
      expect([state.status, days(due, state.next_billing_date)]).toEqual(['past_due', day])
      await store.advance(day === 1 ? '1d' : '2d')
    }
    const expired = await store.see(id)
    expect(expired).toMatchObject({
      status: 'expired',
      next_billing_date: null,
      auto_renew: false,
      cancelled_at: null,
      payments: [{}, { status: 'failed', invoice_status: 'expired' }],
      auto_renewal: { status: 'expired', can_cancel: false },
    })
    const { status_history } = await store.order(expired.payments[1].invoice_id)
    expect(days(due, status_history[1].at)).toBe(7)
    expect(await tradepost.events()).toEqual(['order.created', 'order.expired'])
  })
})
