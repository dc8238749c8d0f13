-- Texts with which a team answers tickets (decision 369).
create table saved_reply (
  store_id   bigint         not null references store,
  id         bigint         generated always as identity check (id < 9007199254740992),
  name       text           not null,
  body       text           not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (store_id, id),
  constraint saved_reply_once unique (store_id, name)
);

-- Photos of the items of a return (decision 370). The files are blobs.
create table return_photo (
  store_id   bigint         not null,
  id         bigint         generated always as identity check (id < 9007199254740992),
  return_id  bigint         not null,
  blob_id    text           collate "C" not null,
  extension  text           not null,
  size_bytes bigint         not null check (size_bytes > 0),
  created_at timestamptz(3) not null,
  primary key (store_id, id),
  foreign key (store_id, return_id) references order_return,
  foreign key (store_id, blob_id) references blob
);
create index return_photo_of_return on return_photo (store_id, return_id, id);
