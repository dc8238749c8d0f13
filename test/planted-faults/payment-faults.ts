import { type RawBuilder, sql } from 'kysely'
import type { Tradepost } from '../harness.ts'
import { simulate, startedOrder } from '../provider-payments.ts'

const paid = sql`provider = 'test' and status = 'succeeded'`

/** The faults of payments through a provider, as in FAULTS. */
export const PAYMENT_FAULTS: [
  invariant: string,
  fault: string,
  statements: RawBuilder<unknown>[],
][] = [
  [
    'reported_money_counts',
    'an open payment whose provider has reported its money',
    [sql`update payment set status = 'pending', check_at = now() where ${paid}`],
  ],
  [
    'reported_money_counts',
    'an expired payment whose provider has reported its money',
    [sql`update payment set status = 'expired' where ${paid}`],
  ],
  [
    'provider_has_payments',
    'a payment that counts without an id at its provider',
    [sql`update payment set provider = 'stripe', external_id = null where ${paid}`],
  ],
  [
    'provider_has_payments',
    'a payment that counts and that the provider test does not know',
    [sql`delete from test_payment where status = 'paid'`],
  ],
  [
    'provider_has_payments',
    'a payment of another amount than at the provider test',
    [sql`update test_payment set received_cents = received_cents + 1 where status = 'paid'`],
  ],
]

/** Creates a paid payment of the provider `test`, and an open one. */
export async function createProviderPayments(tradepost: Tradepost): Promise<void> {
  const { payment } = await startedOrder(tradepost)
  await simulate(tradepost, payment, { do: 'pay' })
  await startedOrder(tradepost)
}
