-- Saved methods of erased people that the provider has to delete.
create table method_removal (
  store_id    bigint         not null references store,
  id          bigint         generated always as identity check (id < 9007199254740992),
  provider    text           not null,
  external_id text           not null,
  attempts    integer        not null default 0,
  due_at      timestamptz(3) not null,
  primary key (store_id, id)
);
create index on method_removal (due_at);
create index on method_removal (store_id, due_at);
