-- outside a transaction
-- The sessions of a store, by the end of their lease (decision 329).
create index concurrently if not exists client_session_by_lease on client_session (store_id, lease_expires_at, id);
