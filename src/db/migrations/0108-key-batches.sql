-- The number of keys by import, variant and status, so that the list of batches does not read the keys. Keys that were
-- added without an import have the import_id ''. Triggers count, because a process of the previous release may change
-- keys during the migration. The next migration adds the existing keys (decision 389).
create table stock_key_batch (
  store_id   bigint         not null,
  variant_id bigint         not null,
  import_id  text           collate "C" not null,
  added_at   timestamptz(3) not null,
  last_id    bigint         not null,
  count      bigint         not null,
  available  bigint         not null,
  sold       bigint         not null,
  primary key (store_id, variant_id, import_id),
  foreign key (store_id, variant_id) references variant
) with (fillfactor = 70);
create index stock_key_batch_newest on stock_key_batch (store_id, variant_id, last_id desc) where count > 0;

create function count_added_keys() returns trigger language plpgsql as $$
begin
  insert into stock_key_batch as b
  select store_id, variant_id, coalesce(import_id, ''), min(created_at), max(id), count(*),
         count(*) filter (where status = 'available'), count(*) filter (where status = 'sold')
    from new_keys
   group by 1, 2, 3
   order by 1, 2, 3
      on conflict (store_id, variant_id, import_id) do update
     set added_at = case when b.count = 0 then excluded.added_at else least(b.added_at, excluded.added_at) end,
         last_id = greatest(b.last_id, excluded.last_id), count = b.count + excluded.count,
         available = b.available + excluded.available, sold = b.sold + excluded.sold;
  return null;
end $$;

-- Until the next migration, a row contains only the changes since this one, so its numbers can be negative.
create function count_changed_keys() returns trigger language plpgsql as $$
begin
  insert into stock_key_batch as b
  select store_id, variant_id, coalesce(import_id, ''), 'infinity', 0, 0, sum(sign * (status = 'available')::int),
         sum(sign * (status = 'sold')::int)
    from (select 1 as sign, store_id, variant_id, import_id, status from new_keys
          union all
          select -1, store_id, variant_id, import_id, status from old_keys) k
   group by 1, 2, 3
   order by 1, 2, 3
      on conflict (store_id, variant_id, import_id) do update
     set available = b.available + excluded.available, sold = b.sold + excluded.sold;
  return null;
end $$;

create function count_deleted_keys() returns trigger language plpgsql as $$
begin
  insert into stock_key_batch as b
  select store_id, variant_id, coalesce(import_id, ''), 'infinity', 0, - count(*),
         - count(*) filter (where status = 'available'), - count(*) filter (where status = 'sold')
    from old_keys
   group by 1, 2, 3
   order by 1, 2, 3
      on conflict (store_id, variant_id, import_id) do update
     set count = b.count + excluded.count, available = b.available + excluded.available, sold = b.sold + excluded.sold;
  return null;
end $$;

-- Sales wait for the lock that the triggers need, so this migration reads no keys.
create trigger count_added_keys after insert on stock_key
  referencing new table as new_keys for each statement execute function count_added_keys();
create trigger count_changed_keys after update on stock_key
  referencing old table as old_keys new table as new_keys for each statement execute function count_changed_keys();
create trigger count_deleted_keys after delete on stock_key
  referencing old table as old_keys for each statement execute function count_deleted_keys();
