-- The users of the dashboard. Email addresses are stored in lower case.
create table dashboard_user (
  id              bigint         generated always as identity primary key check (id < 9007199254740992),
  email           text           collate "C" not null unique,
  name            text           not null,
  -- An argon2id hash; null until the user has set a password.
  password_hash   text,
  totp_secret_enc bytea,
  -- Null until the secret is confirmed.
  totp_enabled_at timestamptz(3),
  -- The newest accepted time step, so that a code is accepted once.
  totp_last_step  bigint         not null default 0,
  recovery_hashes bytea[]        not null default '{}',
  created_at      timestamptz(3) not null,
  check (totp_enabled_at is null or totp_secret_enc is not null)
);

-- The role of a user in a store. Both sides of a store have the same rows.
create table store_role (
  store_id   bigint         not null references store,
  user_id    bigint         not null references dashboard_user,
  role       text           not null check (role in ('owner', 'admin', 'staff', 'viewer')),
  created_at timestamptz(3) not null,
  primary key (store_id, user_id)
);
create index store_role_by_user on store_role (user_id);

create table user_session (
  id               bigint         generated always as identity primary key check (id < 9007199254740992),
  user_id          bigint         not null references dashboard_user,
  token_hash       bytea          not null unique,
  created_at       timestamptz(3) not null,
  seen_at          timestamptz(3) not null,
  -- The time at which the user last gave the password or a passkey in this session.
  stepped_up_at    timestamptz(3),
  -- True if a reset link started the session. The password can then be replaced without the former one.
  resets_password  boolean        not null default false,
  address          text           not null,
  user_agent       text           not null
);
create index user_session_by_user on user_session (user_id);
create index user_session_by_age on user_session (seen_at);

-- Links that can be used once. `sign_in` and `reset` are created by the operator, `mail_reset` is sent by mail.
create table user_token (
  token_hash bytea          primary key,
  user_id    bigint         not null references dashboard_user,
  kind       text           not null check (kind in ('sign_in', 'reset', 'mail_reset')),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create index user_token_by_user on user_token (user_id);
create index user_token_by_expiry on user_token (expires_at);

-- `store_id` is the live side. An accepted invitation grants the role on both sides.
create table user_invitation (
  store_id   bigint         not null references store,
  id         bigint         generated always as identity check (id < 9007199254740992),
  email      text           collate "C" not null,
  role       text           not null check (role in ('owner', 'admin', 'staff', 'viewer')),
  token_hash bytea          not null unique,
  -- Null if the command line created the invitation.
  invited_by bigint         references dashboard_user,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (store_id, id),
  unique (store_id, email)
);
create index user_invitation_by_expiry on user_invitation (expires_at);

-- The number of failed sign-ins by account, device and address. `name_hash` is a keyed hash of these.
create table sign_in_budget (
  name_hash bytea          primary key,
  tries     integer        not null,
  resets_at timestamptz(3) not null
);
create index sign_in_budget_by_age on sign_in_budget (resets_at);
