import { sql } from 'kysely'
import { type Invariant, invariantOf } from '../../../db/invariant.ts'

export const affiliateInvariants: readonly Invariant[] = [
  invariantOf(
    'partner_totals',
    'The totals of a partner equal the number of conversions of each status, their commissions, and the payouts that were sent.',
    sql`
      select p.store_id, p.id
        from affiliate_partner p
        left join (select store_id, partner_id,
                          count(*) filter (where status = 'valid') as valid,
                          count(*) filter (where status = 'flagged') as flagged,
                          count(*) filter (where status = 'rejected') as rejected,
                          sum(commission_cents - adjusted_cents) as earned
                     from affiliate_conversion group by store_id, partner_id) c
          on c.store_id = p.store_id and c.partner_id = p.id
        left join (select store_id, partner_id, sum(amount_cents) as paid
                     from affiliate_payout where status = 'sent' group by store_id, partner_id) payout
          on payout.store_id = p.store_id and payout.partner_id = p.id
       where (p.valid_count, p.flagged_count, p.rejected_count, p.earned_cents, p.paid_cents)
             is distinct from
             (coalesce(c.valid, 0), coalesce(c.flagged, 0), coalesce(c.rejected, 0),
              coalesce(c.earned, 0), coalesce(payout.paid, 0))`,
  ),
  invariantOf(
    'partner_balances',
    'The balances of a partner equal the sums of the commissions and of the adjustments that are in no payout.',
    sql`
      select p.store_id, p.id
        from affiliate_partner p
        left join (select store_id, partner_id,
                          sum(commission_cents) filter (where status = 'valid') as unpaid,
                          sum(commission_cents) filter (where status = 'flagged') as flagged
                     from affiliate_conversion where state = 'pending'
                    group by store_id, partner_id) c
          on c.store_id = p.store_id and c.partner_id = p.id
        left join (select store_id, partner_id, sum(amount_cents) as cents
                     from affiliate_adjustment where payout_id is null
                    group by store_id, partner_id) a
          on a.store_id = p.store_id and a.partner_id = p.id
       where (p.unpaid_cents, p.flagged_cents, p.adjusted_cents) is distinct from
             (coalesce(c.unpaid, 0), coalesce(c.flagged, 0), coalesce(a.cents, 0))`,
  ),
  invariantOf(
    'payout_amounts',
    'The amount of an open or sent payout is the sum of its commissions and adjustments. A rejected payout has neither.',
    sql`
      select payout.store_id, payout.id
        from affiliate_payout payout
        left join (select store_id, payout_id, sum(cents) as cents
                     from (select store_id, payout_id, commission_cents as cents
                             from affiliate_conversion where payout_id is not null
                            union all
                           select store_id, payout_id, amount_cents
                             from affiliate_adjustment where payout_id is not null) parts
                    group by store_id, payout_id) sums
          on sums.store_id = payout.store_id and sums.payout_id = payout.id
       where sums.cents is distinct from
             case when payout.status in ('requested', 'sent') then payout.amount_cents end`,
  ),
  invariantOf(
    'commission_states',
    'The state of a commission in a payout matches the status of the payout. A commission in no payout is above 0 if it is pending, and 0 otherwise. None is above its base.',
    sql`
      select c.store_id, c.id
        from affiliate_conversion c
        left join affiliate_payout payout on payout.store_id = c.store_id and payout.id = c.payout_id
       where (case c.state
              when 'requested' then payout.status = 'requested'
              when 'paid' then payout.status = 'sent'
              when 'pending' then c.commission_cents > 0 and c.available_at is not null
              else c.commission_cents = 0
              end) is not true
          or c.commission_cents > c.base_cents`,
  ),
  invariantOf(
    'commission_adjustments',
    'The amount that refunds subtracted from a commission in a payout is the sum of its adjustments, which belong to its partner.',
    sql`
      select c.store_id, c.id
        from affiliate_conversion c
        left join (select store_id, order_id, sum(amount_cents) as cents
                     from affiliate_adjustment group by store_id, order_id) a
          on a.store_id = c.store_id and a.order_id = c.order_id
       where c.adjusted_cents <> -coalesce(a.cents, 0)
       union all
      select a.store_id, a.id
        from affiliate_adjustment a
       where not exists (select from affiliate_conversion c
                          where c.store_id = a.store_id and c.order_id = a.order_id
                            and c.partner_id = a.partner_id)`,
  ),
  invariantOf(
    'conversions_have_orders',
    'A conversion belongs to a paid order that names its partner. Its commission is recorded when the order is completed.',
    sql`
      select c.store_id, c.id
        from affiliate_conversion c
        join "order" o on o.store_id = c.store_id and o.id = c.order_id
       where (o.affiliate ->> 'partner_id' = c.partner_id and o.paid_at is not null
              and (c.available_at is null) = (o.completed_at is null)) is not true`,
  ),
]
