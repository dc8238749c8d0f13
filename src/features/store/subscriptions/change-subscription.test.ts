import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { order, product } from '../../../../test/build.ts'
import { expectSuccess, type Json } from '../../../../test/harness.ts'
import { openStoreWithClock, type StoreWithClock } from '../../../../test/store-with-clock.ts'
import { subscribe, subscriptionOf, subscriptionProduct } from '../../../../test/subscribe.ts'
import { DAY_MS, iso, SECOND_MS } from '../../../kernel/time.ts'

let store: StoreWithClock

beforeAll(async () => {
  store = await openStoreWithClock()
})
afterAll(async () => {
  await store.expectNoFindings()
  await store.tradepost.close()
})
beforeEach(() => store.tradepost.events())

/** Returns the subscription, or the status, the code and the details of the refusal. */
const callSubscription = async (id: number, verb: string, body?: Json) => {
  const { tradepost, as } = store
  const { status, json } = await tradepost.post(`/subscriptions/${id}/${verb}`, body, as)
  return status === 200 ? json.subscription : [status, json.code, json.details]
}
/** Returns the changed subscription, or the status, the code and the field of the refusal. */
const change = async (id: number, body: Json) => {
  const { status, json } = await store.tradepost.patch(`/subscriptions/${id}`, body, store.as)
  return status === 200 ? json.subscription : [status, json.code, json.details?.field]
}
const createSubscription = async (billing: Json = {}, fields: Json = {}) => {
  const { tradepost, as } = store
  const newSubscription = await subscribe(
    tradepost,
    await subscriptionProduct(tradepost, billing, {}, as),
    fields,
    as,
  )
  await tradepost.events()
  return newSubscription
}

describe('a cancellation', () => {
  test('without a body takes effect at the end of the period, and can be undone until then', async () => {
    const { id, current_period_end } = await createSubscription()
    const after = await callSubscription(id, 'cancel')
    expect(after).toMatchObject({
      status: 'active',
      auto_renew: false,
      cancelled_at: expect.any(String),
      next_billing_date: null,
      current_period_end,
      auto_renewal: { status: 'cancelled', can_cancel: false },
    })
    expect(await callSubscription(id, 'cancel')).toEqual([
      409,
      'INVALID_STATE',
      { status: 'active' },
    ])
    expect(await callSubscription(id, 'resume')).toMatchObject({
      status: 'active',
      auto_renew: true,
      cancelled_at: null,
      next_billing_date: current_period_end,
    })
    expect(await callSubscription(id, 'resume')).toEqual([
      409,
      'INVALID_STATE',
      { status: 'active' },
    ])
    await callSubscription(id, 'cancel', {})
    await store.advanceTo(current_period_end)
    const endedSubscription = await store.getSubscription(id)
    expect(endedSubscription).toMatchObject({
      status: 'cancelled',
      auto_renew: false,
      current_period_end,
    })
    expect(endedSubscription.payments).toHaveLength(1)
    expect(await callSubscription(id, 'resume')).toEqual([
      409,
      'INVALID_STATE',
      { status: 'cancelled' },
    ])
    const { json } = await store.tradepost.post(`/subscriptions/${id}/resume`, undefined, store.as)
    expect(json.error).toBe(
      'This subscription is cancelled and cannot be resumed. Only a trialing or active subscription can be resumed.',
    )
    expect(await callSubscription(id, 'cancel')).toEqual([
      409,
      'INVALID_STATE',
      { status: 'cancelled' },
    ])
    expect(await store.tradepost.events()).toEqual([])
  })

  test('with at_period_end: false takes effect immediately', async () => {
    const { id } = await createSubscription({ trial_days: 3 })
    await callSubscription(id, 'cancel')
    const after = await callSubscription(id, 'cancel', { at_period_end: false })
    expect(after).toMatchObject({
      status: 'cancelled',
      auto_renew: false,
      next_billing_date: null,
    })
    await store.advance('40d')
    expect((await store.getSubscription(id)).payments).toHaveLength(1)
    expect(await store.tradepost.events()).toEqual([])
  })

  test('of a past_due subscription ends it immediately, and cancels its unpaid renewal', async () => {
    const { id, current_period_end } = await createSubscription()
    await store.advanceTo(current_period_end)
    const after = await callSubscription(id, 'cancel')
    expect(after).toMatchObject({
      status: 'cancelled',
      payments: [{}, { status: 'failed', invoice_status: 'cancelled' }],
    })
    expect(await store.tradepost.events()).toEqual(['order.created', 'order.cancelled'])
  })

  test('of the unpaid renewal order cancels its subscription', async () => {
    const { tradepost, as } = store
    const { id, current_period_end } = await createSubscription()
    await store.advanceTo(current_period_end)
    const { payments } = await store.getSubscription(id)
    await expectSuccess(tradepost.post(`/orders/${payments[1].invoice_id}/cancel`, {}, as))
    expect(await store.getSubscription(id)).toMatchObject({
      status: 'cancelled',
      auto_renew: false,
    })
  })

  test('of a pending subscription is refused, and a cancellation of its first order cancels it', async () => {
    const { tradepost, as } = store
    const newOrder = await order(
      tradepost,
      await subscriptionProduct(tradepost, {}, {}, as),
      {},
      as,
    )
    const { id } = await subscriptionOf(tradepost, newOrder, as)
    expect(await callSubscription(id, 'cancel')).toEqual([
      409,
      'INVALID_STATE',
      { status: 'pending' },
    ])
    await expectSuccess(tradepost.post(`/orders/${newOrder.id}/cancel`, {}, as))
    expect(await store.getSubscription(id)).toMatchObject({
      status: 'cancelled',
      payments: [{ status: 'failed', invoice_status: 'cancelled' }],
      auto_renewal: null,
    })
  })

  test('of an auto-renewal takes effect at the end of the period, and is refused a second time', async () => {
    const { tradepost, as } = store
    const { id, current_period_end } = await createSubscription()
    const path = `/auto-renewals/${id}`
    const firstCancel = await tradepost.post(`${path}/cancel`, undefined, as)
    expect(firstCancel.json.auto_renewal).toMatchObject({
      status: 'cancelled',
      can_cancel: false,
      current_period_end,
      cancelled_at: expect.any(String),
    })
    const secondCancel = await tradepost.post(`${path}/cancel`, undefined, as)
    expect([secondCancel.status, secondCancel.json.code]).toEqual([409, 'INVALID_STATE'])
    expect((await tradepost.get(path, as)).json.auto_renewal).toEqual(firstCancel.json.auto_renewal)
    expect(await store.getSubscription(id)).toMatchObject({ status: 'active', auto_renew: false })
    await store.cancelNow(id)
  })
})

