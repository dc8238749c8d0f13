import { sql } from 'kysely'
import { breaking, type Invariant } from '../../../db/invariant.ts'

export const returnInvariants: readonly Invariant[] = [
  breaking(
    'returns_fit_orders',
    'The returns of a line claim no more units than were bought, and only physical ones.',
    sql`
      select i.store_id, i.order_item_id
        from order_return r
        join order_return_item i on i.store_id = r.store_id and i.return_id = r.id
        join order_item l on l.store_id = i.store_id and l.id = i.order_item_id
       where r.status not in ('rejected', 'cancelled')
       group by i.store_id, i.order_item_id, l.quantity, l.delivery_type
      having sum(case when r.received_at is null then i.quantity else i.received_quantity end) > l.quantity
          or l.delivery_type <> 'physical'
       union all
      select r.store_id, r.id
        from order_return r
        join order_return_item i on i.store_id = r.store_id and i.return_id = r.id
        join order_item l on l.store_id = i.store_id and l.id = i.order_item_id
       where l.order_id <> r.order_id`,
  ),
  breaking(
    'returns_restock_once',
    'Units that came back into stock are no more than were bought.',
    sql`
      select store_id, id from order_item where restocked not between 0 and quantity`,
  ),
  breaking(
    'returns_are_refunded',
    'A refunded return names a refund of its order with its amount, and no two returns name the same one.',
    sql`
      select r.store_id, r.id
        from order_return r
        left join refund f on f.store_id = r.store_id and f.id = r.refund_id
       where r.status = 'refunded'
         and (f.order_id is distinct from r.order_id
              or f.amount_cents is distinct from r.refund_amount_cents
              or exists (select from order_return o
                          where o.store_id = r.store_id and o.refund_id = r.refund_id and o.id <> r.id))`,
  ),
  breaking(
    'returns_are_counted',
    'The newest return number of a store is its number of returns.',
    sql`
      select c.store_id
        from return_counter c
       where c.last_number <> (select count(*) from order_return r where r.store_id = c.store_id)`,
  ),
]
