import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Json } from '../../../../test/harness.ts'
import { openStoreWithClock, type StoreWithClock } from '../../../../test/store-with-clock.ts'
import { subscribe, subscriptionProduct } from '../../../../test/subscribe.ts'
import { DAY_MS, iso } from '../../../kernel/time.ts'

// Takes random steps, and checks the rules for the states of a subscription after each step.

let store: StoreWithClock
let productIds: string[]
/** The days of trial of each product. */
const TRIAL_DAYS = [0, 2]

beforeAll(async () => {
  store = await openStoreWithClock()
  const { tradepost, as } = store
  productIds = []
  for (const trial_days of TRIAL_DAYS) {
    productIds.push(
      await subscriptionProduct(tradepost, { billing_cycle: 'weekly', trial_days }, {}, as),
    )
  }
})
afterAll(async () => {
  await store.expectNoFindings()
  await store.tradepost.close()
})

const STEPS = [
  'pass a day',
  'pass a week',
  'pay the open renewal',
  'fill the balance',
  'empty the balance',
  'cancel at the end',
  'cancel now',
  'resume',
  'bill later',
  'refund the first order',
  'refund the last order',
  'cancel the open order',
] as const
type Step = (typeof STEPS)[number]

const RUNNING = ['trialing', 'active', 'past_due']

/** Makes the call of a step. Many calls are refused and change nothing. */
async function runStep(step: Step, { id, initial_invoice_id }: Json): Promise<void> {
  const { tradepost, as } = store
  const current = await store.getSubscription(id)
  const openOrderId = current.payments.find((item: Json) => item.status === 'pending')?.invoice_id
  const lastOrderId = current.payments.at(-1).invoice_id
  const dayLater = iso(Date.parse(current.next_billing_date ?? current.created_at) + DAY_MS)
  const post = (path: string, body: Json = {}) => tradepost.post(path, body, as)
  const steps: Record<Step, () => Promise<unknown>> = {
    'pass a day': () => store.advance('1d'),
    'pass a week': () => store.advance('7d'),
    'pay the open renewal': async () =>
      openOrderId && post(`/orders/${openOrderId}/manual-payments`),
    'fill the balance': () => store.setBalance(current.customer_email, 3_000),
    'empty the balance': () => store.setBalance(current.customer_email, 0),
    'cancel at the end': () => post(`/subscriptions/${id}/cancel`),
    'cancel now': () => post(`/subscriptions/${id}/cancel`, { at_period_end: false }),
    resume: () => post(`/subscriptions/${id}/resume`),
    'bill later': () =>
      tradepost.patch(`/subscriptions/${id}`, { next_billing_date: dayLater }, as),
    'refund the first order': () => post(`/orders/${initial_invoice_id}/refund`),
    'refund the last order': () => post(`/orders/${lastOrderId}/refund`),
    'cancel the open order': async () => openOrderId && post(`/orders/${openOrderId}/cancel`),
  }
  await steps[step]()
}

/** The documented next statuses of each status. A status may also stay the same. */
const NEXT_STATUSES: Record<string, readonly string[]> = {
  trialing: ['active', 'past_due', 'cancelled', 'expired'],
  active: ['past_due', 'cancelled', 'expired'],
  past_due: ['active', 'cancelled', 'expired'],
  cancelled: [],
  expired: [],
}

function checkRules(before: Json, after: Json, storeTime: string, steps: string): void {
  const expectTrue = (rule: string, isKept: boolean) =>
    expect(isKept, `${rule}, after ${steps}`).toBe(true)
  expectTrue(
    `${before.status} may become ${after.status}`,
    before.status === after.status || (NEXT_STATUSES[before.status] ?? []).includes(after.status),
  )
  const isRunning = RUNNING.includes(after.status)
  expectTrue(
    'at most one renewal is open',
    after.payments.filter(isPending).length <= (isRunning ? 1 : 0),
  )
  expectTrue(
    'a subscription has a next billing date exactly if it renews',
    (after.next_billing_date !== null) === after.auto_renew,
  )
  if (isRunning) {
    const dueAt = after.next_billing_date ?? after.current_period_end
    expectTrue('the next change is not due yet', dueAt > storeTime)
  }
  expectTrue(
    'the recurring price is fixed',
    after.recurring_price_cents === before.recurring_price_cents,
  )
  const { auto_renewal } = after
  expectTrue(
    'can_cancel is true exactly for a running subscription that renews',
    auto_renewal.can_cancel === (isRunning && after.auto_renew),
  )
  const renewals = after.payments.slice(1).filter((item: Json) => item.paid_at !== null)
  expectTrue('each paid renewal is counted', renewals.length === auto_renewal.renewals_count)
  expectTrue('no payment is lost', after.payments.length >= before.payments.length)
}

const isPending = (item: Json) => item.status === 'pending'

test('any sequence of steps moves a subscription only between allowed states', async () => {
  const { tradepost, as } = store
  let customerCount = 0
  const history = fc.record({
    productIndex: fc.nat(TRIAL_DAYS.length - 1),
    method: fc.constantFrom('manual', 'balance'),
    steps: fc.array(fc.constantFrom(...STEPS), { minLength: 4, maxLength: 12 }),
  })
  await fc.assert(
    fc.asyncProperty(history, async ({ productIndex, method, steps }) => {
      const customer = { email: `customer-${++customerCount}@example.com` }
      const orderFields = { customer, payment_method: method }
      let current = await subscribe(tradepost, productIds[productIndex] ?? '', orderFields, as)
      const takenSteps: string[] = []
      for (const step of steps) {
        await runStep(step, current)
        // Runs all jobs that are due.
        const storeTime = await store.advance('1s')
        takenSteps.push(step)
        const next = await store.getSubscription(current.id)
        checkRules(current, next, storeTime, takenSteps.join(', '))
        current = next
      }
      await store.expectNoFindings()
      if (RUNNING.includes(current.status)) await store.cancelNow(current.id)
    }),
    { numRuns: 25 },
  )
})
