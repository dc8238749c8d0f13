-- Settings of a store (decision 144). `settings` is no longer read or written.
alter table store
  add column order_expiry_minutes integer not null default 60 check (order_expiry_minutes between 15 and 10080),
  -- The name of a time zone in the IANA database.
  add column time_zone            text    not null default 'UTC',
  add column return_address       jsonb,
  add column support_email        text,
  add check (auto_review_days between 1 and 30),
  add check (return_window_days between 0 and 365);

update store
   set order_expiry_minutes = (settings->>'order_expiry_minutes')::integer
 where settings ? 'order_expiry_minutes';
