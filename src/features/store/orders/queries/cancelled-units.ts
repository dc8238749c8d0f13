import { anyOf, rowsOf } from '../../../../db/arrays.ts'
import type { Tx } from '../../../../db/database.ts'
import { allRows, execute, onlyRow } from '../../../../db/rows.ts'
import type { CancelledUnits, RefundedItem } from '../cancelled-units.rules.ts'

/** Returns lines of an order with what their refunds without a return gave back, and their undelivered units. */
export const selectRefundedItems = (
  tx: Tx,
  storeId: number,
  orderId: string,
  itemIds: readonly number[],
) =>
  allRows<RefundedItem>(tx)`
    select i.id, i.variant_id, i.delivery_type, i.quantity, i.total_cents, i.cancelled, i.reserved, i.owed, i.served,
           coalesce(r.units, 0) as refunded_units, coalesce(r.cents, 0) as refunded_cents,
           greatest(i.quantity - i.cancelled -
             case when i.delivery_type = 'physical'
                  then greatest((select coalesce(sum(p.quantity), 0)
                                   from fulfillment f
                                   join fulfillment_item p on p.store_id = f.store_id and p.fulfillment_id = f.id
                                  where f.store_id = i.store_id and f.order_id = i.order_id and p.order_item_id = i.id
                                    and f.status <> 'cancelled'),
                                (select coalesce(sum(p.quantity), 0)
                                   from order_return t
                                   join order_return_item p on p.store_id = t.store_id and p.return_id = t.id
                                  where t.store_id = i.store_id and t.order_id = i.order_id and p.order_item_id = i.id
                                    and t.status not in ('rejected', 'cancelled')))
                  when exists (select from delivery d
                                where d.store_id = i.store_id and d.order_item_id = i.id
                                  and d.status in ('delivered', 'replaced'))
                  then i.quantity else 0 end, 0)::integer as undelivered
      from order_item i
      left join (select (item ->> 'order_item_id')::bigint as order_item_id,
                        sum((item ->> 'quantity')::bigint)::bigint as units,
                        sum((item ->> 'amount_cents')::bigint)::bigint as cents
                   from refund
                  cross join jsonb_array_elements(items) item
                  where store_id = ${storeId} and order_id = ${orderId} and return_id is null
                  group by 1) r on r.order_item_id = i.id
     where i.store_id = ${storeId} and i.order_id = ${orderId} and i.id = ${anyOf(itemIds, 'bigint')}
     order by i.id`

/** Cancels units of lines, and revokes the deliveries of lines of which no unit is left. */
export const cancelUnits = (
  tx: Tx,
  storeId: number,
  orderId: string,
  lines: readonly CancelledUnits[],
) =>
  execute(tx)`
    with cancelled as (
      update order_item i
         set cancelled = i.cancelled + c.units, reserved = i.reserved - c.reserved, owed = i.owed - c.owed,
             restocked = i.restocked + c.restocked
        from ${rowsOf('c', lines, { id: 'bigint', units: 'integer', reserved: 'integer', owed: 'integer', restocked: 'integer' })}
       where i.store_id = ${storeId} and i.id = c.id
      returning i.id, i.quantity - i.cancelled as due
    ), revoked as (
      update delivery d set status = 'revoked'
        from cancelled c
       where d.store_id = ${storeId} and d.order_id = ${orderId} and d.order_item_id = c.id and c.due = 0
         and d.status in ('pending', 'failed')
      returning d.id
    )
    delete from dynamic_call c using revoked
     where c.store_id = ${storeId} and c.delivery_id = revoked.id`

/** Returns the numbers of physical units of an order that are due, and of those that are shipped. */
export const selectShippedUnits = (tx: Tx, storeId: number, orderId: string) =>
  onlyRow<{ due: number; shipped: number }>(tx)`
    select (select coalesce(sum(quantity - cancelled), 0)
              from order_item
             where store_id = ${storeId} and order_id = ${orderId}
               and delivery_type = 'physical') as due,
           (select coalesce(sum(i.quantity), 0)
              from fulfillment f
              join fulfillment_item i on i.store_id = f.store_id and i.fulfillment_id = f.id
             where f.store_id = ${storeId} and f.order_id = ${orderId}
               and f.status in ('shipped', 'delivered')) as shipped`
