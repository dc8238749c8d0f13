-- outside a transaction
create index concurrently if not exists stock_key_import on stock_key (store_id, variant_id, import_id) where import_id is not null;
