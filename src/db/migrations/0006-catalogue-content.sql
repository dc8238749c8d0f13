-- A stored file, and the number of records that refer to it. A file without a reference is removed at `remove_at`: a
-- day after it was stored, or immediately after its last reference was deleted.
create table blob (
  store_id   bigint         not null references store,
  id         text           collate "C" not null,
  uses       integer        not null default 0 check (uses >= 0),
  remove_at  timestamptz(3),
  created_at timestamptz(3) not null default now(),
  primary key (store_id, id),
  check ((uses = 0) = (remove_at is not null))
);
create index blob_to_remove on blob (remove_at) where uses = 0;

-- The stored file of a picture. `url` is then a path of this server. It is null for a picture at another address.
alter table product_media
  add column blob_id text collate "C",
  add foreign key (store_id, blob_id) references blob;
create unique index product_media_main_once on product_media (store_id, product_id) where is_main;

-- The files that customers of a product download. A file may belong to one variant.
create table product_file (
  store_id   bigint         not null,
  id         bigint         generated always as identity check (id < 9007199254740992),
  product_id bigint         not null,
  variant_id bigint,
  blob_id    text           collate "C" not null,
  name       text           not null,
  size_bytes bigint         not null check (size_bytes >= 0),
  mime_type  text           not null,
  sha256     text           not null,
  created_at timestamptz(3) not null,
  primary key (store_id, id),
  foreign key (store_id, product_id) references product,
  foreign key (store_id, variant_id) references variant,
  foreign key (store_id, blob_id) references blob
);
create index on product_file (store_id, product_id, id);

-- Email addresses to notify when a product is in stock again.
create table stock_alert (
  store_id    bigint         not null,
  id          bigint         generated always as identity check (id < 9007199254740992),
  product_id  bigint         not null,
  variant_id  bigint,
  email       text           not null,
  status      text           not null check (status in ('pending', 'notified', 'unsubscribed')),
  notified_at timestamptz(3),
  created_at  timestamptz(3) not null,
  primary key (store_id, id),
  foreign key (store_id, product_id) references product,
  foreign key (store_id, variant_id) references variant
);
create index on stock_alert (store_id, product_id, status, id);
create index stock_alert_waiting on stock_alert (store_id, email) where status = 'pending';
create unique index stock_alert_pending_once
  on stock_alert (store_id, product_id, coalesce(variant_id, 0), email) where status = 'pending';

-- Mail, inserted in the transaction of the change that it reports. All recipients of a message share its encrypted
-- text. Mail of a test side has the status `kept` and is not sent (decision 4). `due_at` is machine time.
create table mail (
  store_id    bigint         not null references store,
  id          bigint         generated always as identity check (id < 9007199254740992),
  message     text           collate "C" not null,
  content_enc bytea          not null,
  recipient   text           not null,
  status      text           not null check (status in ('queued', 'sent', 'failed', 'kept')),
  attempts    integer        not null default 0,
  due_at      timestamptz(3) not null,
  error       text,
  created_at  timestamptz(3) not null,
  primary key (store_id, id)
);
create index mail_due on mail (due_at) where status = 'queued';
