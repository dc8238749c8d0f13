-- The time at which an attempt was signed, and the time from which the secret is used, both in machine time. They allow
-- the request of an attempt to be computed again (decision 375).
alter table webhook_delivery add column signed_at timestamptz(3);
alter table webhook_attempt add column signed_at timestamptz(3);
alter table webhook_endpoint add column secret_from timestamptz(3);

-- The list of deliveries has a page of its own now, so saved views of it move there (decision 376).
update saved_view set page = 'events/deliveries' where page = 'events';

-- The newest backups of the command `backup`, for the page of the system (decision 380). They belong to the whole
-- installation.
create table backup_record (
  id      bigint         generated always as identity primary key,
  file    text           not null,
  bytes   bigint         not null,
  sha256  text           not null,
  made_at timestamptz(3) not null
);
