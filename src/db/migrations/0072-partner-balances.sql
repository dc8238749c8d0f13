-- Unpaid amounts of a partner: valid commissions in no payout, flagged commissions, and open adjustments. They are
-- updated with each commission, so that a reader sums only the commissions in their hold period (decision 308).
alter table affiliate_partner
  add column unpaid_cents   bigint not null default 0 check (unpaid_cents >= 0),
  add column flagged_cents  bigint not null default 0 check (flagged_cents >= 0),
  add column adjusted_cents bigint not null default 0 check (adjusted_cents <= 0);

update affiliate_partner p
   set unpaid_cents = c.unpaid, flagged_cents = c.flagged
  from (select store_id, partner_id,
               coalesce(sum(commission_cents) filter (where status = 'valid'), 0) as unpaid,
               coalesce(sum(commission_cents) filter (where status = 'flagged'), 0) as flagged
          from affiliate_conversion
         where state = 'pending'
         group by store_id, partner_id) c
 where p.store_id = c.store_id and p.id = c.partner_id;

update affiliate_partner p
   set adjusted_cents = a.cents
  from (select store_id, partner_id, sum(amount_cents) as cents
          from affiliate_adjustment
         where payout_id is null
         group by store_id, partner_id) a
 where p.store_id = a.store_id and p.id = a.partner_id;
