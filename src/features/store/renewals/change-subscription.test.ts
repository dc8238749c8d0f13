import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { order, product } from '../../../../test/build.ts'
import { type Clocked, openClocked } from '../../../../test/clocked.ts'
import type { Json } from '../../../../test/harness.ts'
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

const call = async (id: number, verb: string, body?: Json) => {
  const { tradepost, as } = store
  const { status, json } = await tradepost.post(`/subscriptions/${id}/${verb}`, body, as)
  return status === 200 ? json.subscription : [status, json.code, json.details]
}
const patch = async (id: number, body: Json) => {
  const { status, json } = await store.tradepost.patch(`/subscriptions/${id}`, body, store.as)
  return status === 200 ? json.subscription : [status, json.code, json.details?.field]
}
const bought = async (billing: Json = {}, fields: Json = {}) => {
  const { tradepost, as } = store
  const made = await subscribe(tradepost, await plan(tradepost, billing, {}, as), fields, as)
  await tradepost.events()
  return made
}

describe('a cancellation', () => {
  test('without a body takes effect at the end of the period, and can be undone until then', async () => {
    const { id, current_period_end } = await bought()
    const scheduled = await call(id, 'cancel')
    expect(scheduled).toMatchObject({
      status: 'active',
      auto_renew: false,
      cancelled_at: expect.any(String),
      next_billing_date: null,
      current_period_end,
      auto_renewal: { status: 'cancelled', can_cancel: false },
    })
    expect(await call(id, 'cancel')).toEqual([409, 'INVALID_STATE', { status: 'active' }])
    expect(await call(id, 'resume')).toMatchObject({
      status: 'active',
      auto_renew: true,
      cancelled_at: null,
      next_billing_date: current_period_end,
    })
    expect(await call(id, 'resume')).toEqual([409, 'INVALID_STATE', { status: 'active' }])
    await call(id, 'cancel', {})
    await store.advanceTo(current_period_end)
    const over = await store.see(id)
    expect(over).toMatchObject({ status: 'cancelled', auto_renew: false, current_period_end })
    expect(over.payments).toHaveLength(1)
    expect(await call(id, 'resume')).toEqual([409, 'INVALID_STATE', { status: 'cancelled' }])
    expect(await call(id, 'cancel')).toEqual([409, 'INVALID_STATE', { status: 'cancelled' }])
    expect(await store.tradepost.events()).toEqual([])
  })

  test('with at_period_end: false takes effect now', async () => {
    const { id } = await bought({ trial_days: 3 })
    await call(id, 'cancel')
    const now = await call(id, 'cancel', { at_period_end: false })
    expect(now).toMatchObject({ status: 'cancelled', auto_renew: false, next_billing_date: null })
    await store.advance('40d')
    expect((await store.see(id)).payments).toHaveLength(1)
    expect(await store.tradepost.events()).toEqual([])
  })

  test('of one that is past due ends it now, and its unpaid renewal with it', async () => {
    const { id, current_period_end } = await bought()
    await store.advanceTo(current_period_end)
    const cancelled = await call(id, 'cancel')
    expect(cancelled).toMatchObject({
      status: 'cancelled',
      payments: [{}, { status: 'failed', invoice_status: 'cancelled' }],
    })
    expect(await store.tradepost.events()).toEqual(['order.created', 'order.cancelled'])
  })

  test('of the unpaid renewal order cancels its subscription', async () => {
    const { tradepost, as } = store
    const { id, current_period_end } = await bought()
    await store.advanceTo(current_period_end)
    const { payments } = await store.see(id)
    await tradepost.post(`/orders/${payments[1].invoice_id}/cancel`, {}, as)
    expect(await store.see(id)).toMatchObject({ status: 'cancelled', auto_renew: false })
  })

  test('of a pending subscription is the cancellation of its first order', async () => {
    const { tradepost, as } = store
    const made = await order(tradepost, await plan(tradepost, {}, {}, as), {}, as)
    const { id } = await subscriptionOf(tradepost, made, as)
    expect(await call(id, 'cancel')).toEqual([409, 'INVALID_STATE', { status: 'pending' }])
    await tradepost.post(`/orders/${made.id}/cancel`, {}, as)
    expect(await store.see(id)).toMatchObject({
      status: 'cancelled',
      payments: [{ status: 'failed', invoice_status: 'cancelled' }],
      auto_renewal: null,
    })
  })

  test('of an auto-renewal ends the subscription at the end of the period, and is done once', async () => {
    const { tradepost, as } = store
    const { id, current_period_end } = await bought()
    const path = `/auto-renewals/${id}`
    const first = await tradepost.post(`${path}/cancel`, undefined, as)
    expect(first.json.auto_renewal).toMatchObject({
      status: 'cancelled',
      can_cancel: false,
      current_period_end,
      cancelled_at: expect.any(String),
    })
    const again = await tradepost.post(`${path}/cancel`, undefined, as)
    expect([again.status, again.json.code]).toEqual([409, 'INVALID_STATE'])
    expect((await tradepost.get(path, as)).json.auto_renewal).toEqual(first.json.auto_renewal)
    expect(await store.see(id)).toMatchObject({ status: 'active', auto_renew: false })
    await store.stop(id)
  })
})

