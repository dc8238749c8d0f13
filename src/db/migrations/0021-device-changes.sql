-- The number of devices that a customer may free in 30 days; null means no limit (decision 119).
alter table license_policy add column max_device_changes integer check (max_device_changes between 0 and 1000);
alter table license_key
  add column max_device_changes integer check (max_device_changes between 0 and 1000),
  -- The times at which the customer freed devices in the past 30 days, at most the latest 1000.
  add column device_changes timestamptz(3)[] not null default '{}';
