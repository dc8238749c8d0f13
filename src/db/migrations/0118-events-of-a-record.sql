-- outside a transaction
-- With the number, the index returns the events of a record in their order. Without it, the planner could read all
-- events in their order and discard those of other records.
create index concurrently if not exists event_of_record on event (store_id, object_id, no);
