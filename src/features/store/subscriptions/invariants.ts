import { sql } from 'kysely'
import { breaking, type Invariant } from '../../../db/invariant.ts'

export const subscriptionInvariants: readonly Invariant[] = [
  breaking(
    'subscription_states',
    'A subscription that is live has a period and a due date, and one that has ended has nothing due.',
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
  breaking(
    'subscription_payments',
    'A payment of a subscription says what became of its order, and only the open renewal is pending.',
    sql`
      select y.store_id, y.id
        from subscription_payment y
        join subscription s on s.store_id = y.store_id and s.id = y.subscription_id
        join "order" o on o.store_id = y.store_id and o.id = y.order_id
       where y.status <> case when o.status in ('paid', 'completed') then 'paid'
                              when o.status = 'refunded' then 'refunded'
                              when o.status in ('expired', 'cancelled') then 'failed'
                              else 'pending' end
          or (y.status in ('paid', 'refunded')) <> (y.paid_at is not null)
          or o.recurring is distinct from
             case when o.id = s.initial_invoice_id then 'first' else 'renewal' end
          or o.recurring = 'renewal'
             and (y.status = 'pending') <> (s.open_invoice_id is not distinct from o.id)`,
  ),
  breaking(
    'subscription_periods',
    'No period of a subscription is paid twice, and the current one is paid.',
    sql`
      select y.store_id, y.subscription_id
        from (select store_id, subscription_id, period_start,
                     lag(period_end) over (partition by store_id, subscription_id
                                               order by period_start) as before
                from subscription_payment
               where status in ('paid', 'refunded') and period_start is not null) y
       where y.period_start < y.before
       union all
      select s.store_id, s.id
        from subscription s
       where s.started_at is not null
         and not exists (select from subscription_payment y
                          where y.store_id = s.store_id and y.subscription_id = s.id
                            and y.status in ('paid', 'refunded')
                            and y.period_start = s.current_period_start)`,
  ),
]
