-- Slots of endpoints that each process uses. Together they are at most ten an endpoint (decision 126).
-- A row is written with each claim, so it holds lists: one row a process instead of one an endpoint.
create table webhook_worker (
  id           text           primary key,
  store_ids    bigint[]       not null,
  endpoint_ids bigint[]       not null,
  slots        integer[]      not null,
  -- Like the lease of what the process claimed last: nothing it holds runs longer.
  held_until   timestamptz(3) not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);
