-- The import that added a key, so that it can be undone (decision 321).
alter table stock_key add column import_id text;
