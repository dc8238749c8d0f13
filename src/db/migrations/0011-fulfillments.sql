-- A parcel of an order. Its location may be deleted; answers then show no location.
create table fulfillment (
  store_id        bigint         not null,
  id              bigint         generated always as identity check (id < 9007199254740992),
  order_id        text           collate "C" not null,
  status          text           not null check (status in ('open', 'shipped', 'delivered', 'cancelled', 'failed')),
  shipment_status text           check (shipment_status in ('label_printed', 'in_transit', 'out_for_delivery', 'attempted_delivery', 'delivered', 'failure')),
  location_id     bigint,
  carrier_code    text           not null,
  tracking_number text,
  tracking_url    text,
  shipped_at      timestamptz(3),
  delivered_at    timestamptz(3),
  created_at      timestamptz(3) not null,
  updated_at      timestamptz(3) not null,
  primary key (store_id, id),
  foreign key (store_id, order_id) references "order"
);
create index on fulfillment (store_id, order_id, id);
create index on fulfillment (store_id, created_at desc, id desc);
create index on fulfillment (store_id, status, created_at desc, id desc);

create table fulfillment_item (
  store_id       bigint  not null,
  fulfillment_id bigint  not null,
  order_item_id  bigint  not null,
  quantity       integer not null check (quantity > 0),
  primary key (store_id, fulfillment_id, order_item_id),
  foreign key (store_id, fulfillment_id) references fulfillment,
  foreign key (store_id, order_item_id) references order_item
);
