-- The former contents of a server-side file (decision 381). `version` is the last version of the file that had the
-- content.
create table serverside_file_version (
  store_id     bigint         not null,
  file_id      bigint         not null,
  version      bigint         not null,
  filename     text           not null,
  content_type text           not null,
  size_bytes   bigint         not null check (size_bytes >= 0),
  sha256       text           not null,
  storage      text           not null check (storage in ('local', 's3')),
  blob_id      text           collate "C" not null,
  replaced_at  timestamptz(3) not null,
  actor_key_id bigint,
  primary key (store_id, file_id, version),
  foreign key (store_id, file_id) references serverside_file on delete cascade,
  foreign key (store_id, blob_id) references blob
);
-- For the deletion of a stored file, which checks that no record refers to it.
create index serverside_file_version_by_blob on serverside_file_version (store_id, blob_id);
