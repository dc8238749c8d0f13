-- The search index of customers. A separate table, because each sale updates the row of the customer.
create table customer_search (
  store_id    bigint   not null,
  customer_id bigint   not null,
  runs        bigint[] not null,
  primary key (store_id, customer_id),
  foreign key (store_id, customer_id) references customer on delete cascade
);
insert into customer_search (store_id, customer_id, runs)
select store_id, id, runs(store_id, email || chr(10) || coalesce(name, '')) from customer;
-- New entries are collected in a pending list. It is short, because one statement has to merge it into the index.
create index on customer_search using gin (runs) with (gin_pending_list_limit = 512);

-- Returns tags with the store as their prefix, as the index of tags contains them.
create function tag_keys(store_id bigint, tags text[]) returns text[]
  language sql immutable strict parallel safe
  return (select coalesce(array_agg(store_id || ' ' || tag), '{}') from unnest(tags) as tag);

-- Customers that were merged into others. An erasure uses these rows to find records with the former name or email.
create table customer_merge (
  store_id    bigint         not null,
  merged_id   bigint         not null,
  customer_id bigint         not null,
  email       text,
  name        text,
  merged_at   timestamptz(3) not null,
  primary key (store_id, merged_id),
  foreign key (store_id, customer_id) references customer
);
create index customer_merge_into on customer_merge (store_id, customer_id);

-- Addresses that cannot place orders. A value is in canonical form: `ada@example.com`, `*@example.com`, `192.0.2.1`,
-- `2001:db8::/32`. An email address has an @ and an IP address has none, so one index serves both types.
create table blocklist_entry (
  store_id    bigint         not null references store,
  id          bigint         generated always as identity check (id < 9007199254740992),
  type        text           not null check (type in ('email', 'ip')),
  value       text           collate "C" not null,
  reason      text,
  hits        bigint         not null default 0,
  -- The customer whose block added the entry. Null if the seller added it.
  customer_id bigint,
  created_at  timestamptz(3) not null,
  updated_at  timestamptz(3) not null,
  primary key (store_id, id)
) with (fillfactor = 80);
create unique index blocklist_value_taken on blocklist_entry (store_id, value);
create index on blocklist_entry (store_id, created_at desc, id desc);
create index on blocklist_entry (store_id, type, created_at desc, id desc);
create index blocklist_entry_of_customer on blocklist_entry (store_id, customer_id) where customer_id is not null;
