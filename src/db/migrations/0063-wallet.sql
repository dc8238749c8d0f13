-- The kind of a mail, such as order_delivery. Null for mail of older versions.
alter table mail add column template text collate "C";

-- The totals of a store, without the changes that are still in wallet_delta. A store without a row has totals of 0.
create table wallet (
  store_id        bigint primary key references store,
  paid_cents      bigint not null default 0,
  refunded_cents  bigint not null default 0,
  -- The sum of withdrawals that have not ended.
  pending_cents   bigint not null default 0 check (pending_cents >= 0),
  withdrawn_cents bigint not null default 0 check (withdrawn_cents >= 0)
) with (fillfactor = 50);

-- Changes by payments and refunds that a job adds to the wallet, so that concurrent payments do not wait for one row.
-- There is no foreign key, because it would lock the row of the store.
create table wallet_delta (
  store_id       bigint not null,
  id             bigint generated always as identity,
  paid_cents     bigint not null,
  refunded_cents bigint not null,
  primary key (store_id, id)
);

create table withdrawal (
  store_id       bigint         not null references store,
  id             bigint         generated always as identity check (id < 9007199254740992),
  amount_cents   bigint         not null check (amount_cents > 0),
  fee_cents      bigint         not null check (fee_cents >= 0 and fee_cents < amount_cents),
  currency       text           not null,
  method         text           not null,
  address        text           not null,
  status         text           not null check (status in ('pending', 'processing', 'completed', 'failed', 'cancelled')),
  reference      text           check (reference is null or status = 'completed'),
  failure_reason text           check ((failure_reason is null) = (status <> 'failed')),
  created_at     timestamptz(3) not null,
  completed_at   timestamptz(3) check ((completed_at is null) = (status <> 'completed')),
  -- The time at which the amount was returned to the wallet.
  returned_at    timestamptz(3) check ((returned_at is null) = (status not in ('failed', 'cancelled'))),
  primary key (store_id, id)
);
create index on withdrawal (store_id, created_at desc, id desc);
create index on withdrawal (store_id, status, created_at desc, id desc);
create index on withdrawal (store_id, returned_at desc, id desc) where returned_at is not null;

insert into wallet (store_id, paid_cents, refunded_cents)
select store_id, sum(paid_cents), sum(refunded_cents)
  from "order"
 group by store_id;
