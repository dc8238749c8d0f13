-- Public keys with which users sign in.
create table user_passkey (
  id            bigint         generated always as identity primary key check (id < 9007199254740992),
  user_id       bigint         not null references dashboard_user,
  -- As browsers write it, base64url.
  credential_id text           collate "C" not null unique,
  -- COSE.
  public_key    bytea          not null,
  -- How often the authenticator signed; 0 where it does not count.
  counter       bigint         not null check (counter >= 0),
  transports    text[]         not null,
  backed_up     boolean        not null,
  name          text           not null,
  created_at    timestamptz(3) not null,
  last_used_at  timestamptz(3)
);
create index user_passkey_by_user on user_passkey (user_id, id);

-- Challenges are signed and not stored; those that were answered are, until they end, so that each is answered once.
create table used_challenge (
  challenge_hash bytea          primary key,
  expires_at     timestamptz(3) not null
);
create index used_challenge_by_age on used_challenge (expires_at);
