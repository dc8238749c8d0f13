import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { plan, setBalance, subscribe, subscription } from '../../../../test/subscribe.ts'
import { DAY_MS, HOUR_MS } from '../../../kernel/time.ts'
import { INVARIANTS } from '../../../process/invariants.ts'
import { renewSubscriptionsJob } from './index.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

/** More than a renewal takes; the test ends when no statement is left to fail. */
const STATEMENTS_MAX = 100

test('whichever statement of a renewal fails, it is done later: once, and with its license', async () => {
  const planId = await plan(tradepost, { billing_cycle: 'daily' }, { type: 'license' })
  for (let n = 1; n < STATEMENTS_MAX; n++) {
    const before = await due(planId)
    tradepost.failStatement(n)
    await renewSubscriptionsJob.run(tradepost.app).catch(() => {})
    const isLast = tradepost.failStatement(0)
    await isSound(n)
    // A failure puts the renewal off.
    tradepost.forward(HOUR_MS)
    await renewSubscriptionsJob.run(tradepost.app)
    await isSound(n)
    const after = await subscription(tradepost, before.id)
    expect([n, after.status, after.payments.length]).toEqual([n, 'active', 2])
    const { rest_cents, expires_at } = await held(before)
    expect([n, rest_cents, expires_at]).toEqual([n, 500, after.current_period_end])
    if (isLast) {
      expect(n).toBeGreaterThan(20)
      return
    }
    await tradepost.post(`/subscriptions/${before.id}/cancel`, { at_period_end: false })
  }
  expect.unreachable('A statement failed each time.')
})

/** A subscription of a customer of its own, that is due now. */
async function due(planId: string): Promise<Json> {
  const customer = { email: `n${Math.random()}@example.com` }
  const made = await subscribe(tradepost, planId, { payment_method: 'balance', customer })
  await setBalance(tradepost, customer.email, 1_500)
  tradepost.forward(DAY_MS)
  return made
}

async function held({ id, customer_email }: Json) {
  const { balance_cents: rest_cents } = await tradepost.db
    .selectFrom('customer')
    .select('balance_cents')
    .where('email', '=', customer_email)
    .executeTakeFirstOrThrow()
  const { expires_at } = await tradepost.db
    .selectFrom('license_key')
    .select('expires_at')
    .where('subscription_id', '=', id)
    .executeTakeFirstOrThrow()
  return { rest_cents, expires_at }
}

async function isSound(n: number): Promise<void> {
  for (const { check, count } of INVARIANTS) {
    expect([n, check, await count(tradepost.db)]).toEqual([n, check, 0])
  }
}
