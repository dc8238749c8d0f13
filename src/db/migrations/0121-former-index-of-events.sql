-- The index event_of_record replaces this one.
drop index event_of_object;
