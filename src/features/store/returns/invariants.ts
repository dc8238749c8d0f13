import { sql } from 'kysely'
import { type Invariant, invariantOf } from '../../../db/invariant.ts'

export const returnInvariants: readonly Invariant[] = [
  invariantOf(
    'returns_fit_orders',
    'The returns of an order item contain only physical units, and not more than were bought.',
    sql`
      select i.store_id, i.order_item_id
        from order_return r
        join order_return_item i on i.store_id = r.store_id and i.return_id = r.id
        join order_item bought on bought.store_id = i.store_id and bought.id = i.order_item_id
       where r.status not in ('rejected', 'cancelled')
       group by i.store_id, i.order_item_id, bought.quantity, bought.delivery_type
      having sum(case when r.received_at is null then i.quantity else i.received_quantity end) > bought.quantity
          or bought.delivery_type <> 'physical'
       union all
      select r.store_id, r.id
        from order_return r
        join order_return_item i on i.store_id = r.store_id and i.return_id = r.id
        join order_item bought on bought.store_id = i.store_id and bought.id = i.order_item_id
       where bought.order_id <> r.order_id`,
  ),
  invariantOf(
    'returns_restock_once',
    'No more units of an order item were returned to stock than were bought.',
    sql`
      select store_id, id from order_item where restocked not between 0 and quantity`,
  ),
  invariantOf(
    'returns_are_refunded',
    'The refunds of a refunded return are of its order, and add up to its amount.',
    sql`
      select r.store_id, r.id
        from order_return r
        left join lateral (
          select sum(f.amount_cents) as cents, bool_or(f.id = r.refund_id) as has_first,
                 bool_and(f.order_id = r.order_id) as is_own
            from (select store_id, id, order_id, return_id, amount_cents from refund
                   union all
                  select store_id, id, order_id, return_id, amount_cents from refund_request) f
           where f.store_id = r.store_id and f.return_id = r.id) f on true
       where r.status = 'refunded'
         and (f.cents is distinct from r.refund_amount_cents or not f.has_first or not f.is_own)`,
  ),
  invariantOf(
    'returns_are_counted',
    'The newest return number of a store equals the number of its returns.',
    sql`
      select c.store_id
        from return_counter c
       where c.last_number <> (select count(*) from order_return r where r.store_id = c.store_id)`,
  ),
]
