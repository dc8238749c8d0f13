-- The lines for which a refund was made: [{order_item_id, quantity, amount_cents}], whose amounts add up to that of the
-- refund; [] for a refund that names no lines (decision 185).
alter table refund add column items jsonb not null default '[]';

-- The refund of a return gets the received units. Its amount is divided by what was paid for them.
with unit as (
  select t.store_id, t.refund_id, t.refund_amount_cents as cents, i.order_item_id, i.received_quantity as quantity,
         case when sum(o.total_cents * i.received_quantity) over of_return = 0 then i.received_quantity
              else o.total_cents::numeric * i.received_quantity / o.quantity end as weight
    from order_return t
    join order_return_item i on i.store_id = t.store_id and i.return_id = t.id
    join order_item o on o.store_id = i.store_id and o.id = i.order_item_id
   where t.refund_id is not null and i.received_quantity > 0
  window of_return as (partition by t.store_id, t.id)
), summed as (
  select u.*, sum(weight) over (partition by store_id, refund_id order by order_item_id) as so_far,
         sum(weight) over (partition by store_id, refund_id) as whole
    from unit u
), line as (
  select s.*, floor(cents * so_far / whole)::bigint as cents_so_far
    from summed s
)
update refund r
   set items = l.items
  from (select store_id, refund_id,
               jsonb_agg(jsonb_build_object(
                 'order_item_id', order_item_id, 'quantity', quantity,
                 'amount_cents', cents_so_far - coalesce(before, 0)) order by order_item_id) as items
          from (select line.*, lag(cents_so_far) over (partition by store_id, refund_id order by order_item_id) as before
                  from line) line
         group by store_id, refund_id) l
 where r.store_id = l.store_id and r.id = l.refund_id;
