import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { coupon, order } from '../../../../test/build.ts'
import { expectSuccess, type Json } from '../../../../test/harness.ts'
import { openStoreWithClock, type StoreWithClock } from '../../../../test/store-with-clock.ts'
import { subscribe, subscriptionOf, subscriptionProduct } from '../../../../test/subscribe.ts'
import { DAY_MS, iso } from '../../../kernel/time.ts'

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
  subscriptionProduct(store.tradepost, billing, fields, store.as)
const start = (productId: string, fields: Json = {}) =>
  subscribe(store.tradepost, productId, fields, store.as)
/** Returns the changed subscription, or the status, the code and the details of the refusal. */
const change = async (id: number, body: Json) => {
  const { status, json } = await store.tradepost.patch(`/subscriptions/${id}`, body, store.as)
  return status === 200 ? json.subscription : [status, json.code, json.details]
}
const withBalance = async (email: string, cents: number) => {
  await store.setBalance(email, cents)
  await store.tradepost.events()
}
const balanceOf = async (email: string) => {
  const { json } = await store.tradepost.get(`/customers?email=${email}`, store.as)
  return json.customers[0].balance_cents
}

describe('a subscription whose first order is free renews by the method of that order (decision 176)', () => {
  test.each([
    [
      'a trial of a free product',
      { trial_days: 3, recurring_price_cents: 700 },
      { price_cents: 0, type: 'license' },
      false,
    ],
    ['a coupon of 100 %', { recurring_price_cents: 700 }, { type: 'license' }, true],
  ])('after %s', async (name, billing, fields, hasCoupon) => {
    const email = `free-${hasCoupon}@example.com`
    const code = hasCoupon
      ? (await coupon(store.tradepost, { discount_percent: 100 }, store.as)).code
      : undefined
    const { id, initial_invoice_id, auto_renewal, next_billing_date } = await start(
      await plan(billing, fields),
      {
        mark_paid: false,
        payment_method: 'balance',
        customer: { email },
        ...(code && { coupon_code: code }),
      },
    )
    expect([name, auto_renewal.provider]).toEqual([name, 'balance'])
    expect((await store.getOrder(initial_invoice_id)).payment_method).toBe('free')
    await withBalance(email, 1_000)
    await store.advanceTo(next_billing_date)
    expect(await store.getSubscription(id)).toMatchObject({
      status: 'active',
      auto_renewal: { renewals_count: 1, provider: 'balance' },
    })
    expect(await balanceOf(email)).toBe(300)
    expect(await store.tradepost.events()).toEqual(['order.created', 'order.completed'])
    await store.cancelNow(id)
  })

  test('and manually if that order names none', async () => {
    const { id, auto_renewal } = await start(
      await plan({ trial_days: 3, recurring_price_cents: 700 }, { price_cents: 0 }),
      { mark_paid: false, customer: { email: 'none@example.com' } },
    )
    expect(auto_renewal.provider).toBe('manual')
    await store.cancelNow(id)
  })
})

describe('the payment method of a subscription (decision 176)', () => {
  test('can be changed, and pays the next attempt of an unpaid renewal', async () => {
    const { id, next_billing_date } = await start(await plan())
    expect((await store.getSubscription(id)).auto_renewal.provider).toBe('manual')
    await store.advanceTo(next_billing_date)
    await withBalance('ada@example.com', 1_000)
    expect(await change(id, { payment_method: 'balance' })).toMatchObject({
      status: 'past_due',
      auto_renewal: { provider: 'balance' },
    })
    await store.advance('1d')
    expect((await store.getSubscription(id)).status).toBe('active')
    const { json } = await store.tradepost.get(
      '/account/audit-events?action=subscription.update&limit=1',
      store.as,
    )
    expect(json.audit_events[0].changes).toEqual({
      payment_method: { from: 'manual', to: 'balance' },
    })
    await store.cancelNow(id)
  })

  test('must be connected, and one of the methods of the product', async () => {
    const productId = await plan()
    const { id } = await start(productId)
    const refusal = (allowed: string[]) => [
      422,
      'VALIDATION_FAILED',
      expect.objectContaining({ field: 'payment_method', allowed }),
    ]
    expect(await change(id, { payment_method: 'card' })).toEqual(
      refusal(['manual', 'balance', 'test']),
    )
    await expectSuccess(
      store.tradepost.patch(
        `/products/${productId}`,
        { methods: [{ method: 'balance', enabled: false }] },
        store.as,
      ),
    )
    expect(await change(id, { payment_method: 'balance' })).toEqual(refusal(['manual', 'test']))
    expect((await store.getSubscription(id)).auto_renewal.provider).toBe('manual')
    await store.cancelNow(id)
  })

  test('cannot be changed before the first payment, or after the end', async () => {
    const newOrder = await order(store.tradepost, await plan(), {}, store.as)
    const { id } = await subscriptionOf(store.tradepost, newOrder, store.as)
    const body = { payment_method: 'balance' }
    expect(await change(id, body)).toEqual([409, 'INVALID_STATE', { status: 'pending' }])
    await store.pay(newOrder.id)
    await store.cancelNow(id)
    expect(await change(id, body)).toEqual([409, 'INVALID_STATE', { status: 'cancelled' }])
  })
})

