-- The fields of the license keys that a sale of a variant creates. Without a row they have no limits and no expiry.
create table license_policy (
  store_id               bigint         not null,
  variant_id             bigint         not null,
  app_id                 bigint         not null,
  prefix                 text,
  level                  integer        not null check (level between 0 and 1000),
  entitlements           text[]         not null,
  duration_seconds       bigint         check (duration_seconds > 0),
  expiry_basis           text           not null check (expiry_basis in ('creation', 'first_activation')),
  max_devices            integer        check (max_devices >= 1),
  max_sessions           integer        check (max_sessions >= 1),
  device_resets_left     integer        check (device_resets_left >= 0),
  reset_cooldown_seconds integer        not null check (reset_cooldown_seconds >= 0),
  updated_at             timestamptz(3) not null,
  primary key (store_id, variant_id),
  foreign key (store_id, variant_id) references variant,
  foreign key (store_id, app_id) references client_app on delete cascade
);
