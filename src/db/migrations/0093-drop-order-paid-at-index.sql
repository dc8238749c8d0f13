-- order_by_payment begins with the same columns.
drop index if exists order_store_id_paid_at_id_idx;
