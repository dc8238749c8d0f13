-- The address that is called for the text of a dynamic delivery.
create table variant_dynamic (
  store_id   bigint         not null,
  variant_id bigint         not null,
  url        text           not null,
  secret_enc bytea          not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (store_id, variant_id),
  foreign key (store_id, variant_id) references variant
);

-- Pending dynamic deliveries whose address is called. `due_at` is store time, `lease_until` is machine time.
create table dynamic_call (
  store_id    bigint         not null,
  delivery_id bigint         not null,
  -- 4, one more than the maximum, if the last attempt was lost with its worker.
  attempts    integer        not null default 0 check (attempts between 0 and 4),
  due_at      timestamptz(3) not null,
  lease_until timestamptz(3),
  primary key (store_id, delivery_id),
  foreign key (store_id, delivery_id) references delivery
);
create index dynamic_call_due on dynamic_call (due_at);
create index dynamic_call_due_of_store on dynamic_call (store_id, due_at);
