import { sql } from 'kysely'
import { type Invariant, invariantOf } from '../../../db/invariant.ts'

export const subscriptionInvariants: readonly Invariant[] = [
  invariantOf(
    'holds_stop_renewals',
    'A subscription is on hold if and only if one of its orders is.',
    sql`
      select s.store_id, s.id
        from subscription s
       where s.on_hold <> exists (
               select from subscription_payment p
                 join "order" o on o.store_id = p.store_id and o.id = p.order_id
                where p.store_id = s.store_id and p.subscription_id = s.id and o.hold is not null)`,
  ),
  invariantOf(
    'subscription_states',
    'A trialing, active or past due subscription has a period and a due date. A subscription that has ended has no due date.',
    sql`
      select s.store_id, s.id
        from subscription s
       where (case
               when s.status = 'pending'
               then s.started_at is null and s.due_at is null and s.open_invoice_id is null
               when s.status in ('trialing', 'active')
               then s.open_invoice_id is null and s.retries = 0 and s.due_at = s.current_period_end
                    and s.auto_renew = (s.cancelled_at is null)
               when s.status = 'past_due'
               then s.auto_renew and s.billed_at is not null and s.due_at > s.current_period_end
               else not s.auto_renew and (s.due_at is null or s.open_invoice_id is not null)
             end) is not true
          or (s.status = 'cancelled') and s.cancelled_at is null
          or (s.started_at is null) <> (s.current_period_end is null)
          or (s.status in ('trialing', 'active', 'past_due')) and s.started_at is null`,
  ),
  invariantOf(
    'subscription_payments',
    'The status of a subscription payment matches the status of its order, and only the open renewal is pending.',
    sql`
      select payment.store_id, payment.id
        from subscription_payment payment
        join subscription s on s.store_id = payment.store_id and s.id = payment.subscription_id
        join "order" o on o.store_id = payment.store_id and o.id = payment.order_id
       where payment.status <> case when o.status in ('paid', 'completed') then 'paid'
                              when o.status = 'refunded' then 'refunded'
                              when o.status in ('expired', 'cancelled') then 'failed'
                              else 'pending' end
          or (payment.status in ('paid', 'refunded')) <> (payment.paid_at is not null)
          or o.recurring is distinct from
             case when o.id = s.initial_invoice_id then 'first' else 'renewal' end
          or o.recurring = 'renewal'
             and (payment.status = 'pending') <> (s.open_invoice_id is not distinct from o.id)`,
  ),
  invariantOf(
    'subscription_periods',
    'No period of a subscription is paid twice, and the current period is paid.',
    sql`
      select payment.store_id, payment.subscription_id
        from (select store_id, subscription_id, period_start,
                     lag(period_end) over (partition by store_id, subscription_id
                                               order by period_start, period_end) as previous_end
                from subscription_payment
               where status in ('paid', 'refunded') and period_start is not null) payment
       where payment.period_start < payment.previous_end
       union all
      select s.store_id, s.id
        from subscription s
       where s.started_at is not null
         and not exists (select from subscription_payment payment
                          where payment.store_id = s.store_id and payment.subscription_id = s.id
                            and payment.status in ('paid', 'refunded')
                            and payment.period_start = s.current_period_start)`,
  ),
]
