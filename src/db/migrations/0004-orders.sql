create table customer (
  store_id             bigint         not null references store,
  id                   bigint         generated always as identity check (id < 9007199254740992),
  email                text           not null,
  name                 text,
  country              text,
  balance_cents        bigint         not null default 0 check (balance_cents >= 0),
  orders_count         integer        not null default 0,
  total_spent_cents    bigint         not null default 0,
  first_order_at       timestamptz(3),
  last_order_at        timestamptz(3),
  blocked_at           timestamptz(3),
  note                 text,
  tags                 text[]         not null default '{}',
  marketing_opt_in     boolean        not null default false,
  affiliate_partner_id text,
  metadata             jsonb          not null default '{}',
  created_at           timestamptz(3) not null,
  updated_at           timestamptz(3) not null,
  primary key (store_id, id),
  unique (store_id, email)
);

create table order_counter (
  store_id    bigint primary key references store,
  last_number bigint not null default 0
) with (fillfactor = 50);

create table "order" (
  store_id           bigint         not null references store,
  id                 text           collate "C" not null,
  number             bigint         not null,
  status             text           not null check (status in ('pending', 'partially_paid', 'manual_review', 'paid', 'completed', 'expired', 'cancelled', 'refunded')),
  refund_status      text           not null default 'none' check (refund_status in ('none', 'partial', 'full')),
  fulfillment_status text           not null check (fulfillment_status in ('not_required', 'unfulfilled', 'partial', 'fulfilled')),
  source             text           not null check (source in ('storefront', 'api', 'embed')),
  currency           text           not null,
  subtotal_cents     bigint         not null check (subtotal_cents >= 0),
  discount_cents     bigint         not null check (discount_cents >= 0),
  shipping_cents     bigint         not null check (shipping_cents >= 0),
  total_cents        bigint         not null check (total_cents = subtotal_cents - discount_cents + shipping_cents and total_cents >= 0),
  paid_cents         bigint         not null default 0 check (paid_cents >= 0),
  refunded_cents     bigint         not null default 0 check (refunded_cents between 0 and paid_cents),
  payment_method     text,
  customer_id        bigint         not null,
  customer_email     text           not null,
  customer_name      text,
  customer_country   text,
  coupon             jsonb,
  affiliate          jsonb,
  shipping_address   jsonb,
  shipping           jsonb,
  custom_fields      jsonb          not null,
  metadata           jsonb          not null,
  note               text,
  ip                 text,
  user_agent         text,
  return_url         text,
  status_history     jsonb          not null,
  expires_at         timestamptz(3),
  paid_at            timestamptz(3),
  completed_at       timestamptz(3),
  cancelled_at       timestamptz(3),
  created_at         timestamptz(3) not null,
  updated_at         timestamptz(3) not null,
  primary key (store_id, id),
  unique (store_id, number),
  foreign key (store_id, customer_id) references customer
) with (fillfactor = 80);
create index on "order" (store_id, created_at desc, id desc);
create index on "order" (store_id, customer_id, created_at desc);
create index on "order" (store_id, customer_email, created_at desc, id desc);
create index on "order" (store_id, status, created_at desc, id desc);
create index on "order" (store_id, paid_at desc nulls last, id desc);
create index on "order" (store_id, total_cents, id);
create index on "order" (store_id, payment_method, created_at desc, id desc) where payment_method is not null;
-- Partial indexes without the most frequent value, so that most orders add no entry to them.
create index on "order" (store_id, refund_status, created_at desc, id desc) where refund_status <> 'none';
create index on "order" (store_id, fulfillment_status, created_at desc, id desc) where fulfillment_status <> 'not_required';
create index on "order" (store_id, source, created_at desc, id desc) where source <> 'api';
create index on "order" (store_id, upper(coupon ->> 'code'), created_at desc, id desc) where coupon is not null;
create index order_to_expire on "order" (expires_at) where status in ('pending', 'partially_paid');

-- Returns each sequence of three bytes of a text in lower case, as a number that includes the store. Numbers are small,
-- and an order has about forty of them.
create function runs(store_id bigint, t text) returns bigint[]
  language plpgsql immutable strict parallel safe as $$
declare
  b bytea := convert_to(lower(t), 'UTF8');
  found bigint[] := '{}';
