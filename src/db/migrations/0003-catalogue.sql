-- Returns the substrings of a text with the given lengths, in lower case, each with the store as its prefix. An index
-- on them finds a part of a name. Extensions such as pg_trgm are not available everywhere.
create function grams(store_id bigint, t text, sizes integer[]) returns text[]
  language sql immutable strict parallel safe
  return (select coalesce(array_agg(distinct store_id || ' ' || substr(l, at, size)), '{}')
            from (select lower(t) as l) lowered,
                 unnest(sizes) as size,
                 generate_series(1, length(l) - size + 1) as at);

create table product (
  store_id              bigint         not null references store,
  id                    bigint         generated always as identity check (id < 9007199254740992),
  hash_id               text           collate "C" not null,
  name                  text           not null,
  slug                  text           collate "C" not null,
  type                  text           not null check (type in ('serial', 'file', 'service', 'dynamic', 'physical', 'license')),
  product_kind          text           not null check (product_kind in ('single', 'subscription', 'bundle')),
  status                text           not null check (status in ('draft', 'active', 'archived')),
  active                boolean        not null,
  visibility            text           not null check (visibility in ('public', 'unlisted', 'private', 'on_hold')),
  price_cents           bigint         not null check (price_cents >= 0),
  discount_percent      numeric(5, 2)  not null check (discount_percent between 0 and 100),
  currency              text           not null,
  accepts_coupons       boolean        not null,
  min_qty               integer        not null check (min_qty >= 1),
  max_qty               integer        check (max_qty >= min_qty),
  sell_limit            integer        check (sell_limit >= 1),
  requires_shipping     boolean        not null,
  sku                   text,
  delivery_note         text,
  best_seller           boolean        not null,
  metadata              jsonb          not null,
  stock_alert_threshold integer        check (stock_alert_threshold >= 0),
  methods               jsonb          not null,
  created_at            timestamptz(3) not null,
  updated_at            timestamptz(3) not null,
  deleted_at            timestamptz(3),
  -- The substrings by which `search` finds the product.
  grams                 text[]         not null
    generated always as (
      grams(store_id, name || chr(10) || slug || chr(10) || coalesce(sku, ''), '{2, 3}')) stored,
  primary key (store_id, id),
  unique (store_id, hash_id)
);
create unique index product_slug_taken on product (store_id, slug) where deleted_at is null;
create unique index product_sku_taken on product (store_id, sku) where deleted_at is null;
create index on product (store_id, created_at desc, id desc) where deleted_at is null;
create index on product (store_id, name, id) where deleted_at is null;
create index on product (store_id, price_cents, id) where deleted_at is null;
-- Indexes for the filters of lists. A filter that few products match uses its index. A filter that most products match
-- uses the index of the sort until the page is full.
create index on product (store_id, status, created_at desc, id desc) where deleted_at is null;
create index on product (store_id, visibility, created_at desc, id desc) where deleted_at is null;
create index on product (store_id, active, created_at desc, id desc) where deleted_at is null;
create index on product (store_id, type, created_at desc, id desc) where deleted_at is null;
create index on product (store_id, product_kind, created_at desc, id desc) where deleted_at is null;
create index on product using gin (grams) where deleted_at is null;

-- The number of products for each combination of filter values, so that the total of a list needs no count of 100,000
-- rows. Each number is the sum of several parts, so that concurrent changes rarely wait for the same row.
create table product_tally (
  store_id     bigint   not null references store,
  status       text     not null,
  visibility   text     not null,
  active       boolean  not null,
  type         text     not null,
  product_kind text     not null,
  part         smallint not null,
  products     bigint   not null,
  primary key (store_id, status, visibility, active, type, product_kind, part)
) with (fillfactor = 50);

-- Sums over the variants of a product, for lists: the sold units, and the number of variants that can be sold. The
-- statements that change `stock` and `variant` update them.
create table product_stock (
  store_id   bigint  not null,
  product_id bigint  not null,
  sold       bigint  not null default 0 check (sold >= 0),
  sellable   integer not null default 0 check (sellable >= 0),
  in_stock   boolean not null generated always as (sellable > 0) stored,
  primary key (store_id, product_id),
  foreign key (store_id, product_id) references product
) with (fillfactor = 70);
create index on product_stock (store_id, sold, product_id);
create index on product_stock (store_id, in_stock, product_id);

-- The sections `details` and `seo`, which only the page of a product shows.
create table product_content (
  store_id          bigint not null,
  product_id        bigint not null,
  short_description text,
  description_html  text,
  youtube_url       text,
  delivered_message text,
  highlights        jsonb  not null,
  meta_title        text,
  meta_description  text,
  og_title          text,
  og_description    text,
  og_image_url      text,
  primary key (store_id, product_id),
  foreign key (store_id, product_id) references product
);

