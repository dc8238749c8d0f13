-- outside a transaction
-- Orders on hold. Lists write the condition in the same way.
create index concurrently if not exists order_on_hold on "order" (store_id, created_at desc, id desc)
  where hold is not null;
