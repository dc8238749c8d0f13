-- The demo stores of `start --demo --lively`. `demo reset` deletes the records of these stores only.
create table demo_shop (
  store_id      bigint         primary key references store,
  seed          int            not null,
  -- `making` until all records are created. If the creation was interrupted, the next start begins again.
  state         text           not null check (state in ('making', 'made')),
  -- The end of the lease of the process that creates the records, in machine time. The process extends it.
  claimed_until timestamptz(3)
);
