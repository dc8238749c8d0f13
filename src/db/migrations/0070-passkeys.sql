-- The passkeys of users.
create table user_passkey (
  id            bigint         generated always as identity primary key check (id < 9007199254740992),
  user_id       bigint         not null references dashboard_user,
  -- The credential id as base64url, as browsers send it.
  credential_id text           collate "C" not null unique,
  -- The public key in COSE format.
  public_key    bytea          not null,
  -- The signature counter of the authenticator; 0 if it does not count.
  counter       bigint         not null check (counter >= 0),
  transports    text[]         not null,
  backed_up     boolean        not null,
  name          text           not null,
  created_at    timestamptz(3) not null,
  last_used_at  timestamptz(3)
);
create index user_passkey_by_user on user_passkey (user_id, id);

-- The hashes of answered challenges, stored until they expire, so that each challenge is answered once. Challenges that
-- were not answered are not stored.
create table used_challenge (
  challenge_hash bytea          primary key,
  expires_at     timestamptz(3) not null
);
create index used_challenge_by_age on used_challenge (expires_at);
