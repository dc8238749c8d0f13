create table shipping_zone (
  store_id  bigint  not null references store,
  id        bigint  generated always as identity check (id < 9007199254740992),
  name      text    not null,
  countries text[]  not null check (cardinality(countries) > 0),
  regions   jsonb   not null,
  active    boolean not null,
  position  integer not null check (position >= 0),
  primary key (store_id, id)
);
create index on shipping_zone (store_id, position, id);

create table shipping_rate (
  store_id           bigint  not null,
  id                 bigint  generated always as identity check (id < 9007199254740992),
  zone_id            bigint  not null,
  position           integer not null check (position >= 0),
  name               text    not null,
  description        text,
  carrier_code       text    not null,
  calc_type          text    not null check (calc_type in ('flat', 'weight', 'volumetric', 'order_total', 'item_count')),
  price_cents        bigint  not null check (price_cents >= 0),
  tiers              jsonb   not null check (calc_type = 'flat' or jsonb_array_length(tiers) > 0),
  volumetric_divisor integer check (volumetric_divisor > 0),
  free_over_cents    bigint  check (free_over_cents >= 0),
  min_days           integer check (min_days >= 0),
  max_days           integer check (max_days >= 0 and max_days >= min_days),
  active             boolean not null,
  primary key (store_id, id),
  foreign key (store_id, zone_id) references shipping_zone on delete cascade
);
create index on shipping_rate (store_id, zone_id, position);

-- The addresses from which parcels are sent.
create table location (
  store_id    bigint  not null references store,
  id          bigint  generated always as identity check (id < 9007199254740992),
  name        text    not null,
  line1       text    not null,
  line2       text,
  city        text    not null,
  region      text,
  postal_code text,
  country     text    not null,
  phone       text,
  active      boolean not null,
  is_default  boolean not null,
  primary key (store_id, id)
);
create unique index location_default_once on location (store_id) where is_default;
