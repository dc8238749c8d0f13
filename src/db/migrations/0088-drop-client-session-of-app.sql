-- client_session_open serves it too: it begins with the same columns.
drop index if exists client_session_of_app;
