-- The slots that each process uses. The processes together use at most ten of an endpoint (decision 126). A process
-- writes its row at each claim. The row has arrays, so that it is one row instead of one for each endpoint.
create table webhook_worker (
  id           text           primary key,
  store_ids    bigint[]       not null,
  endpoint_ids bigint[]       not null,
  slots        integer[]      not null,
  -- The end of the newest lease of the process. No request of the process runs longer.
  held_until   timestamptz(3) not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);