describe('a full refund', () => {
  test('of the first order cancels the subscription, and a renewal that waits for its payment', async () => {
    const { tradepost, as } = store
    const { id, initial_invoice_id, current_period_end } = await bought()
    await store.advanceTo(current_period_end)
    await tradepost.post(`/orders/${initial_invoice_id}/refund`, {}, as)
    await store.advance('1s')
    expect(await store.see(id)).toMatchObject({
      status: 'cancelled',
      auto_renew: false,
      next_billing_date: null,
      payments: [
        { status: 'refunded', invoice_status: 'refunded' },
        { status: 'failed', invoice_status: 'cancelled' },
      ],
    })
    const events = ['order.created', 'order.refunded', 'order.cancelled']
    expect(await tradepost.events()).toEqual(events)
  })

  test('of the first order closes a renewal that is paid in the same moment', async () => {
    const { tradepost, as } = store
    const { id, initial_invoice_id, current_period_end } = await bought()
    await store.advanceTo(current_period_end)
    const [, { invoice_id }] = (await store.see(id)).payments
    await tradepost.post(`/orders/${initial_invoice_id}/refund`, {}, as)
    await store.pay(invoice_id)
    await store.advance('1s')
    expect(await store.see(id)).toMatchObject({
      status: 'cancelled',
      payments: [{ status: 'refunded' }, { status: 'paid' }],
      auto_renewal: { renewals_count: 0 },
    })
    await store.isSound()
  })

  test('of a renewal marks its payment and leaves the subscription; a partial one changes nothing', async () => {
    const { tradepost, as } = store
    const { id, initial_invoice_id, current_period_end } = await bought()
    await tradepost.post(`/orders/${initial_invoice_id}/refund`, { amount_cents: 1 }, as)
    await store.advanceTo(current_period_end)
    const [, { invoice_id }] = (await store.see(id)).payments
    await store.pay(invoice_id)
    await tradepost.post(`/orders/${invoice_id}/refund`, {}, as)
    expect(await store.see(id)).toMatchObject({
      status: 'active',
      payments: [{ status: 'paid' }, { status: 'refunded' }],
    })
    await store.stop(id)
  })
})

describe('the next billing date', () => {
  test('moves later only; the period lasts until then, and later periods count from it', async () => {
    const { id, next_billing_date: due } = await bought()
    const later = (days: number) => new Date(Date.parse(due) + days * 86_400_000).toISOString()
    const invalid = [422, 'VALIDATION_FAILED', 'next_billing_date']
    expect(await patch(id, { next_billing_date: due })).toEqual(invalid)
    expect(await patch(id, { next_billing_date: later(-1) })).toEqual(invalid)
    expect(await patch(id, { next_billing_date: later(800) })).toEqual(invalid)
    const moved = await patch(id, { next_billing_date: later(3) })
    expect(moved).toMatchObject({ next_billing_date: later(3), current_period_end: later(3) })
    await store.advanceTo(due)
    expect((await store.see(id)).status).toBe('active')
    await store.advanceTo(later(3))
    const { payments, status } = await store.see(id)
    expect([status, payments[1].period_start]).toEqual(['past_due', later(3)])
    expect(new Date(payments[1].period_end).getUTCDate()).toBe(new Date(later(3)).getUTCDate())
    expect(await patch(id, { next_billing_date: later(9) })).toEqual([
      409,
      'INVALID_STATE',
      undefined,
    ])
    await store.stop(id)
  })

  test('of a trial moves the end of the trial', async () => {
    const { id } = await bought({ trial_days: 3 })
    const date = new Date(Date.parse((await store.see(id)).trial_ends_at) + 1_000).toISOString()
    expect(await patch(id, { next_billing_date: date })).toMatchObject({
      status: 'trialing',
      trial_ends_at: date,
      current_period_end: date,
    })
    await store.stop(id)
  })
})

test('auto_renew: false cancels at the end of the period, and true undoes that', async () => {
  const { id, next_billing_date } = await bought()
  expect(await patch(id, { auto_renew: true })).toMatchObject({ auto_renew: true })
  expect(await patch(id, { auto_renew: false })).toMatchObject({
    auto_renew: false,
    next_billing_date: null,
    cancelled_at: expect.any(String),
  })
  expect(await patch(id, { auto_renew: false })).toMatchObject({ auto_renew: false })
  expect(await patch(id, { auto_renew: true })).toMatchObject({
    next_billing_date,
    cancelled_at: null,
  })
  expect(await patch(id, { trial_days: 1 })).toEqual([422, 'VALIDATION_FAILED', 'trial_days'])
  await store.stop(id)
})

describe('billing', () => {
  test('makes a product of the kind subscription sellable, and no other product', async () => {
    const { tradepost, as } = store
    const kind = { type: 'service', product_kind: 'subscription' }
    const { id } = await product(tradepost, kind, as)
    const body = { items: [{ product_id: id, quantity: 1 }], customer: { email: 'b@example.com' } }
    const refused = await tradepost.post('/orders', body, as)
    expect([refused.status, refused.json.details.field]).toEqual([422, 'items[0].product_id'])
    const path = `/products/${id}/billing`
    expect((await tradepost.get(path, as)).status).toBe(404)
    const set = await tradepost.put(path, { billing_cycle: 'weekly', trial_days: 7 }, as)
    expect(set.json.billing).toEqual({
      object: 'product_billing',
      product_id: id,
      billing_cycle: 'weekly',
      trial_days: 7,
      recurring_price_cents: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect((await tradepost.get(path, as)).json).toEqual(set.json)
    expect((await tradepost.post('/orders', body, as)).status).toBe(201)
    const single = await product(tradepost, {}, as)
    const other = await tradepost.put(
      `/products/${single.id}/billing`,
      { billing_cycle: 'weekly' },
      as,
    )
    expect([other.status, other.json.details.field]).toEqual([422, 'product_kind'])
    const bad = await tradepost.put(path, { billing_cycle: 'hourly' }, as)
    expect([bad.status, bad.json.details.field]).toEqual([422, 'billing_cycle'])
  })
})
