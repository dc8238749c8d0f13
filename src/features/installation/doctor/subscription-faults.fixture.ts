import { type RawBuilder, sql } from 'kysely'

/** Faulty subscriptions that doctor must find. */
export const SUBSCRIPTION_FAULTS: [string, string, RawBuilder<unknown>[]][] = [
  [
    'subscription_states',
    'a live subscription of which nothing is due',
    [sql`update subscription set due_at = null`],
  ],
  [
    'subscription_states',
    'a subscription that has ended and is still due',
    [sql`update subscription set status = 'cancelled', cancelled_at = now(), auto_renew = false`],
  ],
  [
    'subscription_payments',
    'a payment that waits although its order is paid',
    [sql`update subscription_payment set status = 'pending'`],
  ],
  [
    'subscription_periods',
    'a current period that nobody paid',
    [sql`update subscription set current_period_start = current_period_start - interval '1 day'`],
  ],
]
