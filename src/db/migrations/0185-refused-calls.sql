-- outside a transaction
-- The request log filters refused calls by their status. They are few among up to 100,000 calls of a store, and an
-- accepted call costs no entry.
create index concurrently if not exists api_call_refused on api_call (store_id, request_id desc) where status >= 400;
