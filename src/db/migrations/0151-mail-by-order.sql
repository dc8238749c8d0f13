-- outside a transaction
-- The mail of an order, the newest first.
create index concurrently if not exists mail_by_order on mail (store_id, order_id, id desc) where order_id is not null;
