-- outside a transaction
-- A change of an order is reported once.
create unique index concurrently if not exists mail_once on mail (store_id, order_id, template, cause) where cause is not null;
