-- The stores that `start --demo --lively` fills: only their records may be removed by `demo reset`.
create table demo_shop (
  store_id      bigint         primary key references store,
  seed          int            not null,
  -- `making` until the last record was made; the next start makes such a shop anew.
  state         text           not null check (state in ('making', 'made')),
  -- Until when one process makes it, by the machine's clock; extended while it does.
  claimed_until timestamptz(3)
);