describe('a full refund', () => {
  test('of the first order cancels the subscription, and a renewal that waits for payment', async () => {
    const { tradepost, as } = store
    const { id, initial_invoice_id, current_period_end } = await createSubscription()
    await store.advanceTo(current_period_end)
    await expectSuccess(tradepost.post(`/orders/${initial_invoice_id}/refund`, {}, as))
    await store.advance('1s')
    expect(await store.getSubscription(id)).toMatchObject({
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

  test('of the first order cancels the subscription even if its renewal is paid afterwards', async () => {
    const { tradepost, as } = store
    const { id, initial_invoice_id, current_period_end } = await createSubscription()
    await store.advanceTo(current_period_end)
    const [, { invoice_id }] = (await store.getSubscription(id)).payments
    await expectSuccess(tradepost.post(`/orders/${initial_invoice_id}/refund`, {}, as))
    await store.pay(invoice_id)
    await store.advance('1s')
    expect(await store.getSubscription(id)).toMatchObject({
      status: 'cancelled',
      payments: [{ status: 'refunded' }, { status: 'paid' }],
      auto_renewal: { renewals_count: 0 },
    })
    await store.expectNoFindings()
  })

  test('of a renewal does not cancel the subscription, and neither does a partial refund of the first order', async () => {
    const { tradepost, as } = store
    const { id, initial_invoice_id, current_period_end } = await createSubscription()
    await expectSuccess(
      tradepost.post(`/orders/${initial_invoice_id}/refund`, { amount_cents: 1 }, as),
    )
    await store.advanceTo(current_period_end)
    const [, { invoice_id }] = (await store.getSubscription(id)).payments
    await store.pay(invoice_id)
    await expectSuccess(tradepost.post(`/orders/${invoice_id}/refund`, {}, as))
    expect(await store.getSubscription(id)).toMatchObject({
      status: 'active',
      payments: [{ status: 'paid' }, { status: 'refunded' }],
    })
    await store.cancelNow(id)
  })
})

describe('the next billing date', () => {
  test('can only be moved to a later date, to which the period is extended and at which the next period starts', async () => {
    const { id, next_billing_date: dueAt } = await createSubscription()
    const daysLater = (days: number) => iso(Date.parse(dueAt) + days * DAY_MS)
    const invalid = [422, 'VALIDATION_FAILED', 'next_billing_date']
    expect(await change(id, { next_billing_date: dueAt })).toEqual(invalid)
    expect(await change(id, { next_billing_date: daysLater(-1) })).toEqual(invalid)
    expect(await change(id, { next_billing_date: daysLater(800) })).toEqual(invalid)
    const after = await change(id, { next_billing_date: daysLater(3) })
    expect(after).toMatchObject({
      next_billing_date: daysLater(3),
      current_period_end: daysLater(3),
    })
    await store.advanceTo(dueAt)
    expect((await store.getSubscription(id)).status).toBe('active')
    await store.advanceTo(daysLater(3))
    const { payments, status } = await store.getSubscription(id)
    expect([status, payments[1].period_start]).toEqual(['past_due', daysLater(3)])
    expect(new Date(payments[1].period_end).getUTCDate()).toBe(new Date(daysLater(3)).getUTCDate())
    expect(await change(id, { next_billing_date: daysLater(9) })).toEqual([
      409,
      'INVALID_STATE',
      undefined,
    ])
    await store.cancelNow(id)
  })

  test('can be 730 days from now, and no millisecond more', async () => {
    const { id, current_period_start: now } = await createSubscription()
    const latestPlus = (ms: number) => iso(Date.parse(now) + 730 * DAY_MS + ms)
    expect(await change(id, { next_billing_date: latestPlus(1) })).toEqual([
      422,
      'VALIDATION_FAILED',
      'next_billing_date',
    ])
    expect(await change(id, { next_billing_date: latestPlus(0) })).toMatchObject({
      next_billing_date: latestPlus(0),
      current_period_end: latestPlus(0),
    })
    await store.cancelNow(id)
  })

  test('of a trial moves the end of the trial', async () => {
    const { id } = await createSubscription({ trial_days: 3 })
    const { trial_ends_at } = await store.getSubscription(id)
    const date = iso(Date.parse(trial_ends_at) + SECOND_MS)
    expect(await change(id, { next_billing_date: date })).toMatchObject({
      status: 'trialing',
      trial_ends_at: date,
      current_period_end: date,
    })
    await store.cancelNow(id)
  })
})

test('auto_renew: false cancels at the end of the period, and true undoes that', async () => {
  const { id, next_billing_date } = await createSubscription()
  expect(await change(id, { auto_renew: true })).toMatchObject({ auto_renew: true })
  expect(await change(id, { auto_renew: false })).toMatchObject({
    auto_renew: false,
    next_billing_date: null,
    cancelled_at: expect.any(String),
  })
  expect(await change(id, { auto_renew: false })).toMatchObject({ auto_renew: false })
  expect(await change(id, { auto_renew: true })).toMatchObject({
    next_billing_date,
    cancelled_at: null,
  })
  expect(await change(id, { trial_days: 1 })).toEqual([422, 'VALIDATION_FAILED', 'trial_days'])
  await store.cancelNow(id)
})

describe('billing', () => {
  test('makes products of the kind subscription sellable, and no others', async () => {
    const { tradepost, as } = store
    const fields = { type: 'service', product_kind: 'subscription' }
    const { id } = await product(tradepost, fields, as)
    const body = { items: [{ product_id: id, quantity: 1 }], customer: { email: 'b@example.com' } }
    const refusal = await tradepost.post('/orders', body, as)
    expect([refusal.status, refusal.json.details.field]).toEqual([422, 'items[0].product_id'])
    const path = `/products/${id}/billing`
    const missingBilling = await tradepost.get(path, as)
    expect([missingBilling.status, missingBilling.json.error]).toEqual([
      404,
      'This product has no billing. Set it with PUT /products/{id}/billing.',
    ])
    const firstBilling = await tradepost.put(path, { billing_cycle: 'weekly', trial_days: 7 }, as)
    expect(firstBilling.json.billing).toEqual({
      object: 'product_billing',
      product_id: id,
      billing_cycle: 'weekly',
      trial_days: 7,
      recurring_price_cents: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect((await tradepost.get(path, as)).json).toEqual(firstBilling.json)
    expect((await tradepost.post('/orders', body, as)).status).toBe(201)
    const single = await product(tradepost, {}, as)
    const singleProductAnswer = await tradepost.put(
      `/products/${single.id}/billing`,
      { billing_cycle: 'weekly' },
      as,
    )
    expect([singleProductAnswer.status, singleProductAnswer.json.details.field]).toEqual([
      422,
      'product_kind',
    ])
    const badCycle = await tradepost.put(path, { billing_cycle: 'hourly' }, as)
    expect([badCycle.status, badCycle.json.details.field]).toEqual([422, 'billing_cycle'])
  })
})

test('sorted by next_billing_date, the next renewal comes first and an ended subscription last', async () => {
  const subscriptions = [
    await createSubscription(),
    await createSubscription(),
    await createSubscription({ billing_cycle: 'weekly' }),
  ]
  const [ended, monthly, weekly] = subscriptions.map(({ id }) => id)
  await callSubscription(Number(ended), 'cancel', { at_period_end: false })
  const { tradepost, as } = store
  const { json } = await tradepost.get('/subscriptions?sort=next_billing_date&limit=100', as)
  const ids: number[] = json.subscriptions.map((item: Json) => item.id)
  const sortedIds = ids.filter((id) => subscriptions.some((item) => item.id === id))
  expect(sortedIds).toEqual([weekly, monthly, ended])
})
