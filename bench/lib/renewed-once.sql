-- Counts the weekly subscriptions of store :store whose renewal left each kind of record never, once, and more than
-- once. Each subscription has a separate customer and license, and was due once.
with active as (
  select * from subscription where store_id = :store and status <> 'pending'
), renewal as (
  select s.id as subscription_id, s.unit_price_cents as price_cents, o.id, o.status
    from active s
    join "order" o
      on o.store_id = s.store_id and o.customer_id = s.customer_id and o.recurring = 'renewal'
), record as (
  select 'renewal counted' as kind, id, renewals_count as times from active
   union all
  select 'order, completed', subscription_id, 1 from renewal where status = 'completed'
   union all
  select 'order', subscription_id, 1 from renewal
   union all
  select 'payment from the balance', r.subscription_id, 1
    from renewal r
    join payment p
      on p.store_id = :store and p.order_id = r.id and p.kind = 'balance' and p.status = 'succeeded'
     and p.amount_cents = r.price_cents
   union all
  select 'debit of the balance', r.subscription_id, 1
    from renewal r
    join balance_entry e
      on e.store_id = :store and e.order_id = r.id and e.amount_cents = - r.price_cents
   union all
  select 'paid bill', sp.subscription_id, 1
    from renewal r
    join subscription_payment sp
      on sp.store_id = :store and sp.order_id = r.id and sp.subscription_id = r.subscription_id
     and sp.status = 'paid'
   union all
  select e.type, r.subscription_id, 1
    from renewal r
    join event e on e.store_id = :store and e.object_id = r.id
   union all
  select 'week of the license', s.id, (extract(epoch from k.expires_at - s.anchor_at) / 604800)::int - 1
    from active s
    join license_key k on k.store_id = s.store_id and k.order_item_id = s.order_item_id
   union all
  select 'week until the next bill', id, (extract(epoch from due_at - anchor_at) / 604800)::int - 1
    from active
   where due_at = current_period_end
), counted as (
  select expected.kind, s.id, coalesce(sum(r.times), 0) as times
    from active s
   cross join (values ('renewal counted'), ('order'), ('order, completed'), ('payment from the balance'),
                      ('debit of the balance'), ('paid bill'), ('order.created'), ('order.completed'),
                      ('week of the license'), ('week until the next bill')) expected(kind)
    left join record r on r.kind = expected.kind and r.id = s.id
   group by expected.kind, s.id
)
select kind, count(*) filter (where times < 1)::int as missed, count(*) filter (where times = 1)::int as once,
       count(*) filter (where times > 1)::int as doubled
  from counted
 group by kind
 order by kind;
