-- outside a transaction
-- The outbox is sorted by the time of creation, so that a page of a period reads only its own mail. The index also serves
-- the deletion by age.
create index concurrently if not exists mail_by_creation on mail (store_id, created_at desc, id desc);
