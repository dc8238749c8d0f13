-- A file in storage, and how many records show it. One that nobody uses is removed when its time has
-- come: a day after it came in, or at once when its last record went.
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

-- Where a picture lies in our storage `url` is its path, and `blob_id` says that it is ours.
alter table product_media
  add column blob_id text collate "C",
  add foreign key (store_id, blob_id) references blob;
create unique index product_media_main_once on product_media (store_id, product_id) where is_main;
