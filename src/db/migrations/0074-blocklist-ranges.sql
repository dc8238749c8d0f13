-- The range of an entry for an IP address, so that a few probes of an index find all that contain an address.
alter table blocklist_entry
  add column range cidr generated always as (case when type = 'ip' then value::cidr end) stored;
