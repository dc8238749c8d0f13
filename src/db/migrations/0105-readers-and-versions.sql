-- The license keys that read a string, a file or the settings of an app (decision 374). For settings `record_id` is the
-- id of the app. `key_id` is 0 for sessions without a license key.
create table record_read (
  store_id  bigint         not null,
  kind      text           collate "C" not null check (kind in ('string', 'file', 'settings')),
  record_id bigint         not null,
  key_id    bigint         not null,
  device_id bigint,
  reads     bigint         not null,
  last_at   timestamptz(3) not null,
  primary key (store_id, kind, record_id, key_id)
);
create index record_read_newest on record_read (store_id, kind, record_id, last_at);
create index record_read_by_age on record_read (store_id, last_at);

-- The former versions of a string (decision 374).
create table serverside_string_version (
  store_id    bigint         not null,
  string_id   bigint         not null,
  version     bigint         not null,
  name        text           collate "C" not null,
  status      text           not null check (status in ('active', 'inactive')),
  value_enc   bytea          not null,
  access      text           not null check (access in ('licensed', 'session', 'public')),
  min_level   integer        not null,
  description text,
  created_at  timestamptz(3) not null,
  primary key (store_id, string_id, version),
  foreign key (store_id, string_id) references serverside_string on delete cascade
);
