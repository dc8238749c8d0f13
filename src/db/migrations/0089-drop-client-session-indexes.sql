-- client_session_open and client_session_by_lease begin with the same columns, and serve the same statements.
drop index if exists client_session_of_app;
drop index if exists client_session_by_end;
