import { type RawBuilder, sql } from 'kysely'
import { type Invariant, invariantOf } from '../../../db/invariant.ts'
import * as q from './queries/index.ts'

/**
 * The condition that an event is missing or superfluous. An order has one event of the type if
 * `hasHappened` is true, and none otherwise. An event whose `time` is before `kept_since` may be deleted already.
 */
const hasWrongCount = (
  type: string,
  hasHappened: RawBuilder<unknown>,
  time: RawBuilder<unknown>,
) => sql`
  (count(*) filter (where e.type = ${type}) > (${hasHappened})::int
   or ${hasHappened} and ${time} >= s.kept_since and count(*) filter (where e.type = ${type}) = 0)`

/** The stores, with the time since which no event is deleted. Events are kept for 30 days. */
const STORES = sql`
  (select id, clock_timestamp() + clock_offset_ms * interval '1 ms' - interval '29 days' as kept_since
     from store)`

/** A refunded order was completed before if it has `completed_at`. */
const WAS_COMPLETED = sql`
  (o.status = 'completed' or (o.status = 'refunded' and o.completed_at is not null))`

export const orderInvariants: readonly Invariant[] = [
  invariantOf(
    'delivered_keys',
    'A completed order has exactly as many delivered keys as serial units were bought and not cancelled, or a text for them.',
    sql`
      select i.store_id, i.id
        from "order" o
        join order_item i on i.store_id = o.store_id and i.order_id = o.id and i.delivery_type = 'serial'
        left join delivery d on d.store_id = i.store_id and d.order_item_id = i.id and d.status = 'delivered'
        left join delivery_key k on k.store_id = d.store_id and k.delivery_id = d.id and k.live
       where o.status = 'completed'
       group by i.store_id, i.id, i.quantity, i.cancelled
      having count(k.stock_key_id) <> i.quantity - i.cancelled and not coalesce(bool_or(d.text_enc is not null), false)`,
  ),
  invariantOf(
    'key_once',
    'A key is in at most one active delivery.',
    sql`
      select store_id, stock_key_id from delivery_key where live
       group by store_id, stock_key_id having count(*) > 1`,
  ),
  invariantOf(
    'ended_orders_hold_nothing',
    'An order that ended neither reserves stock nor waits for it.',
    sql`
      select o.store_id, o.id
        from "order" o
        join order_item i on i.store_id = o.store_id and i.order_id = o.id
       where o.status in ('completed', 'expired', 'cancelled', 'refunded') and (i.reserved > 0 or i.owed > 0)`,
  ),
  invariantOf(
    'order_events',
    'An order has one event for its creation and one for its end, as long as events are kept.',
    sql`
      select o.store_id, o.id
        from "order" o
        join ${STORES} s on s.id = o.store_id
        left join event e
          on e.store_id = o.store_id and e.object_id = o.id
         and e.type in ('order.created', 'order.completed', 'order.expired', 'order.cancelled')
       group by o.store_id, o.id, s.kept_since
      having ${hasWrongCount('order.created', sql`true`, sql`o.created_at`)}
          or ${hasWrongCount('order.completed', WAS_COMPLETED, sql`o.completed_at`)}
          or ${hasWrongCount('order.cancelled', sql`o.status = 'cancelled'`, sql`o.cancelled_at`)}
          or (o.status = 'expired' and ${hasWrongCount('order.expired', sql`true`, sql`o.expires_at`)})`,
  ),
  invariantOf(
    'events_have_orders',
    'The order of an order event exists.',
    sql`
      select e.store_id, e.no
        from event e
       where e.type like 'order.%' and not e.test
         and not exists (select from "order" o where o.store_id = e.store_id and o.id = e.object_id)`,
  ),
  invariantOf(
    'paid_is_paid',
    'The paid amount of an order is the sum of its accepted payments.',
    sql`
      select o.store_id, o.id
        from "order" o
       where o.paid_cents <> (select coalesce(sum(p.amount_cents), 0) from payment p
                               where p.store_id = o.store_id and p.order_id = o.id
                                 and p.status in ('approved', 'succeeded', 'disputed'))
          or (o.status in ('paid', 'completed') and o.paid_cents < o.total_cents)`,
  ),
  invariantOf(
    'open_payments_are_checked',
    'The provider of an open payment is asked about it, until it has not ended it for seven days.',
    sql`
      select p.store_id, p.id
        from payment p
       where p.status in ('pending', 'processing') and p.check_at is null and p.ending_since is null`,
  ),
  invariantOf(
    'reviews_can_end',
    'A manual payment waits for a review only while its order accepts payments.',
    sql`
      select p.store_id, p.id
        from payment p
        join "order" o on o.store_id = p.store_id and o.id = p.order_id
       where p.status = 'pending_review' and p.provider is null and o.status in ('expired', 'cancelled', 'refunded')`,
  ),
  invariantOf(
    'refunded_is_refunded',
    'The refunded amount of an order is the sum of its refunds, and each refund has one event, as long as events are kept.',
    sql`
      select o.store_id, o.id
        from "order" o
        join ${STORES} s on s.id = o.store_id
        cross join lateral (
          select coalesce(sum(r.amount_cents), 0) as cents, count(*) as refunds,
                 count(*) filter (where r.created_at >= s.kept_since) as recent
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
               when 'full' then o.status in ('paid', 'completed')
               when 'partial' then false
               else o.status = 'refunded' end`,
  ),
  invariantOf(
    'refunds_fit_payments',
    'The amount of a payment that went back is the sum of its refunds, and no more is asked of its provider than it holds.',
    sql`
      select p.store_id, p.id
        from payment p
        cross join lateral (
          select coalesce(sum(r.amount_cents), 0) as cents
            from refund r
           where r.store_id = p.store_id and r.order_id = p.order_id and r.payment_id = p.id) done
        cross join lateral (
          select coalesce(sum(r.amount_cents), 0) as cents
            from refund_request r
           where r.store_id = p.store_id and r.order_id = p.order_id and r.payment_id = p.id
             and r.status = 'pending') asked
       where p.provider is not null
         and (p.refunded_cents <> done.cents or asked.cents > p.amount_cents - p.refunded_cents)`,
  ),
  invariantOf(
    'orders_are_counted',
    'The newest order number of a store is the number of its orders.',
    sql`
      select c.store_id
        from order_counter c
       where c.last_number <> (select count(*) from "order" o where o.store_id = c.store_id)`,
  ),
  invariantOf(
    'orders_are_found',
    'The search index of an order contains its id, its number and its email.',
    sql`
      select o.store_id, o.id
        from "order" o
        left join order_search s on s.store_id = o.store_id and s.order_id = o.id
       where s.runs is distinct from
             ${q.SEARCH_INDEX}`,
  ),
]
