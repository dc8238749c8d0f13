-- The bundle that a line of an order belongs to, with its name at the sale (decision 179). Lines of earlier orders
-- have none. `bundle_units` is the number of bundles for the first line of a bundle, and 0 for its other lines.
alter table order_item
  add column bundle_product_id bigint,
  add column bundle_hash text collate "C",
  add column bundle_name text,
  add column bundle_units integer check (bundle_units >= 0);
alter table order_item
  add constraint order_item_bundle_complete
    check (num_nulls(bundle_product_id, bundle_hash, bundle_name, bundle_units) in (0, 4)) not valid;
alter table order_item
  add constraint order_item_bundle foreign key (store_id, bundle_product_id) references product not valid;
