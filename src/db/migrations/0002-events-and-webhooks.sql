create sequence event_no;
create sequence webhook_lease;

-- All events, including those without a webhook endpoint. The public id is evt_ and the base 62 text of (no, tag), so
-- it needs no index. `payload_enc` contains the encrypted bytes that are signed.
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
-- Finds events older than 30 days. `no` cannot find them, because a process may reserve numbers long before it uses
-- them.
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
  -- For the endpoint of `tradepost webhooks listen`: the endpoint is deleted if the listener does not poll until then.
  listening_until   timestamptz(3),
  -- True while a job moves the deliveries of an endpoint that was turned on, turned off or deleted.
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

-- One row for each event with webhook endpoints whose first attempts are not all recorded. The id of a delivery is no *
-- 32 + the position of its endpoint in `endpoint_ids`, so it is known before the delivery has a row. A position is 0
-- once nothing is left to send for it. There is no other index, so that a lease is a HOT update.
create table webhook_fanout (
  store_id     bigint         not null,
  no           bigint         not null,
  endpoint_ids bigint[]       not null,
  lease_token  bigint         not null default 0,
  lease_until  timestamptz(3) not null default '-infinity',
  primary key (store_id, no)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);

-- A delivery has a row once its first attempt is recorded, or once it has to wait. The row contains the newest attempt.
-- The primary key rejects a late result of a first attempt, because the row exists by then. There is no foreign key to
-- the endpoint, because each insert would lock the endpoint's row.
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

-- Deliveries that wait for another attempt, a free slot, or (with `due_at` = infinity) their endpoint to be turned on.
-- `step` is the number of used attempts of the schedule of seven. A lost lease uses none.
create table webhook_retry (
  store_id    bigint         not null,
  delivery_id bigint         not null,
  endpoint_id bigint         not null,
  step        smallint       not null,
  lost        smallint       not null default 0,
  due_at      timestamptz(3) not null,
  lease_token bigint         not null default 0,
  -- True while a resend has leased the delivery. If it fails, `due_at` gets the value of `resume_at`; null: the
  -- delivery had ended.
  by_hand     boolean        not null default false,
  resume_at   timestamptz(3),
  primary key (store_id, delivery_id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);
create index on webhook_retry (endpoint_id, due_at, delivery_id);
create index on webhook_retry (due_at) where by_hand;
-- Finds the endpoints with due deliveries. The deliveries of an endpoint that is off are all parked.
create index on webhook_retry (endpoint_id) where due_at < 'infinity';

-- Earlier attempts. The newest attempt is in the row of its delivery.
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

-- The deliveries that ended in each hour, by their outcome (decision 49).
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

-- The changes of webhook_stat_hour by a batch of results, as arrays: one row for each batch instead of one for each
-- endpoint. A job adds them to the hours every second. A batch may contain several stores, so the key has no store.
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

-- These tables grow fast and are read by their keys, so a small sample is enough for the planner. A large one would
-- delay all statements each time a table has doubled.
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
