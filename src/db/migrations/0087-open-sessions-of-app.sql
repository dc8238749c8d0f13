-- outside a transaction
-- The open sessions of an app, by the end of their lease (decision 329).
create index concurrently if not exists client_session_open on client_session (store_id, app_id, lease_expires_at, id) where ended_at is null;
