-- The contents of products of the kind `bundle`. An order of a bundle has these variants as its lines.
create table bundle_item (
  store_id   bigint  not null,
  product_id bigint  not null,
  position   integer not null,
  variant_id bigint  not null,
  quantity   integer not null check (quantity > 0),
  primary key (store_id, product_id, position),
  unique (store_id, product_id, variant_id),
  foreign key (store_id, product_id) references product,
  foreign key (store_id, variant_id) references variant
);
create index on bundle_item (store_id, variant_id);
