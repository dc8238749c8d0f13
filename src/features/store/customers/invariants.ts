import { sql } from 'kysely'
import { type Invariant, invariantOf } from '../../../db/invariant.ts'
import * as q from './queries/index.ts'

export const customerInvariants: readonly Invariant[] = [
  invariantOf(
    'customer_totals',
    'The totals of a customer equal the number of their paid orders and the payments for them less refunds.',
    sql`
      select c.store_id, c.id
        from customer c
        left join (select store_id, customer_id, count(*) as orders,
                          sum(paid_cents - refunded_cents) as spent,
                          min(paid_at) as first_at, max(paid_at) as last_at
                     from "order" where paid_at is not null
                    group by store_id, customer_id) o
          on o.store_id = c.store_id and o.customer_id = c.id
       where (c.orders_count, c.total_spent_cents, c.first_order_at, c.last_order_at)
             is distinct from
             (coalesce(o.orders, 0), coalesce(o.spent, 0), o.first_at, o.last_at)`,
  ),
  invariantOf(
    'balances',
    'A balance is the sum of its entries, and each entry has the balance after it.',
    sql`
      select c.store_id, c.id
        from customer c
       where c.balance_cents <> (select coalesce(sum(e.amount_cents), 0) from balance_entry e
                                  where e.store_id = c.store_id and e.customer_id = c.id)
       union all
      select store_id, id
        from (select store_id, id, balance_cents,
                     sum(amount_cents) over (partition by store_id, customer_id order by id) as total
                from balance_entry) e
       where balance_cents <> total`,
  ),
  invariantOf(
    'balance_payments',
    'The amount paid for an order from a balance equals the amount that was debited for it.',
    sql`
      select o.store_id, o.id
        from "order" o
        join (select store_id, order_id, sum(cents) as cents
                from (select store_id, order_id, amount_cents as cents
                        from payment where kind = 'balance' and status = 'succeeded'
                       union all
                      select store_id, order_id, amount_cents
                        from balance_entry where order_id is not null and amount_cents < 0) p
               group by store_id, order_id) p
          on p.store_id = o.store_id and p.order_id = o.id
       where p.cents <> 0`,
  ),
  invariantOf(
    'returned_credit',
    'Store credit that an order gave back when it ended was given back once, and is a refund by the system.',
    sql`
      select e.store_id, e.order_id
        from balance_entry e
       where e.order_id is not null and e.reason = 'order_ended'
       group by e.store_id, e.order_id
      having count(*) > 1
          or not exists (select from refund r
                          where r.store_id = e.store_id and r.order_id = e.order_id
                            and r.amount_cents = min(e.amount_cents) and r.reason = 'other'
                            and r.actor ->> 'type' = 'system')`,
  ),
  invariantOf(
    'customers_are_found',
    'The search index of a customer contains their email and name.',
    sql`
      select c.store_id, c.id
        from customer c
        left join customer_search s on s.store_id = c.store_id and s.customer_id = c.id
       where s.runs is distinct from
             runs(c.store_id, ${q.CUSTOMER_TEXT})`,
  ),
  invariantOf(
    'blocked_customers',
    'A customer with an address in ASCII is blocked if and only if the address is on the blocklist.',
    sql`
      select c.store_id, c.id
        from customer c
       where c.email ~ '^[ -~]*$'
         and (c.blocked_at is not null)
             <> exists (select from blocklist_entry b
                         where b.store_id = c.store_id and b.value = c.email)`,
  ),
]
