-- The text of mail is deleted once the mail was sent or permanently refused (decision 128). Its subject is kept.
alter table mail
  alter content_enc drop not null,
  add column subject text,
  add column sent_at timestamptz(3);

update mail set content_enc = null where status in ('sent', 'failed');

-- For the retention job.
create index mail_by_age on mail (store_id, created_at) where status <> 'queued';

-- One row: the machine time at which a process with a mail server last looked for mail. While that is recent, processes
-- without a mail server leave mail to it.
create table mail_sender (
  one     boolean        primary key default true check (one),
  seen_at timestamptz(3) not null
);