begin
  for at in 0 .. length(b) - 3 loop
    found := found || (store_id * 16777216 + get_byte(b, at) * 65536 + get_byte(b, at + 1) * 256 + get_byte(b, at + 2));
  end loop;
  return found;
end $$;

-- The search index of orders. A separate table, because each update of the order would write it again.
create table order_search (
  store_id bigint   not null,
  order_id text     collate "C" not null,
  runs     bigint[] not null,
  primary key (store_id, order_id),
  foreign key (store_id, order_id) references "order"
);
-- New entries are collected in a pending list. It is short, because one order has to merge it into the index.
create index on order_search using gin (runs) with (gin_pending_list_limit = 512);

create table order_item (
  store_id         bigint  not null,
  id               bigint  generated always as identity check (id < 9007199254740992),
  order_id         text    collate "C" not null,
  product_id       bigint  not null,
  -- The public id of the product, which never changes. It saves a join for readers of orders.
  product_hash     text    collate "C" not null,
  variant_id       bigint  not null,
  name             text    not null,
  variant_name     text    not null,
  sku              text,
  delivery_type    text    not null,
  quantity         integer not null check (quantity > 0),
  -- The units of `stock.reserved` that this line reserves.
  reserved         integer not null check (reserved between 0 and quantity),
  unit_price_cents bigint  not null check (unit_price_cents >= 0),
  discount_cents   bigint  not null check (discount_cents >= 0),
  total_cents      bigint  not null check (total_cents >= 0),
  primary key (store_id, id),
  foreign key (store_id, order_id) references "order",
  foreign key (store_id, product_id) references product,
  foreign key (store_id, variant_id) references variant
) with (fillfactor = 80);
create index on order_item (store_id, order_id, id);
create index on order_item (store_id, product_id);

create table payment (
  store_id     bigint         not null,
  id           bigint         generated always as identity check (id < 9007199254740992),
  order_id     text           collate "C" not null,
  kind         text           not null check (kind in ('manual', 'crypto', 'balance', 'card', 'free', 'test')),
  status       text           not null check (status in ('pending_review', 'approved', 'rejected', 'succeeded')),
  amount_cents bigint         not null check (amount_cents >= 0),
  currency     text           not null,
  reference    text,
  proof_text   text,
  proof_url    text,
  note         text,
  reviewed_at  timestamptz(3),
  created_at   timestamptz(3) not null,
  primary key (store_id, id),
  foreign key (store_id, order_id) references "order"
);
create index on payment (store_id, order_id, id);

create table refund (
  store_id     bigint         not null,
  id           bigint         generated always as identity check (id < 9007199254740992),
  order_id     text           collate "C" not null,
  amount_cents bigint         not null check (amount_cents > 0),
  currency     text           not null,
  reason       text           not null check (reason in ('requested_by_customer', 'duplicate', 'fraudulent', 'other')),
  note         text,
  restock      boolean        not null,
  created_at   timestamptz(3) not null,
  primary key (store_id, id),
  foreign key (store_id, order_id) references "order"
);
create index on refund (store_id, order_id, id);

create table delivery (
  store_id      bigint         not null,
  id            bigint         generated always as identity check (id < 9007199254740992),
  order_id      text           collate "C" not null,
  order_item_id bigint         not null,
  product_id    bigint         not null,
  product_hash  text           collate "C" not null,
  variant_id    bigint         not null,
  type          text           not null,
  status        text           not null check (status in ('pending', 'delivered', 'failed', 'replaced', 'revoked')),
  text_enc      bytea,
  error         text,
  attempts      integer        not null default 0,
  delivered_at  timestamptz(3),
  created_at    timestamptz(3) not null,
  primary key (store_id, id),
  foreign key (store_id, order_id) references "order",
  foreign key (store_id, order_item_id) references order_item
);
create index on delivery (store_id, order_id, id);

-- The stock keys of a delivery. A key is in at most one delivery with `live`.
create table delivery_key (
  store_id     bigint  not null,
  delivery_id  bigint  not null,
  stock_key_id bigint  not null,
  live         boolean not null default true,
  primary key (store_id, delivery_id, stock_key_id),
  foreign key (store_id, delivery_id) references delivery,
  foreign key (store_id, stock_key_id) references stock_key
);
create unique index delivery_key_once on delivery_key (store_id, stock_key_id) where live;
-- Finds all deliveries of a key that is deleted, including those that are not live.
create index on delivery_key (store_id, stock_key_id);
