-- outside a transaction
create index concurrently if not exists product_by_name on product
  (store_id, (lower(name) collate name_order), id) where deleted_at is null;
