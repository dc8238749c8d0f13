-- The time at which the personal data was erased (decision 140). The row is kept for orders and the balance.
alter table customer add column erased_at timestamptz(3);

-- Indexes by which an erasure finds the records of a person.
create index mail_of_recipient on mail (store_id, recipient);
create index stock_alert_of_email on stock_alert (store_id, email);
-- Ids of orders increase with time, so a sale adds to the end of this index.
create index event_of_object on event (store_id, object_id);
