-- The name of the user or the API key that replaced the content, as in the audit trail. Null for contents that were
-- replaced before this migration.
alter table serverside_file_version add column actor_name text;
