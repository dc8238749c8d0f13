-- A change of stock counters that were read without a lock calls this when it does not find what was expected. The code
-- is that of a serialization failure, so the transaction is repeated.
create function stock_has_changed() returns bigint language plpgsql as $$
begin
  raise exception 'The stock has changed since it was read.' using errcode = 'serialization_failure';
end
$$;
