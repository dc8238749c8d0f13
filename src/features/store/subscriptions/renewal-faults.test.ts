import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'
import {
  setBalance,
  subscribe,
  subscription,
  subscriptionProduct,
} from '../../../../test/subscribe.ts'
import { DAY_MS, HOUR_MS } from '../../../kernel/time.ts'
import { INVARIANTS } from '../../../process/invariants.ts'
import { renewSubscriptionsJob } from './renew-subscriptions.job.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

/** More statements than a renewal runs. The test ends once the failing statement is beyond the last one. */
const STATEMENTS_MAX = 100

test('a renewal that fails at any statement is repeated, and the subscription and its license are renewed once', async () => {
  const productId = await subscriptionProduct(
    tradepost,
    { billing_cycle: 'daily' },
    { type: 'license' },
  )
  for (let statementNumber = 1; statementNumber < STATEMENTS_MAX; statementNumber++) {
    const dueSubscription = await createDueSubscription(productId, statementNumber)
    tradepost.failStatement(statementNumber)
    await renewSubscriptionsJob.run(tradepost.app).catch(() => {})
    const isLast = tradepost.failStatement(0)
    await expectInvariants(statementNumber)
    // A failure postpones the renewal.
    tradepost.forward(HOUR_MS)
    await renewSubscriptionsJob.run(tradepost.app)
    await expectInvariants(statementNumber)
    const after = await subscription(tradepost, dueSubscription.id)
    expect([statementNumber, after.status, after.payments.length]).toEqual([
      statementNumber,
      'active',
      2,
    ])
    const { balance_cents, expires_at } = await readBalanceAndLicense(dueSubscription)
    expect([statementNumber, balance_cents, expires_at]).toEqual([
      statementNumber,
      500,
      after.current_period_end,
    ])
    if (isLast) {
      expect(statementNumber).toBeGreaterThan(20)
      return
    }
    await expectSuccess(
      tradepost.post(`/subscriptions/${dueSubscription.id}/cancel`, { at_period_end: false }),
    )
  }
  expect.unreachable('A statement failed each time.')
})

/** Creates a due subscription with a new customer. */
async function createDueSubscription(productId: string, statementNumber: number): Promise<Json> {
  const customer = { email: `n${statementNumber}@example.com` }
  const newSubscription = await subscribe(tradepost, productId, {
    payment_method: 'balance',
    customer,
  })
  await setBalance(tradepost, customer.email, 1_500)
  tradepost.forward(DAY_MS)
  return newSubscription
}

async function readBalanceAndLicense({ id, customer_email }: Json) {
  const { balance_cents } = await tradepost.db
    .selectFrom('customer')
    .select('balance_cents')
    .where('email', '=', customer_email)
    .executeTakeFirstOrThrow()
  const { expires_at } = await tradepost.db
    .selectFrom('license_key')
    .select('expires_at')
    .where('subscription_id', '=', id)
    .executeTakeFirstOrThrow()
  return { balance_cents, expires_at }
}

async function expectInvariants(statementNumber: number): Promise<void> {
  for (const { check, count } of INVARIANTS) {
    expect([statementNumber, check, await count(tradepost.db)]).toEqual([statementNumber, check, 0])
  }
}
