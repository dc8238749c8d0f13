-- The wording of a store for a kind of mail in a language. Without a row the built-in text is used.
create table mail_template (
  store_id   bigint         not null references store,
  template   text           collate "C" not null,
  language   text           collate "C" not null check (language in ('en', 'de', 'es')),
  subject    text           not null,
  body_text  text           not null,
  updated_at timestamptz(3) not null,
  primary key (store_id, template, language)
);

alter table store
  -- The name of the sender of mail; null for the name of the store.
  add column mail_from_name  text,
  add column language        text collate "C" not null default 'en' check (language in ('en', 'de', 'es')),
  -- True if orders that were made with an API key get mail too.
  add column mail_api_orders boolean not null default false;

alter table "order"
  -- The language of mail to the buyer, and of the order page.
  add column language text collate "C" not null default 'en',
  -- True if a user of the dashboard made the order.
  add column by_user  boolean not null default false;

alter table mail
  add column order_id   text collate "C",
  -- The event or record of the order that the mail reports. Null for mail that can be sent again.
  add column cause      text collate "C",
  add column bounced_at timestamptz(3),
  drop constraint mail_status_check,
  add constraint mail_status_check check (status in ('queued', 'sent', 'failed', 'kept', 'bounced'));
