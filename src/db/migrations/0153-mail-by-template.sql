-- outside a transaction
create index concurrently if not exists mail_by_template on mail (store_id, template, id desc);
