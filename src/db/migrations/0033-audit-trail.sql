-- The audit events of all APIs and commands: actor, origin and changes (decision 124). Events of the Client Security
-- API keep `record_type`, `record_id` and the hashes for the list of that API.
alter table audit_event
  alter column record_type drop not null,
  alter column record_id drop not null,
  -- The foreign key would lock the row of the store at each insert.
  drop constraint audit_event_store_id_fkey,
  add column actor_type text check (actor_type in ('api_key', 'user', 'command_line', 'customer', 'system')),
  add column actor_id   text collate "C",
  add column actor_name text,
  add column request_id text,
  add column object     text,
  add column object_id  text collate "C",
  add column changes    jsonb not null default '{}';

update audit_event e
   set actor_type = case when actor_key_id is null then 'system' else 'api_key' end,
       actor_id   = actor_key_id::text,
       actor_name = (select k.name from api_key k where k.id = e.actor_key_id),
       object     = record_type,
       object_id  = record_id::text;

alter table audit_event
  alter column actor_type set not null,
  alter column object set not null;

drop index audit_event_store_id_record_type_id_idx;
drop index audit_event_store_id_record_id_id_idx;
drop index audit_event_store_id_action_id_idx;
create index audit_event_by_actor  on audit_event (store_id, actor_id, id) where actor_id is not null;
create index audit_event_by_object on audit_event (store_id, object_id, id) where object_id is not null;
create index audit_event_by_action on audit_event (store_id, action, id);
create index audit_event_records        on audit_event (store_id, id) where record_id is not null;
create index audit_event_by_record      on audit_event (store_id, record_id, id) where record_id is not null;
create index audit_event_by_record_type on audit_event (store_id, record_type, id) where record_id is not null;

-- The actors that recorded a payment or a refund, and that reviewed a payment. Null for older records.
alter table payment add column actor jsonb, add column reviewed_by jsonb;
alter table refund add column actor jsonb;
