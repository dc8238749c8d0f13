import { type RawBuilder, sql } from 'kysely'
import { breaking, type Invariant } from '../../../db/invariant.ts'

/** An event is missing or repeated: there is one for each cause, until it is deleted by age, and none without. */
const notOnce = (type: string, happened: RawBuilder<unknown>, at: RawBuilder<unknown>) => sql`
  (count(*) filter (where e.type = ${type}) > (${happened})::int
   or ${happened} and ${at} >= s.kept and count(*) filter (where e.type = ${type}) = 0)`

/** An order that was refunded may have been completed before, or not. */
const COMPLETED = sql`
  (o.status = 'completed' or (o.status = 'refunded' and o.completed_at is not null))`

export const orderInvariants: readonly Invariant[] = [
  breaking(
    'delivered_keys',
    'A completed order has exactly as many delivered keys as serial units were bought, or a text for them.',
    sql`
      select i.store_id, i.id
        from "order" o
        join order_item i on i.store_id = o.store_id and i.order_id = o.id and i.delivery_type = 'serial'
        left join delivery d on d.store_id = i.store_id and d.order_item_id = i.id and d.status = 'delivered'
        left join delivery_key k on k.store_id = d.store_id and k.delivery_id = d.id and k.live
       where o.status = 'completed'
       group by i.store_id, i.id, i.quantity
      having count(k.stock_key_id) <> i.quantity and not coalesce(bool_or(d.text_enc is not null), false)`,
  ),
  breaking(
    'key_once',
    'A key is in at most one delivery that still holds.',
    sql`
      select store_id, stock_key_id from delivery_key where live
       group by store_id, stock_key_id having count(*) > 1`,
  ),
  breaking(
    'ended_orders_hold_nothing',
    'An order that ended holds no stock.',
    sql`
      select o.store_id, o.id
        from "order" o
        join order_item i on i.store_id = o.store_id and i.order_id = o.id
       where o.status in ('completed', 'expired', 'cancelled', 'refunded') and i.reserved > 0`,
  ),
  breaking(
    'order_events',
    'An order has one event for its creation, and one for the end it came to, as long as events are kept.',
    sql`
      select o.store_id, o.id
        from "order" o
        join (select id, clock_timestamp() + clock_offset_ms * interval '1 ms' - interval '29 days' as kept
                from store) s on s.id = o.store_id
        left join event e
          on e.store_id = o.store_id and e.object_id = o.id
         and e.type in ('order.created', 'order.completed', 'order.expired', 'order.cancelled')
       group by o.store_id, o.id, s.kept
      having ${notOnce('order.created', sql`true`, sql`o.created_at`)}
          or ${notOnce('order.completed', COMPLETED, sql`o.completed_at`)}
          or ${notOnce('order.cancelled', sql`o.status = 'cancelled'`, sql`o.cancelled_at`)}
          or (o.status = 'expired' and ${notOnce('order.expired', sql`true`, sql`o.expires_at`)})`,
  ),
  breaking(
    'events_have_orders',
    'An event of an order tells of an order that exists.',
    sql`
      select e.store_id, e.no
        from event e
       where e.type like 'order.%' and not e.test
         and not exists (select from "order" o where o.store_id = e.store_id and o.id = e.object_id)`,
  ),
  breaking(
    'paid_is_paid',
    'The paid amount of an order is the sum of its accepted payments.',
    sql`
      select o.store_id, o.id
        from "order" o
       where o.paid_cents <> (select coalesce(sum(p.amount_cents), 0) from payment p
                               where p.store_id = o.store_id and p.order_id = o.id
                                 and p.status in ('approved', 'succeeded'))
          or (o.status in ('paid', 'completed') and o.paid_cents < o.total_cents)`,
  ),
  breaking(
    'reviews_can_end',
    'A payment waits for review only while its order can still take it.',
    sql`
      select p.store_id, p.id
        from payment p
        join "order" o on o.store_id = p.store_id and o.id = p.order_id
       where p.status = 'pending_review' and o.status in ('expired', 'cancelled', 'refunded')`,
  ),
  breaking(
    'refunded_is_refunded',
    'The refunded amount of an order is the sum of its refunds, each with one event as long as these are kept.',
    sql`
      select o.store_id, o.id
        from "order" o
        join (select id, clock_timestamp() + clock_offset_ms * interval '1 ms' - interval '29 days' as kept
                from store) s on s.id = o.store_id
        cross join lateral (
          select coalesce(sum(r.amount_cents), 0) as cents, count(*) as refunds,
                 count(*) filter (where r.created_at >= s.kept) as recent
            from refund r
           where r.store_id = o.store_id and r.order_id = o.id) r
        left join (select store_id, object_id, count(*) as events
                     from event where type = 'order.refunded' and not test
                    group by store_id, object_id) e
          on e.store_id = o.store_id and e.object_id = o.id
       where o.refunded_cents <> r.cents or coalesce(e.events, 0) not between r.recent and r.refunds
          or o.refund_status <> case when r.refunds = 0 then 'none'
                                     when o.refunded_cents = o.paid_cents then 'full'
                                     else 'partial' end
          or case o.refund_status
               when 'full' then o.status not in ('refunded', 'cancelled', 'expired')
               when 'partial' then o.status not in ('paid', 'completed', 'cancelled', 'expired')
               else o.status = 'refunded' end`,
  ),
  breaking(
    'orders_are_counted',
    'The newest order number of a store is how many orders it has.',
    sql`
      select c.store_id
        from order_counter c
       where c.last_number <> (select count(*) from "order" o where o.store_id = c.store_id)`,
  ),
  breaking(
    'orders_are_found',
    'An order is found by its id, its number and its email.',
    sql`
      select o.store_id, o.id
        from "order" o
        left join order_search s on s.store_id = o.store_id and s.order_id = o.id
       where s.runs is distinct from
             runs(o.store_id, o.id || chr(10) || o.number || chr(10) || o.customer_email)`,
  ),
]
