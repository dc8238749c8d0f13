-- outside a transaction
-- A range is filed under the smallest range of whole bytes around it (decision 309).
create index concurrently if not exists blocklist_entry_around on blocklist_entry (store_id, set_masklen(range, masklen(range) / 8 * 8)) where range is not null;
