-- outside a transaction
-- Finds the orders of a bundle, and the bundle's sold units for `doctor`.
create index concurrently if not exists order_item_by_bundle
  on order_item (store_id, bundle_product_id) where bundle_product_id is not null;
