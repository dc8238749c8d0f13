import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Clocked, openClocked } from '../../../../test/clocked.ts'
import type { Json } from '../../../../test/harness.ts'
import { plan, subscribe } from '../../../../test/subscribe.ts'

/** Random steps in the life of a subscription, with the rules that hold after each step. */

let store: Clocked
let plans: string[]
const TRIALS = [0, 2]

beforeAll(async () => {
  store = await openClocked()
  const { tradepost, as } = store
  plans = []
  for (const trial_days of TRIALS) {
    plans.push(await plan(tradepost, { billing_cycle: 'weekly', trial_days }, {}, as))
  }
})
afterAll(async () => {
  await store.isSound()
  await store.tradepost.close()
})

const DAYS = 86_400_000
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

const LIVE = ['trialing', 'active', 'past_due']

async function take(step: Step, { id, initial_invoice_id }: Json): Promise<void> {
  const { tradepost, as } = store
  const now = await store.see(id)
  const open = now.payments.find((item: Json) => item.status === 'pending')?.invoice_id
  const last = now.payments.at(-1).invoice_id
  const later = new Date(Date.parse(now.next_billing_date ?? now.created_at) + DAYS).toISOString()
  const post = (path: string, body: Json = {}) => tradepost.post(path, body, as)
  const steps: Record<Step, () => Promise<unknown>> = {
    'pass a day': () => store.advance('1d'),
    'pass a week': () => store.advance('7d'),
    'pay the open renewal': async () => open && post(`/orders/${open}/manual-payments`),
    'fill the balance': () => store.balance(now.customer_email, 3_000),
    'empty the balance': () => store.balance(now.customer_email, 0),
    'cancel at the end': () => post(`/subscriptions/${id}/cancel`),
    'cancel now': () => post(`/subscriptions/${id}/cancel`, { at_period_end: false }),
    resume: () => post(`/subscriptions/${id}/resume`),
    'bill later': () => tradepost.patch(`/subscriptions/${id}`, { next_billing_date: later }, as),
    'refund the first order': () => post(`/orders/${initial_invoice_id}/refund`),
    'refund the last order': () => post(`/orders/${last}/refund`),
    'cancel the open order': async () => open && post(`/orders/${open}/cancel`),
  }
  await steps[step]()
}

/** The documented changes of the status. A status may always stay as it is. */
const MOVES: Record<string, readonly string[]> = {
  trialing: ['active', 'past_due', 'cancelled', 'expired'],
  active: ['past_due', 'cancelled', 'expired'],
  past_due: ['active', 'cancelled', 'expired'],
  cancelled: [],
  expired: [],
}

function check(before: Json, after: Json, shows: string, way: string): void {
  const expectTrue = (claim: string, holds: boolean) =>
    expect(holds, `${claim} after ${way}`).toBe(true)
  expectTrue(
    `${before.status} became ${after.status}`,
    before.status === after.status || (MOVES[before.status] ?? []).includes(after.status),
  )
  const isLive = LIVE.includes(after.status)
  expectTrue(
    'one renewal is open at most',
    after.payments.filter(isPending).length <= (isLive ? 1 : 0),
  )
  expectTrue(
    'only what renews has a next date',
    (after.next_billing_date !== null) === after.auto_renew,
  )
  if (isLive) {
    const due = after.next_billing_date ?? after.current_period_end
    expectTrue('nothing that is due was left', due > shows)
  }
  expectTrue(
    'the recurring price is fixed',
    after.recurring_price_cents === before.recurring_price_cents,
  )
  const { auto_renewal } = after
  expectTrue('can_cancel says the status', auto_renewal.can_cancel === (isLive && after.auto_renew))
  const renewals = after.payments.slice(1).filter((item: Json) => item.paid_at !== null)
  expectTrue('each paid renewal is counted', renewals.length === auto_renewal.renewals_count)
  expectTrue('no payment is lost', after.payments.length >= before.payments.length)
}

const isPending = (item: Json) => item.status === 'pending'

test('over a life of random steps a subscription makes only moves that it may make', async () => {
  const { tradepost, as } = store
  let lives = 0
  const life = fc.record({
    trial: fc.nat(TRIALS.length - 1),
    method: fc.constantFrom('manual', 'balance'),
    steps: fc.array(fc.constantFrom(...STEPS), { minLength: 4, maxLength: 12 }),
  })
  await fc.assert(
    fc.asyncProperty(life, async ({ trial, method, steps }) => {
      const customer = { email: `life-${++lives}@example.com` }
      const sent = { customer, payment_method: method }
      let now = await subscribe(tradepost, plans[trial] ?? '', sent, as)
      const way: string[] = []
      for (const step of steps) {
        await take(step, now)
        // Runs everything that is due.
        const shows = await store.advance('1s')
        way.push(step)
        const next = await store.see(now.id)
        check(now, next, shows, way.join(', '))
        now = next
      }
      await store.isSound()
      if (LIVE.includes(now.status)) await store.stop(now.id)
    }),
    { numRuns: 25 },
  )
})
