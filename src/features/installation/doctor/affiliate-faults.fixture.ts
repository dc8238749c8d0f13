import { type RawBuilder, sql } from 'kysely'
import { openProgram, partner, requested, sale } from '../../../../test/affiliates.ts'
import type { Tradepost } from '../../../../test/harness.ts'

/** Leaves a commission that was paid and lowered, one in an open payout, and one that is held. */
export async function earnOnce(tradepost: Tradepost): Promise<void> {
  await openProgram(tradepost, { hold_days: 0 })
  const { id, code } = await partner(tradepost)
  const paid = await sale(tradepost, code)
  const payout = await requested(tradepost, id)
  await tradepost.post(`/affiliates/payouts/${payout.id}/send`)
  await tradepost.post(`/orders/${paid.id}/refund`, { amount_cents: 100 })
  await sale(tradepost, code)
  await requested(tradepost, id)
  await openProgram(tradepost, { hold_days: 30 })
  await sale(tradepost, code)
}

/** Faulty records of the affiliate programme that doctor must find. */
export const AFFILIATE_FAULTS: [string, string, RawBuilder<unknown>[]][] = [
  [
    'partner_totals',
    'a partner with a conversion too many',
    [sql`update affiliate_partner set valid_count = valid_count + 1`],
  ],
  [
    'partner_totals',
    'a partner who earned a cent too many',
    [sql`update affiliate_partner set earned_cents = earned_cents + 1`],
  ],
  [
    'partner_totals',
    'a partner who was paid a cent too many',
    [sql`update affiliate_partner set paid_cents = paid_cents + 1`],
  ],
  [
    'partner_balances',
    'a partner whose unpaid commissions are a cent too many',
    [sql`update affiliate_partner set unpaid_cents = unpaid_cents + 1`],
  ],
  [
    'partner_balances',
    'a partner whose flagged commissions are a cent too many',
    [sql`update affiliate_partner set flagged_cents = flagged_cents + 1`],
  ],
  [
    'partner_balances',
    'a partner whose adjustments are a cent too many',
    [sql`update affiliate_partner set adjusted_cents = adjusted_cents - 1`],
  ],
  [
    'payout_amounts',
    'an open payout that pays a cent too many',
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
    'a commission that is held and has no date',
    [sql`update affiliate_conversion set available_at = null where state = 'pending'`],
  ],
  [
    'commission_adjustments',
    'a paid commission whose adjustment is lost',
    [sql`delete from affiliate_adjustment`],
  ],
  [
    'conversions_have_orders',
    'a conversion whose order names no partner',
    [sql`update "order" set affiliate = null`],
  ],
]
