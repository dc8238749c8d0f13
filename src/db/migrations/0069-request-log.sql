-- The calls with API keys, for the request log. Request ids begin with the time, so the primary key has the sequence of
-- the list. There is no foreign key, because an insert would lock the row of the store.
create table api_call (
  store_id    bigint         not null,
  request_id  text           collate "C" not null,
  created_at  timestamptz(3) not null,
  api_key_id  bigint         not null,
  api         text           not null check (api in ('store', 'security')),
  -- Null for a path that does not exist.
  operation   text,
  method      text           not null,
  path        text           not null,
  status      smallint       not null,
  error_code  text,
  duration_ms integer        not null,
  address     text           not null,
  -- The bodies with masked secrets, and the user agent.
  details_enc bytea          not null,
  primary key (store_id, request_id)
);

-- The number of calls of each API key by day and operation.
create table api_key_use (
  store_id     bigint         not null,
  api_key_id   bigint         not null,
  day          date           not null,
  operation    text           not null,
  permission   text           not null,
  calls        bigint         not null,
  -- The number of calls with a status of 4xx or 5xx.
  refused      bigint         not null,
  last_used_at timestamptz(3) not null,
  primary key (store_id, api_key_id, day, operation)
) with (fillfactor = 80);
create index api_key_use_by_day on api_key_use (store_id, day);

-- Filters of lists that users of the dashboard saved.
create table saved_view (
  store_id   bigint         not null references store,
  id         bigint         generated always as identity check (id < 9007199254740992),
  user_id    bigint         not null references dashboard_user,
  page       text           not null,
  name       text           not null,
  query      text           not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (store_id, id)
);
create index saved_view_by_user on saved_view (store_id, user_id, id);
