-- `payment_of_ledger` replaces it.
drop index if exists payment_in_ledger;
