-- The IP range of an entry, so that a few index lookups find all entries that contain an address.
alter table blocklist_entry
  add column range cidr generated always as (case when type = 'ip' then value::cidr end) stored;
