-- Retention jobs find old records by store and age, because each store has a clock.
create index idempotent_answer_by_age on idempotent_answer (store_id, created_at);
drop index idempotent_answer_created_at_idx;
create index client_session_by_end on client_session (store_id, lease_expires_at);
drop index client_session_forgotten;
create index stock_alert_by_age on stock_alert (store_id, coalesce(notified_at, created_at))
  where status <> 'pending';
create index webhook_endpoint_by_deletion on webhook_endpoint (store_id, deleted_at)
  where deleted_at is not null;
create index license_key_tombstone_by_age on license_key_tombstone (store_id, created_at);
