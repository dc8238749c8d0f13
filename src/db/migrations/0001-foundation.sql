-- Formats a time for JSON that SQL builds, in the form of the API. to_json would write an offset instead of Z.
create function iso(moment timestamptz) returns text
  language sql stable strict parallel safe
  return to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

-- The public ids of the master keys that encrypted rows of this database. A process without one of these keys refuses
-- to start.
create table secrets_key (
  kid        text           primary key,
  created_at timestamptz(3) not null default now()
);

-- The encrypted secrets of the installation, such as the pepper of the keyed hashes.
create table installation_secret (
  name      text  primary key,
  value_enc bytea not null
);

create table account (
  id         bigint         generated always as identity primary key,
  name       text           not null,
  created_at timestamptz(3) not null
);

-- A store has two rows, its live side and its test side. They share only the account and the slug.
create table store (
  id              bigint         generated always as identity primary key check (id < 9007199254740992),
  account_id      bigint         not null references account,
  hash            text           collate "C" not null unique,
  slug            text           not null,
  name            text           not null,
  livemode        boolean        not null,
  currency        text           not null check (currency ~ '^[A-Z]{3}$'),
  plan            text           not null check (plan in ('free', 'starter', 'growth', 'scale', 'self_hosted')),
  features        jsonb          not null default '{}',
  settings        jsonb          not null default '{}',
  clock_offset_ms bigint         not null default 0 check (clock_offset_ms between 0 and 400000000000),
  quota_month     text           not null default '',
  quota_used      bigint         not null default 0,
  created_at      timestamptz(3) not null,
  unique (slug, livemode),
  check (not livemode or clock_offset_ms = 0)
);
create index on store (account_id);

-- If `store_ids` is null, the key is valid for all stores of its account, on one side.
create table api_key (
  id           bigint         generated always as identity primary key,
  account_id   bigint         not null references account,
  kind         text           not null check (kind in ('store', 'security')),
  livemode     boolean        not null,
  hash         bytea          not null unique,
  last4        text           not null,
  name         text           not null,
  permissions  text[]         not null,
  allowed_ips  text[]         not null default '{}',
  store_ids    bigint[],
  rate_limit   integer        not null default 300 check (rate_limit >= 0),
  expires_at   timestamptz(3),
  last_used_at timestamptz(3),
  revoked_at   timestamptz(3),
  created_at   timestamptz(3) not null
);
create index on api_key (account_id);

-- The answers to calls with an Idempotency-Key, as encrypted bytes. They are kept for 24 hours.
create table idempotent_answer (
  store_id     bigint         not null references store,
  api_key_id   bigint         not null,
  key          text           collate "C" not null,
  request_hash bytea          not null,
  -- The end of the lease of a running call that waits for another server. Null once the call is answered.
  running_until timestamptz(3),
  status       smallint,
  body_enc     bytea,
  created_at   timestamptz(3) not null,
  primary key (store_id, api_key_id, key)
);
create index on idempotent_answer (created_at);
