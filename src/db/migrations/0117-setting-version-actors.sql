-- The name of the user or the API key that saved a version, as in the audit trail. It is null for versions that were saved
-- before.
alter table remote_setting_version add column actor_name text;
