-- `order_in_excess` replaces it.
drop index if exists order_overpaid;
