import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addKeys, coupon, order } from '../../../../test/build.ts'
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

const FROM_BALANCE = { payment_method: 'balance' }
/** Creates a subscription whose customer has a large balance. */
const createSubscription = async (billing: Json, fields: Json = {}, orderFields: Json = {}) => {
  const { tradepost, as } = store
  const productId = await subscriptionProduct(tradepost, billing, fields, as)
  const newSubscription = await subscribe(
    tradepost,
    productId,
    { ...FROM_BALANCE, ...orderFields },
    as,
  )
  await store.setBalance('ada@example.com', 1_000_000)
  await tradepost.events()
  return newSubscription
}
const readLicenses = () =>
  store.tradepost.db
    .selectFrom('license_key')
    .select(['order_id', 'subscription_id', 'expires_at'])
    .orderBy('id')
    .execute()

test('a trial begins with the first payment, and is followed by a renewal at the recurring price', async () => {
  const { id, ...trial } = await createSubscription({ trial_days: 14, recurring_price_cents: 999 })
  expect(trial).toMatchObject({
    status: 'trialing',
    trial_days: 14,
    trial_ends_at: trial.current_period_end,
    next_billing_date: trial.current_period_end,
    initial_price_cents: 1000,
    auto_renewal: { status: 'active', period_days: 14 },
  })
  await store.advanceTo(trial.trial_ends_at)
  const active = await store.getSubscription(id)
  expect(active).toMatchObject({
    status: 'active',
    trial_ends_at: trial.trial_ends_at,
    current_period_start: trial.trial_ends_at,
    payments: [{ period_end: trial.trial_ends_at }, { amount_cents: 999, status: 'paid' }],
  })
  await store.cancelNow(id)
})

test('a free first order starts the trial immediately', async () => {
  const { tradepost, as } = store
  const terms = { trial_days: 7, recurring_price_cents: 500 }
  const productId = await subscriptionProduct(
    tradepost,
    terms,
    { price_cents: 0, variants: undefined },
    as,
  )
  await expectSuccess(tradepost.patch(`/products/${productId}`, { price_cents: 0 }, as))
  const newOrder = await order(tradepost, productId, {}, as)
  const trial = await subscriptionOf(tradepost, newOrder, as)
  expect(trial).toMatchObject({ status: 'trialing', auto_renewal: { provider: 'manual' } })
  await store.cancelNow(trial.id)
})

test('a renewal extends the license key of the first order, and creates no second license key', async () => {
  const first = await createSubscription({}, { type: 'license' })
  const [key, ...others] = await readLicenses()
  expect(others).toEqual([])
  expect(key).toEqual({
    order_id: first.initial_invoice_id,
    subscription_id: first.id,
    expires_at: first.current_period_end,
  })
  await store.advanceTo(first.current_period_end)
  const after = await store.getSubscription(first.id)
  expect(after.payments[1]).toMatchObject({ status: 'paid', invoice_status: 'completed' })
  expect(await readLicenses()).toEqual([{ ...key, expires_at: after.current_period_end }])
  expect(await store.tradepost.events()).toEqual(['order.created', 'order.completed'])
  await store.cancelNow(first.id)
})

test('a renewal delivers a key from the stock, and is retried while there is no stock', async () => {
  const { tradepost, as } = store
  const productId = await subscriptionProduct(tradepost, {}, { type: 'serial' }, as)
  const variants = (await tradepost.get(`/products/${productId}/variants`, as)).json.variants
  const variant = { id: productId, variantId: variants[0].id }
  await addKeys(tradepost, variant, ['KEY-0000-0001'], as)
  const { id, current_period_end: dueAt } = await subscribe(tradepost, productId, FROM_BALANCE, as)
  await store.setBalance('ada@example.com', 5_000)
  await tradepost.events()
  await store.advanceTo(dueAt)
  expect(await store.getSubscription(id)).toMatchObject({ status: 'past_due', payments: [{}] })
  await addKeys(tradepost, variant, ['KEY-0000-0002'], as)
  await store.advance('1d')
  const after = await store.getSubscription(id)
  expect(after).toMatchObject({ status: 'active', current_period_start: dueAt })
  const { deliveries } = await store.getOrder(after.payments[1].invoice_id)
  expect(deliveries[0].keys).toEqual(['KEY-0000-0002'])
  expect(await tradepost.events()).toEqual([
    'product.restocked',
    'order.created',
    'product.out_of_stock',
    'order.completed',
  ])
  await store.cancelNow(id)
})

test('an insufficient balance is not charged, and a later retry charges it', async () => {
  const { id, current_period_end } = await createSubscription({})
  await store.setBalance('ada@example.com', 999)
  await store.advanceTo(current_period_end)
  const readBalance = () =>
    store.tradepost.db.selectFrom('customer').select('balance_cents').executeTakeFirst()
  expect(await readBalance()).toEqual({ balance_cents: 999 })
  expect((await store.getSubscription(id)).status).toBe('past_due')
  await store.setBalance('ada@example.com', 1_001)
  await store.advance('1d')
  expect((await store.getSubscription(id)).status).toBe('active')
  expect(await readBalance()).toEqual({ balance_cents: 1 })
  await store.cancelNow(id)
})

