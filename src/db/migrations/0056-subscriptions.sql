-- The billing of products of the kind `subscription`. Such a product cannot be sold without a row.
create table product_billing (
  store_id              bigint         not null,
  product_id            bigint         not null,
  billing_cycle         text           not null check (billing_cycle in ('daily', 'weekly', 'monthly', 'quarterly', 'yearly')),
  trial_days            integer        not null check (trial_days >= 0),
  -- If null, a renewal costs the price of the first order.
  recurring_price_cents bigint         check (recurring_price_cents >= 0),
  created_at            timestamptz(3) not null,
  updated_at            timestamptz(3) not null,
  primary key (store_id, product_id),
  foreign key (store_id, product_id) references product
);

-- `first` for an order that starts subscriptions, `renewal` for a later order of a subscription; otherwise null.
alter table "order" add column recurring text;

-- A line of an order that is renewed. The customer's email and the product's name are not copied. The ends of periods
-- are computed from `anchor_at`, so that a short month does not change later ends.
create table subscription (
  store_id             bigint         not null references store,
  id                   bigint         generated always as identity check (id < 9007199254740992),
  status               text           not null check (status in ('pending', 'trialing', 'active', 'past_due', 'cancelled', 'expired')),
  customer_id          bigint         not null,
  product_id           bigint         not null,
  variant_id           bigint         not null,
  initial_invoice_id   text           collate "C" not null,
  order_item_id        bigint         not null,
  quantity             integer        not null check (quantity > 0),
  unit_price_cents     bigint         not null check (unit_price_cents >= 0),
  -- The discount of each renewal by a coupon that applies to renewals.
  discount_cents       bigint         not null check (discount_cents between 0 and unit_price_cents * quantity),
  discount_percent     numeric(5, 2)  not null,
  initial_price_cents  bigint         not null check (initial_price_cents >= 0),
  billing_cycle        text           not null,
  trial_days           integer        not null,
  currency             text           not null,
  -- The payment method of renewals; null until the first order is paid.
  payment_method       text,
  auto_renew           boolean        not null default true,
  started_at           timestamptz(3),
  trial_ends_at        timestamptz(3),
  anchor_at            timestamptz(3),
  periods              integer        not null default 0,
  current_period_start timestamptz(3),
  current_period_end   timestamptz(3),
  renewals_count       integer        not null default 0,
  last_invoice_id      text           collate "C" not null,
  -- The renewal order that waits for payment, the time it was created, and the number of retries.
  open_invoice_id      text           collate "C",
  billed_at            timestamptz(3),
  retries              integer        not null default 0,
  -- The time of the next renewal, retry or end.
  due_at               timestamptz(3),
  cancelled_at         timestamptz(3),
  created_at           timestamptz(3) not null,
  updated_at           timestamptz(3) not null,
  primary key (store_id, id),
  unique (store_id, order_item_id),
  foreign key (store_id, customer_id) references customer,
  foreign key (store_id, product_id) references product,
  foreign key (store_id, initial_invoice_id) references "order",
  check (current_period_end > current_period_start)
) with (fillfactor = 80);
create index on subscription (store_id, initial_invoice_id);
create index on subscription (store_id, created_at desc, id desc);
create index on subscription (store_id, status, created_at desc, id desc);
create index on subscription (store_id, customer_id, created_at desc, id desc);
create index on subscription (store_id, product_id, created_at desc, id desc);
create index subscription_ending on subscription (store_id, created_at desc, id desc) where not auto_renew;
create index subscription_started on subscription (store_id, created_at desc, id desc) where started_at is not null;
create index subscription_due on subscription (due_at) where due_at is not null;
create index subscription_due_of_store on subscription (store_id, due_at) where due_at is not null;

-- The orders of a subscription, and the period that each order pays for.
create table subscription_payment (
  store_id        bigint         not null,
  id              bigint         generated always as identity check (id < 9007199254740992),
  subscription_id bigint         not null,
  order_id        text           collate "C" not null,
  amount_cents    bigint         not null check (amount_cents >= 0),
  status          text           not null check (status in ('pending', 'paid', 'failed', 'refunded')),
  period_start    timestamptz(3),
  period_end      timestamptz(3),
  paid_at         timestamptz(3),
  created_at      timestamptz(3) not null,
  primary key (store_id, id),
  unique (store_id, order_id, subscription_id),
  foreign key (store_id, subscription_id) references subscription,
  foreign key (store_id, order_id) references "order"
);
create index on subscription_payment (store_id, subscription_id, id);

-- Subscriptions whose renewal failed with an error, and the machine time of the next attempt.
create table renewal_retry (
  store_id        bigint         not null references store,
  subscription_id bigint         not null,
  failures        integer        not null check (failures > 0),
  retry_at        timestamptz(3) not null,
  primary key (store_id, subscription_id)
);
