-- The token of the running call. Only the call with this token may store its result (decision 122). Null once the call
-- is answered.
alter table idempotent_answer add column lease_token text;
