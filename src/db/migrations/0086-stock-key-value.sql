-- outside a transaction
-- Finds a stock key in all variants of a store by the hash of its text (decision 328).
create index concurrently if not exists stock_key_value on stock_key (store_id, value_hmac);
