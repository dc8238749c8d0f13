-- Paid orders that wait already. Not in the migration before this one, which locks all orders.
update order_item i
   set owed = i.quantity - i.reserved
  from "order" o
 where o.store_id = i.store_id and o.id = i.order_id and o.status = 'paid'
   and not i.served and i.quantity > i.reserved
   and not exists (select from delivery d
                    where d.store_id = i.store_id and d.order_item_id = i.id and d.status = 'delivered');

update stock s
   set owed = i.owed
  from (select store_id, variant_id, sum(owed) as owed
          from order_item where owed > 0 group by store_id, variant_id) i
 where s.store_id = i.store_id and s.variant_id = i.variant_id;

update product_stock ps
   set sellable = (select count(*)
                     from variant v
                     join stock s on s.store_id = v.store_id and s.variant_id = v.id
                    where v.store_id = ps.store_id and v.product_id = ps.product_id
                      and v.active and v.deleted_at is null
                      and (v.stock_mode = 'unlimited' or not v.track_inventory or s.available > 0))
 where exists (select from variant v
                 join stock s on s.store_id = v.store_id and s.variant_id = v.id
                where v.store_id = ps.store_id and v.product_id = ps.product_id and s.owed > 0);
