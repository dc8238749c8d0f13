-- The renewal of which the customer was told: the `due_at` at that time.
alter table subscription add column noticed_due_at timestamptz(3);
