-- Finds what is older than 30 days. By its number it cannot be found: a process may draw numbers long
-- before it uses them.
create index on event (store_id, created_at);
