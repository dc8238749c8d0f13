-- outside a transaction
create index concurrently if not exists mail_by_status on mail (store_id, status, id desc);