test('a coupon reduces the recurring price only if it applies to renewals, and a renewal has no coupon', async () => {
  const { tradepost, as } = store
  const firstCoupon = await coupon(tradepost, {}, as)
  const renewalCoupon = await coupon(tradepost, { applies_to_renewals: true }, as)
  const fullPriceSubscription = await createSubscription({}, {}, { coupon_code: firstCoupon.code })
  expect(fullPriceSubscription).toMatchObject({
    initial_price_cents: 900,
    recurring_price_cents: 1000,
  })
  const reducedSubscription = await createSubscription({}, {}, { coupon_code: renewalCoupon.code })
  expect(reducedSubscription).toMatchObject({
    initial_price_cents: 900,
    recurring_price_cents: 900,
    auto_renewal: { price_cents: 900, discount_percent: 10 },
  })
  await store.advanceTo(reducedSubscription.current_period_end)
  const { payments } = await store.getSubscription(reducedSubscription.id)
  const renewal = await store.getOrder(payments[1].invoice_id)
  expect(renewal).toMatchObject({ coupon: null, subtotal_cents: 1000, total_cents: 900 })
  await store.cancelNow(fullPriceSubscription.id)
  await store.cancelNow(reducedSubscription.id)
})

test('an unpaid first order that expires ends its subscription, and a late payment starts it anyway', async () => {
  const { tradepost, as } = store
  const newOrder = await order(tradepost, await subscriptionProduct(tradepost, {}, {}, as), {}, as)
  const { id } = await subscriptionOf(tradepost, newOrder, as)
  await store.advance('61m')
  expect(await store.getSubscription(id)).toMatchObject({
    status: 'expired',
    payments: [{ status: 'failed' }],
  })
  await store.pay(newOrder.id)
  const after = await store.getSubscription(id)
  expect(after).toMatchObject({
    status: 'active',
    auto_renew: true,
    payments: [{ status: 'paid' }],
  })
  await store.cancelNow(id)
})

test('a subscription of a product that is archived is still renewed', async () => {
  const { tradepost, as } = store
  const { id, product, current_period_end } = await createSubscription({})
  await expectSuccess(tradepost.patch(`/products/${product.id}`, { status: 'archived' }, as))
  await store.advanceTo(current_period_end)
  expect(await store.getSubscription(id)).toMatchObject({
    status: 'active',
    auto_renewal: { renewals_count: 1 },
  })
  await store.cancelNow(id)
})

test('a payment under review keeps the renewal open after the last retry', async () => {
  const { tradepost, as } = store
  const newSubscription = await subscribe(
    tradepost,
    await subscriptionProduct(tradepost, {}, {}, as),
    {},
    as,
  )
  await store.advanceTo(newSubscription.current_period_end)
  const { payments } = await store.getSubscription(newSubscription.id)
  const path = `/orders/${payments[1].invoice_id}/manual-payments`
  const { json } = await tradepost.post(path, { status: 'pending_review' }, as)
  await store.advance('8d')
  expect((await store.getSubscription(newSubscription.id)).status).toBe('past_due')
  await expectSuccess(tradepost.post(`${path}/${json.payment.id}/reject`, {}, as))
  expect(await store.getOrder(payments[1].invoice_id)).toMatchObject({
    status: 'pending',
    expires_at: null,
  })
  await store.advance('1d')
  expect((await store.getSubscription(newSubscription.id)).status).toBe('expired')
})

test('twelve monthly renewals of 31 January run in one call, each on its day, with at most 60 statements each', async () => {
  const clocked = await openStoreWithClock()
  const { tradepost, as } = clocked
  const year = new Date().getUTCFullYear() + 1
  await clocked.advanceTo(`${year}-01-31T10:30:00.000Z`)
  const newSubscription = await subscribe(
    tradepost,
    await subscriptionProduct(tradepost, {}, { type: 'license' }, as),
    FROM_BALANCE,
    as,
  )
  await clocked.setBalance('ada@example.com', 1_000_000)
  const statements = await tradepost.statements(() => clocked.advance('367d'))
  const { payments } = await clocked.getSubscription(newSubscription.id)
  const lastDaysOfMonths = Array.from({ length: 13 }, (_, month) =>
    new Date(Date.UTC(year, month + 1, 0)).toISOString().slice(0, 10),
  )
  expect(payments.map((item: Json) => item.paid_at.slice(0, 10))).toEqual(lastDaysOfMonths)
  expect(statements.length).toBeLessThanOrEqual(12 * 60)
  await clocked.expectNoFindings()
  await tradepost.close()
})
