-- True if stock was taken for the line. A refund with restock returns it.
alter table order_item add column served boolean not null default false;

-- The credits and debits of a customer. Their sum is the balance.
create table balance_entry (
  store_id      bigint         not null,
  id            bigint         generated always as identity check (id < 9007199254740992),
  customer_id   bigint         not null,
  amount_cents  bigint         not null check (amount_cents <> 0),
  balance_cents bigint         not null check (balance_cents >= 0),
  reason        text           not null,
  order_id      text           collate "C",
  created_at    timestamptz(3) not null,
  primary key (store_id, id),
  foreign key (store_id, customer_id) references customer,
  foreign key (store_id, order_id) references "order"
);
create index on balance_entry (store_id, customer_id, id desc);

create table coupon (
  store_id              bigint         not null references store,
  id                    bigint         generated always as identity check (id < 9007199254740992),
  code                  text           collate "C" not null,
  type                  text           not null check (type in ('percentage', 'fixed')),
  discount_percent      numeric(5, 2)  check (discount_percent > 0 and discount_percent <= 100),
  amount_cents          bigint         check (amount_cents >= 1),
  max_uses              integer        check (max_uses >= 1),
  max_uses_per_customer integer        check (max_uses_per_customer >= 1),
  uses                  integer        not null default 0 check (uses >= 0),
  min_order_cents       bigint         check (min_order_cents >= 0),
  starts_at             timestamptz(3),
  expires_at            timestamptz(3) check (expires_at > starts_at),
  -- The public ids of products, which never change. The id of a deleted product may stay in the list.
  product_ids           text[]         not null,
  variant_ids           bigint[]       not null,
  category_ids          bigint[]       not null,
  payment_methods       text[]         not null,
  allowed_emails        text[]         not null,
  applies_to_renewals   boolean        not null,
  active                boolean        not null,
  note                  text,
  created_at            timestamptz(3) not null,
  updated_at            timestamptz(3) not null,
  primary key (store_id, id),
  check ((type = 'percentage') = (discount_percent is not null)),
  check ((type = 'fixed') = (amount_cents is not null))
) with (fillfactor = 70);
create unique index coupon_code_taken on coupon (store_id, upper(code));
create index on coupon (store_id, created_at desc, id desc);
create index on coupon (store_id, active, created_at desc, id desc);
create index on coupon (store_id, type, created_at desc, id desc);

-- The orders that use a coupon. `live` is false after the use was released. The foreign key of the order is deferred,
-- because the use is inserted before the order.
create table coupon_use (
  store_id    bigint  not null,
  coupon_id   bigint  not null,
  order_id    text    collate "C" not null,
  customer_id bigint  not null,
  live        boolean not null default true,
  primary key (store_id, order_id),
  foreign key (store_id, coupon_id) references coupon on delete cascade,
  foreign key (store_id, order_id) references "order" deferrable initially deferred,
  foreign key (store_id, customer_id) references customer
);
create index coupon_use_of_customer on coupon_use (store_id, coupon_id, customer_id) where live;

-- Groups of products that are shown as one card. `group` is a reserved word of SQL.
create table product_group (
  store_id    bigint         not null references store,
  id          bigint         generated always as identity check (id < 9007199254740992),
  name        text           not null,
  slug        text           collate "C" not null,
  description text,
  image_url   text,
  visibility  text           not null check (visibility in ('public', 'unlisted')),
  position    integer        not null,
  created_at  timestamptz(3) not null,
  updated_at  timestamptz(3) not null,
  primary key (store_id, id),
  unique (store_id, slug)
);

-- A product is in at most one group.
create table grouped_product (
  store_id   bigint  not null,
  product_id bigint  not null,
  group_id   bigint  not null,
  position   integer not null,
  primary key (store_id, product_id),
  foreign key (store_id, product_id) references product,
  foreign key (store_id, group_id) references product_group on delete cascade
);
create index on grouped_product (store_id, group_id, position);
