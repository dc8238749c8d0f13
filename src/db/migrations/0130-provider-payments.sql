-- Payments through a payment provider. `pending` and `processing` payments are open: the provider is asked about each
-- of them at `check_at`, a time of the store's clock.
alter table payment
  add column provider         text,
  add column external_id      text,
  add column checkout_url     text,
  add column return_url       text,
  add column expires_at       timestamptz(3),
  add column failure          jsonb,
  add column check_at         timestamptz(3),
  add column checks           integer not null default 0,
  add column processing_since timestamptz(3),
  add column ending_since     timestamptz(3),
  drop constraint payment_kind_check,
  add constraint payment_kind_check check (kind in ('manual', 'crypto', 'paypal', 'balance', 'card', 'free', 'test')),
  drop constraint payment_status_check,
  add constraint payment_status_check check (status in (
    'pending', 'processing', 'succeeded', 'failed', 'expired', 'cancelled', 'pending_review', 'approved', 'rejected')),
  add constraint payment_provider check (provider is not null or status in (
    'succeeded', 'pending_review', 'approved', 'rejected')),
  add constraint payment_check check ((check_at is null) or status in ('pending', 'processing'));
create index payment_open on payment (store_id, order_id) where status in ('pending', 'processing');
create index payment_check on payment (check_at) where check_at is not null;
create index payment_check_of_store on payment (store_id, check_at) where check_at is not null;
create index payment_external on payment (store_id, provider, external_id) where external_id is not null;

-- The payment providers that a side of a store has connected. A test side begins with `test`.
alter table store add column payment_providers text[] not null default '{}';
update store set payment_providers = '{test}' where not livemode;

-- What a store knows of a payment provider besides the connection.
create table payment_provider (
  store_id         bigint         not null references store,
  provider         text           not null,
  last_checked_at  timestamptz(3),
  last_callback_at timestamptz(3),
  last_error       text,
  primary key (store_id, provider)
);

-- A callback of a payment provider, stored before it is applied. The provider may send it again.
create table payment_callback (
  store_id    bigint         not null references store,
  id          bigint         generated always as identity check (id < 9007199254740992),
  provider    text           not null,
  external_id text           not null,
  type        text           not null,
  status      text           not null check (status in ('received', 'applied', 'ignored', 'failed')),
  names       jsonb          not null,
  order_id    text           collate "C",
  payment_id  bigint,
  attempts    integer        not null default 0,
  error       text,
  received_at timestamptz(3) not null,
  applied_at  timestamptz(3),
  retry_at    timestamptz(3),
  primary key (store_id, id),
  unique (store_id, provider, external_id),
  check ((retry_at is null) = (status <> 'received'))
);
create index on payment_callback (retry_at) where retry_at is not null;
create index on payment_callback (store_id, status, id desc);
create index on payment_callback (store_id, provider, id desc);
create index on payment_callback (store_id, order_id, id desc) where order_id is not null;
create index on payment_callback (store_id, received_at);

-- The records of the payment provider `test`: what a real provider would know about a payment.
create table test_payment (
  store_id       bigint         not null references store,
  payment_id     bigint         not null,
  token          text           not null unique,
  status         text           not null check (status in ('open', 'processing', 'paid', 'failed', 'expired', 'ended')),
  amount_cents   bigint         not null check (amount_cents > 0),
  received_cents bigint         not null default 0 check (received_cents >= 0),
  currency       text           not null,
  return_url     text,
  expires_at     timestamptz(3) not null,
  callback_at    timestamptz(3),
  callback       text,
  created_at     timestamptz(3) not null,
  primary key (store_id, payment_id),
  check ((callback_at is null) = (callback is null))
);
create index on test_payment (callback_at) where callback_at is not null;
