create sequence event_no;
create sequence webhook_lease;

-- Everything that happened, told to somebody or not. The public id is evt_ + base62 of (no, tag),
-- so it needs no index of its own. `payload_enc` holds the bytes that will be signed.
create table event (
  store_id    bigint         not null references store,
  no          bigint         not null,
  tag         bigint         not null,
  type        text           not null,
  object_id   text           not null,
  test        boolean        not null default false,
  payload_enc bytea          not null,
  created_at  timestamptz(3) not null,
  primary key (store_id, no)
);
create index on event (store_id, type, no);
create index on event (store_id, no) where test;
-- Finds what is older than 30 days. By its number it cannot be found: a process may draw numbers long
-- before it uses them.
create index on event (store_id, created_at);

create table webhook_endpoint (
  store_id          bigint         not null references store,
  id                bigint         generated always as identity,
  public_id         text           collate "C" not null,
  url               text           not null,
  description       text,
  events            text[]         not null,
  enabled           boolean        not null,
  secret_enc        bytea          not null,
  prev_secret_enc   bytea,
  prev_secret_until timestamptz(3),
  standard_headers  boolean        not null default false,
  -- Of `tradepost webhooks listen`: it is gone when nothing was heard of the listener until then.
  listening_until   timestamptz(3),
  -- More waits for it than was moved yet since it was turned on or off, or deleted.
  moving            boolean        not null default false,
  failures_in_row   integer        not null default 0,
  last_success_at   timestamptz(3),
  disabled_at       timestamptz(3),
  disabled_reason   text           check (disabled_reason in ('manual', 'failures')),
  deleted_at        timestamptz(3),
  created_at        timestamptz(3) not null,
  updated_at        timestamptz(3) not null,
  primary key (store_id, id),
  unique (id),
  unique (store_id, public_id)
) with (fillfactor = 50);

create index on webhook_endpoint (listening_until) where listening_until is not null and deleted_at is null;
create index on webhook_endpoint (id) where moving;

-- One row for each event that has somebody to tell, while its first tries are under way. A delivery's
-- id is no * 32 + the position of its endpoint here, so it is known before it has a row. Zero at a
-- position: nothing is left to do for it. No other index, which keeps the lease a HOT update.
create table webhook_fanout (
  store_id     bigint         not null,
  no           bigint         not null,
  endpoint_ids bigint[]       not null,
  lease_token  bigint         not null default 0,
  lease_until  timestamptz(3) not null default '-infinity',
  primary key (store_id, no)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);

-- Written once its first try is over (or it has to wait), with its newest attempt inside. The primary
-- key is the fence of first tries: a result that comes too late meets a row that is there already.
-- No foreign key to its endpoint: that row is never removed, and looking it up would lock it for each
-- delivery.
create table webhook_delivery (
  store_id        bigint         not null,
  id              bigint         not null,
  endpoint_id     bigint         not null,
  status          text           not null check (status in ('pending', 'succeeded', 'failed', 'cancelled')),
  attempts        integer        not null,
  next_attempt_at timestamptz(3),
  attempted_at    timestamptz(3),
  status_code     smallint,
  error           text,
  duration_ms     integer,
  response_body   text,
  manual          boolean        not null default false,
  worker_lost     boolean        not null default false,
  created_at      timestamptz(3) not null,
  updated_at      timestamptz(3) not null,
  primary key (store_id, id)
);
create index on webhook_delivery (store_id, endpoint_id, id);
create index on webhook_delivery (store_id, id) where status <> 'succeeded';

-- Deliveries that will be tried again, or wait: for a free place, or (due never) for their endpoint
-- to be turned on. `step` counts the tries that used up one of the seven; a lost lease does not.
create table webhook_retry (
  store_id    bigint         not null,
  delivery_id bigint         not null,
  endpoint_id bigint         not null,
  step        smallint       not null,
  lost        smallint       not null default 0,
  due_at      timestamptz(3) not null,
  lease_token bigint         not null default 0,
  -- A resend by hand holds it; if that fails, the delivery is due again as it was (never: it had ended).
  by_hand     boolean        not null default false,
  resume_at   timestamptz(3),
  primary key (store_id, delivery_id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);
create index on webhook_retry (endpoint_id, due_at, delivery_id);
create index on webhook_retry (due_at) where by_hand;
-- The endpoints to look at: of those that are turned off everything is parked.
create index on webhook_retry (endpoint_id) where due_at < 'infinity';

-- Older attempts; the newest is in the delivery.
create table webhook_attempt (
  store_id      bigint         not null,
  delivery_id   bigint         not null,
  attempt       integer        not null,
  status_code   smallint,
  error         text,
  duration_ms   integer,
  response_body text,
  manual        boolean        not null,
  worker_lost   boolean        not null,
  created_at    timestamptz(3) not null,
  primary key (store_id, delivery_id, attempt)
);

-- Deliveries that ended in each hour, by their outcome (decision 49).
create table webhook_stat_hour (
  store_id    bigint         not null,
  endpoint_id bigint         not null,
  hour        timestamptz(3) not null,
  succeeded   integer        not null,
  failed      integer        not null,
  duration_ms bigint         not null,
  last_at     timestamptz(3) not null,
  primary key (store_id, endpoint_id, hour)
);
create index on webhook_stat_hour (hour);

-- What a batch of results adds to the hours, as lists: one row a batch instead of one an endpoint. A job
-- folds them each second. It belongs to a worker and its moment, so no store leads its key.
create table webhook_stat_delta (
  id          bigint           primary key generated always as identity,
  store_id    bigint[]         not null,
  endpoint_id bigint[]         not null,
  hour        timestamptz(3)[] not null,
  succeeded   integer[]        not null,
  failed      integer[]        not null,
  duration_ms bigint[]         not null,
  last_at     timestamptz(3)[] not null
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);

-- These grow fast and are found by their keys, so a small sample plans as well as a large one, which
-- would hold everybody up each time they doubled.
do $$
declare grown record;
begin
  for grown in
    select attrelid::regclass as name, attname
      from pg_attribute
     where attnum > 0
       and attrelid in ('event'::regclass, 'webhook_fanout'::regclass, 'webhook_delivery'::regclass,
                        'webhook_retry'::regclass, 'webhook_attempt'::regclass)
  loop
    execute format('alter table %s alter %I set statistics 10', grown.name, grown.attname);
  end loop;
end $$;
