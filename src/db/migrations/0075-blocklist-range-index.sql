-- outside a transaction
-- The key is the smallest range of whole bytes that contains the range of the entry (decision 309).
create index concurrently if not exists blocklist_entry_around on blocklist_entry (store_id, set_masklen(range, masklen(range) / 8 * 8)) where range is not null;