describe('a coupon that applies to renewals (decision 176)', () => {
  const RENEWED = { trial_days: 3, recurring_price_cents: 1_000 }

  test('keeps its percentage if it took 0 off the first order', async () => {
    const { code } = await coupon(
      store.tradepost,
      { discount_percent: 25, applies_to_renewals: true },
      store.as,
    )
    const { id, recurring_price_cents, auto_renewal } = await start(
      await plan(RENEWED, { price_cents: 0 }),
      { mark_paid: false, coupon_code: code, customer: { email: 'quarter@example.com' } },
    )
    expect([recurring_price_cents, auto_renewal.discount_percent]).toEqual([750, 25])
    await store.cancelNow(id)
  })

  test('reduces only the subscriptions of its products, and an amount only by what it took off', async () => {
    const [reduced, other] = [
      await plan(RENEWED, { price_cents: 0 }),
      await plan(RENEWED, { price_cents: 0 }),
    ]
    const prices = async (fields: Json) => {
      const { code } = await coupon(
        store.tradepost,
        { applies_to_renewals: true, product_ids: [reduced], ...fields },
        store.as,
      )
      const { id } = await order(
        store.tradepost,
        reduced,
        {
          items: [reduced, other].map((product_id) => ({ product_id, quantity: 1 })),
          coupon_code: code,
          customer: { email: `${code.toLowerCase()}@example.com` },
        },
        store.as,
      )
      const { json } = await store.tradepost.get('/subscriptions?limit=100', store.as)
      const created = json.subscriptions.filter((item: Json) => item.initial_invoice_id === id)
      for (const item of created) await store.cancelNow(item.id)
      return Object.fromEntries(
        created.map((item: Json) => [item.product.id, item.recurring_price_cents]),
      )
    }
    expect(await prices({ discount_percent: 10 })).toEqual({ [reduced]: 900, [other]: 1_000 })
    expect(await prices({ type: 'fixed', amount_cents: 100 })).toEqual({
      [reduced]: 1_000,
      [other]: 1_000,
    })
  })
})

describe('the free trial of a product (decision 176)', () => {
  const TRIAL = { trial_days: 7, recurring_price_cents: 700 }
  const buy = (productId: string, email: string) =>
    start(productId, { mark_paid: false, payment_method: 'balance', customer: { email } })

  test('is granted to a customer once: a later order is due at once', async () => {
    const email = 'twice@example.com'
    const productId = await plan(TRIAL, { price_cents: 0, type: 'license' })
    const first = await buy(productId, email)
    expect(first.status).toBe('trialing')
    await store.cancelNow(first.id)
    await withBalance(email, 1_000)
    const second = await buy(productId, email)
    expect(second).toMatchObject({
      status: 'active',
      trial_ends_at: null,
      next_billing_date: second.created_at,
      current_period_end: second.created_at,
    })
    const expiries = async () => {
      const { rows } = await licensesOf(second.id)
      return rows.map(({ expires_at }) => expires_at)
    }
    expect(await expiries()).toEqual([second.created_at])
    await store.advance('1s')
    const renewed = await store.getSubscription(second.id)
    expect(renewed).toMatchObject({ status: 'active', auto_renewal: { renewals_count: 1 } })
    expect(await expiries()).toEqual([renewed.current_period_end])
    expect(await balanceOf(email)).toBe(300)
    await store.cancelNow(second.id)
  })

  test('is granted again for another product, to another customer, and if the trial is paid', async () => {
    const productId = await plan(TRIAL, { price_cents: 0 })
    const paidTrial = await plan(TRIAL, { price_cents: 100 })
    const statuses: string[] = []
    for (const [id, email, fields] of [
      [productId, 'one@example.com', {}],
      [await plan(TRIAL, { price_cents: 0 }), 'one@example.com', {}],
      [productId, 'two@example.com', {}],
      [paidTrial, 'one@example.com', { mark_paid: true }],
      [paidTrial, 'one@example.com', { mark_paid: true }],
    ] as const) {
      const item = await start(id, { mark_paid: false, customer: { email }, ...fields })
      statuses.push(item.status)
      await store.cancelNow(item.id)
    }
    expect(statuses).toEqual(Array.from({ length: 5 }, () => 'trialing'))
  })
})

const licensesOf = async (subscriptionId: number) => {
  const rows = await store.tradepost.db
    .selectFrom('license_key')
    .select(['id', 'expires_at'])
    .where('subscription_id', '=', subscriptionId)
    .execute()
  return { rows }
}

test('a later billing date moves the end of the license keys and of the payment (decision 176)', async () => {
  const { id, next_billing_date } = await start(await plan({}, { type: 'license' }))
  const date = iso(Date.parse(next_billing_date) + 5 * DAY_MS)
  expect((await change(id, { next_billing_date: date })).payments).toMatchObject([
    { period_end: date },
  ])
  const { rows } = await licensesOf(id)
  expect(rows).toMatchObject([{ expires_at: date }])
  await store.cancelNow(id)
})
