import { sql } from 'kysely'
import { type Invariant, invariantOf } from '../../../db/invariant.ts'

export const fulfillmentInvariants: readonly Invariant[] = [
  invariantOf(
    'shipped_is_shipped',
    'The fulfillment status of an order agrees with its parcels, which contain at most the bought units that were not cancelled.',
    sql`
      select o.store_id, o.id
        from "order" o
        join order_item i
          on i.store_id = o.store_id and i.order_id = o.id and i.delivery_type = 'physical'
        left join (select p.store_id, p.order_item_id, sum(p.quantity) as packed,
                          sum(p.quantity) filter (where f.status in ('shipped', 'delivered')) as shipped
                     from fulfillment f
                     join fulfillment_item p on p.store_id = f.store_id and p.fulfillment_id = f.id
                    where f.status <> 'cancelled'
                    group by p.store_id, p.order_item_id) p
          on p.store_id = i.store_id and p.order_item_id = i.id
       group by o.store_id, o.id
      having bool_or(p.packed > i.quantity - i.cancelled)
          or o.fulfillment_status <> case when sum(i.quantity - i.cancelled) = 0 then 'not_required'
                                          when coalesce(sum(p.shipped), 0) = 0 then 'unfulfilled'
                                          when sum(p.shipped) < sum(i.quantity - i.cancelled) then 'partial'
                                          else 'fulfilled' end`,
  ),
]
