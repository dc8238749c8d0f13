-- Mail that was sent, or refused for good, loses its text at once (decision 128); its subject stays.
alter table mail
  alter content_enc drop not null,
  add column subject text,
  add column sent_at timestamptz(3);

update mail set content_enc = null where status in ('sent', 'failed');

-- Finds what a retention job deletes.
create index mail_by_age on mail (store_id, created_at) where status <> 'queued';

-- One row: when a process that has a mail server last looked for mail. While one does, the others leave
-- mail alone. Machine time.
create table mail_sender (
  one     boolean        primary key default true check (one),
  seen_at timestamptz(3) not null
);
