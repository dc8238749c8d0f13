import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addKeys, coupon, order } from '../../../../test/build.ts'
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

const RICH = { payment_method: 'balance' }
const bought = async (billing: Json, fields: Json = {}, sent: Json = {}) => {
  const { tradepost, as } = store
  const planId = await plan(tradepost, billing, fields, as)
  const made = await subscribe(tradepost, planId, { ...RICH, ...sent }, as)
  await store.balance('ada@example.com', 1_000_000)
  await tradepost.events()
  return made
}
const licenses = () =>
  store.tradepost.db
    .selectFrom('license_key')
    .select(['order_id', 'subscription_id', 'expires_at'])
    .orderBy('id')
    .execute()

test('a trial begins with the first payment, and its end is billed at the recurring price', async () => {
  const { id, ...trial } = await bought({ trial_days: 14, recurring_price_cents: 999 })
  expect(trial).toMatchObject({
    status: 'trialing',
    trial_days: 14,
    trial_ends_at: trial.current_period_end,
    next_billing_date: trial.current_period_end,
    initial_price_cents: 1000,
    auto_renewal: { status: 'active', period_days: 14 },
  })
  await store.advanceTo(trial.trial_ends_at)
  const active = await store.see(id)
  expect(active).toMatchObject({
    status: 'active',
    trial_ends_at: trial.trial_ends_at,
    current_period_start: trial.trial_ends_at,
    payments: [{ period_end: trial.trial_ends_at }, { amount_cents: 999, status: 'paid' }],
  })
  await store.stop(id)
})

test('a free first order starts the trial at once', async () => {
  const { tradepost, as } = store
  const terms = { trial_days: 7, recurring_price_cents: 500 }
  const planId = await plan(tradepost, terms, { price_cents: 0, variants: undefined }, as)
  await tradepost.patch(`/products/${planId}`, { price_cents: 0 }, as)
  const made = await order(tradepost, planId, {}, as)
  const trial = await subscriptionOf(tradepost, made, as)
  expect(trial).toMatchObject({ status: 'trialing', auto_renewal: { provider: 'manual' } })
  await store.stop(trial.id)
})

test('a renewal extends the license key of the first order, and makes no other', async () => {
  const first = await bought({}, { type: 'license' })
  const [key, ...none] = await licenses()
  expect(none).toEqual([])
  expect(key).toEqual({
    order_id: first.initial_invoice_id,
    subscription_id: first.id,
    expires_at: first.current_period_end,
  })
  await store.advanceTo(first.current_period_end)
  const renewed = await store.see(first.id)
  expect(renewed.payments[1]).toMatchObject({ status: 'paid', invoice_status: 'completed' })
  expect(await licenses()).toEqual([{ ...key, expires_at: renewed.current_period_end }])
  expect(await store.tradepost.events()).toEqual(['order.created', 'order.completed'])
  await store.stop(first.id)
})

test('a renewal takes a key of its own from the stock; without one it is retried, and delivered later', async () => {
  const { tradepost, as } = store
  const planId = await plan(tradepost, {}, { type: 'serial' }, as)
  const variants = (await tradepost.get(`/products/${planId}/variants`, as)).json.variants
  const stocked = { id: planId, variantId: variants[0].id }
  await addKeys(tradepost, stocked, ['KEY-0000-0001'], as)
  const { id, current_period_end: due } = await subscribe(tradepost, planId, RICH, as)
  await store.balance('ada@example.com', 5_000)
  await tradepost.events()
  await store.advanceTo(due)
  expect(await store.see(id)).toMatchObject({ status: 'past_due', payments: [{}] })
  await addKeys(tradepost, stocked, ['KEY-0000-0002'], as)
  await store.advance('1d')
  const renewed = await store.see(id)
  expect(renewed).toMatchObject({ status: 'active', current_period_start: due })
  const { deliveries } = await store.order(renewed.payments[1].invoice_id)
  expect(deliveries[0].keys).toEqual(['KEY-0000-0002'])
  expect(await tradepost.events()).toEqual([
    'product.restocked',
    'order.created',
    'product.out_of_stock',
    'order.completed',
  ])
  await store.stop(id)
})

