-- Few of many keys may have expired. With the default of 100 steps, the planner takes 50 expired keys of 500,000 for
-- 1,800 and reads the keys from the newest one on.
alter table license_key alter column expires_at set statistics 400;
analyze license_key;
