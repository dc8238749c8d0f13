import { type RawBuilder, sql } from 'kysely'

/** Faulty subscriptions that doctor must find. */
export const SUBSCRIPTION_FAULTS: [
  invariant: string,
  fault: string,
  statements: RawBuilder<unknown>[],
][] = [
  [
    'subscription_states',
    'an active subscription without a due date',
    [sql`update subscription set due_at = null`],
  ],
  [
    'subscription_states',
    'an ended subscription with a due date',
    [sql`update subscription set status = 'cancelled', cancelled_at = now(), auto_renew = false`],
  ],
  [
    'subscription_payments',
    'a pending payment of a paid order',
    [sql`update subscription_payment set status = 'pending'`],
  ],
  [
    'holds_stop_renewals',
    'a subscription on hold without an order on hold',
    [sql`update subscription set on_hold = true`],
  ],
  [
    'subscription_periods',
    'a current period without a payment',
    [sql`update subscription set current_period_start = current_period_start - interval '1 day'`],
  ],
]
