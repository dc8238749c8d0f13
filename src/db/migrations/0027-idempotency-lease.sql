-- Fences a call that talks to the network: only the holder of this token may store its result
-- (decision 122). Null once the call is answered.
alter table idempotent_answer add column lease_token text;
