-- Adds the keys that existed before the triggers of the previous migration. No lock delays sales: the statement
-- computes the difference between keys and counts in one snapshot, and adds it to the counts at the time of the write
-- (decision 389).
insert into stock_key_batch as b
select store_id, variant_id, import_id, coalesce(k.added_at, s.added_at), coalesce(k.last_id, s.last_id),
       coalesce(k.count, 0) - coalesce(s.count, 0), coalesce(k.available, 0) - coalesce(s.available, 0),
       coalesce(k.sold, 0) - coalesce(s.sold, 0)
  from (select store_id, variant_id, coalesce(import_id, '') as import_id, min(created_at) as added_at,
               max(id) as last_id, count(*) as count, count(*) filter (where status = 'available') as available,
               count(*) filter (where status = 'sold') as sold
          from stock_key
         group by 1, 2, 3) k
  full join stock_key_batch s using (store_id, variant_id, import_id)
 where coalesce(k.count, 0) <> coalesce(s.count, 0) or coalesce(k.available, 0) <> coalesce(s.available, 0)
    or coalesce(k.sold, 0) <> coalesce(s.sold, 0) or k.last_id > s.last_id or k.added_at < s.added_at
 order by 1, 2, 3
    on conflict (store_id, variant_id, import_id) do update
   set added_at = least(b.added_at, excluded.added_at), last_id = greatest(b.last_id, excluded.last_id),
       count = b.count + excluded.count, available = b.available + excluded.available,
       sold = b.sold + excluded.sold;

-- Now every key has a batch, so the triggers only update. They insert no missing row, because `demo reset` deletes the
-- batches before the keys.
create or replace function count_changed_keys() returns trigger language plpgsql as $$
begin
  update stock_key_batch b
     set available = b.available + c.available, sold = b.sold + c.sold
    from (select store_id, variant_id, coalesce(import_id, '') as import_id,
                 sum(sign * (status = 'available')::int) as available, sum(sign * (status = 'sold')::int) as sold
            from (select 1 as sign, store_id, variant_id, import_id, status from new_keys
                  union all
                  select -1, store_id, variant_id, import_id, status from old_keys) k
           group by 1, 2, 3) c
   where b.store_id = c.store_id and b.variant_id = c.variant_id and b.import_id = c.import_id
     and (c.available <> 0 or c.sold <> 0);
  return null;
end $$;

create or replace function count_deleted_keys() returns trigger language plpgsql as $$
begin
  update stock_key_batch b
     set count = b.count - d.count, available = b.available - d.available, sold = b.sold - d.sold
    from (select store_id, variant_id, coalesce(import_id, '') as import_id, count(*) as count,
                 count(*) filter (where status = 'available') as available,
                 count(*) filter (where status = 'sold') as sold
            from old_keys
           group by 1, 2, 3) d
   where b.store_id = d.store_id and b.variant_id = d.variant_id and b.import_id = d.import_id;
  return null;
end $$;
