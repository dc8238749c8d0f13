-- outside a transaction
-- Completed orders with items to ship, which the dashboard counts.
create index concurrently if not exists order_to_ship on "order" (store_id, id) where status = 'completed' and fulfillment_status in ('unfulfilled', 'partial');