test('a balance that does not suffice is not touched, and taken by a later retry', async () => {
  const { id, current_period_end } = await bought({})
  await store.balance('ada@example.com', 999)
  await store.advanceTo(current_period_end)
  const cents = () =>
    store.tradepost.db.selectFrom('customer').select('balance_cents').executeTakeFirst()
  expect(await cents()).toEqual({ balance_cents: 999 })
  expect((await store.see(id)).status).toBe('past_due')
  await store.balance('ada@example.com', 1_001)
  await store.advance('1d')
  expect((await store.see(id)).status).toBe('active')
  expect(await cents()).toEqual({ balance_cents: 1 })
  await store.stop(id)
})

test('a renewal has no coupon; one that applies to renewals has lowered the recurring price', async () => {
  const { tradepost, as } = store
  const { code } = await coupon(tradepost, {}, as)
  const kept = await coupon(tradepost, { applies_to_renewals: true }, as)
  const once = await bought({}, {}, { coupon_code: code })
  expect(once).toMatchObject({ initial_price_cents: 900, recurring_price_cents: 1000 })
  const always = await bought({}, {}, { coupon_code: kept.code })
  expect(always).toMatchObject({
    initial_price_cents: 900,
    recurring_price_cents: 900,
    auto_renewal: { price_cents: 900, discount_percent: 10 },
  })
  await store.advanceTo(always.current_period_end)
  const { payments } = await store.see(always.id)
  const renewal = await store.order(payments[1].invoice_id)
  expect(renewal).toMatchObject({ coupon: null, subtotal_cents: 1000, total_cents: 900 })
  await store.stop(once.id)
  await store.stop(always.id)
})

test('an unpaid first order that expires ends its subscription, and a late payment starts it anyway', async () => {
  const { tradepost, as } = store
  const made = await order(tradepost, await plan(tradepost, {}, {}, as), {}, as)
  const { id } = await subscriptionOf(tradepost, made, as)
  await store.advance('61m')
  expect(await store.see(id)).toMatchObject({ status: 'expired', payments: [{ status: 'failed' }] })
  await store.pay(made.id)
  const late = await store.see(id)
  expect(late).toMatchObject({ status: 'active', auto_renew: true, payments: [{ status: 'paid' }] })
  await store.stop(id)
})

test.each(['archived', 'deleted'])('a product that is %s is still renewed', async (how) => {
  const { tradepost, as } = store
  const { id, product, current_period_end } = await bought({})
  const path = `/products/${product.id}`
  if (how === 'deleted') await tradepost.delete(path, as)
  else await tradepost.patch(path, { status: 'archived' }, as)
  await store.advanceTo(current_period_end)
  expect(await store.see(id)).toMatchObject({
    status: 'active',
    auto_renewal: { renewals_count: 1 },
  })
  await store.stop(id)
})

test('a payment under review keeps the renewal open after the last retry', async () => {
  const { tradepost, as } = store
  const made = await subscribe(tradepost, await plan(tradepost, {}, {}, as), {}, as)
  await store.advanceTo(made.current_period_end)
  const { payments } = await store.see(made.id)
  const path = `/orders/${payments[1].invoice_id}/manual-payments`
  const { json } = await tradepost.post(path, { status: 'pending_review' }, as)
  await store.advance('8d')
  expect((await store.see(made.id)).status).toBe('past_due')
  await tradepost.post(`${path}/${json.payment.id}/reject`, {}, as)
  expect(await store.order(payments[1].invoice_id)).toMatchObject({
    status: 'pending',
    expires_at: null,
  })
  await store.advance('1d')
  expect((await store.see(made.id)).status).toBe('expired')
})

test('twelve monthly renewals of 31 January run in one call, each on its day, for 60 statements each at most', async () => {
  const other = await openClocked()
  const { tradepost, as } = other
  await other.advanceTo('2027-01-31T10:30:00.000Z')
  const made = await subscribe(
    tradepost,
    await plan(tradepost, {}, { type: 'license' }, as),
    RICH,
    as,
  )
  await other.balance('ada@example.com', 1_000_000)
  const statements = await tradepost.statements(() => other.advance('366d'))
  const { payments } = await other.see(made.id)
  expect(payments.map((item: Json) => item.paid_at.slice(0, 10))).toEqual([
    '2027-01-31',
    '2027-02-28',
    '2027-03-31',
    '2027-04-30',
    '2027-05-31',
    '2027-06-30',
    '2027-07-31',
    '2027-08-31',
    '2027-09-30',
    '2027-10-31',
    '2027-11-30',
    '2027-12-31',
    '2028-01-31',
  ])
  expect(statements.length).toBeLessThanOrEqual(12 * 60)
  await other.isSound()
  await tradepost.close()
})