create table product_media (
  store_id   bigint         not null,
  id         bigint         generated always as identity,
  product_id bigint         not null,
  kind       text           not null check (kind in ('image', 'video')),
  url        text           not null,
  position   integer        not null,
  is_main    boolean        not null,
  meta       jsonb          not null default '{}',
  created_at timestamptz(3) not null,
  primary key (store_id, id),
  foreign key (store_id, product_id) references product
);
create index on product_media (store_id, product_id, position);

-- `product_count` is the number of rows in `product_category`. The statements that change those rows update it.
create table category (
  store_id      bigint         not null references store,
  id            bigint         generated always as identity,
  name          text           not null,
  icon          text,
  slug          text           collate "C" not null,
  description   text,
  image_url     text,
  visibility    text           not null check (visibility in ('public', 'unlisted')),
  position      integer        not null,
  product_count integer        not null default 0 check (product_count >= 0),
  created_at    timestamptz(3) not null,
  updated_at    timestamptz(3) not null,
  primary key (store_id, id),
  unique (store_id, slug)
);

create table product_category (
  store_id    bigint not null,
  product_id  bigint not null,
  category_id bigint not null,
  primary key (store_id, product_id, category_id),
  foreign key (store_id, product_id) references product,
  foreign key (store_id, category_id) references category on delete cascade
);
create index on product_category (store_id, category_id, product_id);

create table variant (
  store_id            bigint         not null,
  id                  bigint         generated always as identity check (id < 9007199254740992),
  product_id          bigint         not null,
  name                text           not null,
  slug                text           collate "C" not null,
  delivery_type       text           not null check (delivery_type in ('serial', 'file', 'service', 'dynamic', 'physical', 'license')),
  price_cents         bigint         not null check (price_cents >= 0),
  discount_percent    numeric(5, 2)  not null check (discount_percent between 0 and 100),
  compare_at_cents    bigint         check (compare_at_cents >= 0),
  is_default          boolean        not null,
  active              boolean        not null,
  sort_order          integer        not null,
  image_url           text,
  stock_mode          text           not null check (stock_mode in ('calculated', 'manual', 'unlimited')),
  sku                 text,
  barcode             text,
  weight_grams        integer        check (weight_grams >= 0),
  track_inventory     boolean        not null,
  allow_backorder     boolean        not null,
  low_stock_threshold integer        check (low_stock_threshold >= 0),
  option_values       text[]         not null default '{}',
  mode_changes        integer        not null default 0,
  -- The size of one unit, for volumetric rates. A separate endpoint shows it, because the shape of a variant is fixed.
  length_cm           numeric(8, 2)  check (length_cm > 0),
  width_cm            numeric(8, 2)  check (width_cm > 0),
  height_cm           numeric(8, 2)  check (height_cm > 0),
  created_at          timestamptz(3) not null,
  updated_at          timestamptz(3) not null,
  deleted_at          timestamptz(3),
  primary key (store_id, id),
  foreign key (store_id, product_id) references product
);
create index on variant (store_id, product_id, sort_order);
create unique index variant_default_once on variant (store_id, product_id) where is_default and deleted_at is null;
create unique index variant_slug_taken on variant (store_id, product_id, slug) where deleted_at is null;
create unique index variant_sku_taken on variant (store_id, sku) where deleted_at is null;

-- The stock counters of a variant. A separate table, because every sale updates them. `on_hand` is the number of
-- available keys (`stock_mode` calculated) or the number that the seller set (manual). `reserved` is the sum of
-- order_item.reserved. `sold` is the number of units sold so far.
create table stock (
  store_id   bigint not null,
  variant_id bigint not null,
  on_hand    bigint not null default 0 check (on_hand >= 0),
  reserved   bigint not null default 0 check (reserved >= 0),
  sold       bigint not null default 0 check (sold >= 0),
  -- A copy of variant.mode_changes. If it differs after a wait for the lock of this row, the variant must be read
  -- again.
  mode_changes integer not null default 0,
  primary key (store_id, variant_id),
  foreign key (store_id, variant_id) references variant
) with (fillfactor = 50);

create table stock_key (
  store_id   bigint         not null,
  id         bigint         generated always as identity check (id < 9007199254740992),
  variant_id bigint         not null,
  value_enc  bytea          not null,
  value_hmac bytea          not null,
  status     text           not null check (status in ('available', 'reserved', 'sold', 'burned', 'revoked')),
  order_id   text           collate "C",
  sold_at    timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (store_id, id),
  foreign key (store_id, variant_id) references variant
);
create unique index stock_key_once on stock_key (store_id, variant_id, value_hmac);
create index stock_key_available on stock_key (store_id, variant_id, id) where status = 'available';
create index stock_key_gone on stock_key (store_id, variant_id, status, id) where status <> 'available';
