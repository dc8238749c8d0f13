import { type RawBuilder, sql } from 'kysely'
import { openProgram, partner, requestPayout, sale } from '../affiliates.ts'
import type { Tradepost } from '../harness.ts'

/** Creates a commission that was paid and then lowered, one in an open payout, and one in its hold period. */
export async function earnCommissions(tradepost: Tradepost): Promise<void> {
  await openProgram(tradepost, { hold_days: 0 })
  const { id, code } = await partner(tradepost)
  const paid = await sale(tradepost, code)
  const payout = await requestPayout(tradepost, id)
  await tradepost.post(`/affiliates/payouts/${payout.id}/send`)
  await tradepost.post(`/orders/${paid.id}/refund`, { amount_cents: 100 })
  await sale(tradepost, code)
  await requestPayout(tradepost, id)
  await openProgram(tradepost, { hold_days: 30 })
  await sale(tradepost, code)
}

/** Faulty records of the affiliate programme that doctor must find. */
export const AFFILIATE_FAULTS: [
  invariant: string,
  fault: string,
  statements: RawBuilder<unknown>[],
][] = [
  [
    'partner_totals',
    'a partner whose number of conversions is one too high',
    [sql`update affiliate_partner set valid_count = valid_count + 1`],
  ],
  [
    'partner_totals',
    'a partner whose earnings are a cent too high',
    [sql`update affiliate_partner set earned_cents = earned_cents + 1`],
  ],
  [
    'partner_totals',
    'a partner whose payouts are a cent too high',
    [sql`update affiliate_partner set paid_cents = paid_cents + 1`],
  ],
  [
    'partner_balances',
    'a partner whose unpaid commissions are a cent too high',
    [sql`update affiliate_partner set unpaid_cents = unpaid_cents + 1`],
  ],
  [
    'partner_balances',
    'a partner whose flagged commissions are a cent too high',
    [sql`update affiliate_partner set flagged_cents = flagged_cents + 1`],
  ],
  [
    'partner_balances',
    'a partner whose adjustments are a cent too low',
    [sql`update affiliate_partner set adjusted_cents = adjusted_cents - 1`],
  ],
  [
    'payout_amounts',
    'an open payout that is a cent too high',
    [sql`update affiliate_payout set amount_cents = amount_cents + 1 where status = 'requested'`],
  ],
  [
    'payout_amounts',
    'a rejected payout that still has commissions',
    [sql`update affiliate_payout set status = 'rejected' where status = 'requested'`],
  ],
  [
    'commission_states',
    'a paid commission whose payout is open',
    [sql`update affiliate_conversion set state = 'paid' where state = 'requested'`],
  ],
  [
    'commission_states',
    'a commission in its hold period without the date of its end',
    [sql`update affiliate_conversion set available_at = null where state = 'pending'`],
  ],
  [
    'commission_adjustments',
    'a paid commission whose adjustment is missing',
    [sql`delete from affiliate_adjustment`],
  ],
  [
    'conversions_have_orders',
    'a conversion whose order names no partner',
    [sql`update "order" set affiliate = null`],
  ],
]
