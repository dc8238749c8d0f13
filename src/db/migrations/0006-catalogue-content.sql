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
