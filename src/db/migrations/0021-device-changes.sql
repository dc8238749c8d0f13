-- How often the holder of a license may free a device within 30 days; null is without limit (decision 119).
alter table license_policy add column max_device_changes integer check (max_device_changes between 0 and 1000);
alter table license_key
  add column max_device_changes integer check (max_device_changes between 0 and 1000),
  -- When the holder freed devices in the past 30 days, the latest 1000 of them.
  add column device_changes timestamptz(3)[] not null default '{}';
