-- When the person was removed (decision 140). The row stays for the orders and the balance.
alter table customer add column erased_at timestamptz(3);

-- What erasure finds a person by.
create index mail_of_recipient on mail (store_id, recipient);
create index stock_alert_of_email on stock_alert (store_id, email);
-- Ids of orders grow with time, so a sale adds to the end of this index.
create index event_of_object on event (store_id, object_id);
