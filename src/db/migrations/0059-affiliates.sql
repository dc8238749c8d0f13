-- The terms of a store's affiliate programme. A store without a row has the defaults. `store.features` turns the
-- programme on and off.
create table affiliate_program (
  store_id                  bigint        primary key references store,
  commission_percent        numeric(5, 2) not null check (commission_percent between 0 and 100),
  hold_days                 integer       not null check (hold_days between 0 and 90),
  cookie_days               integer       not null check (cookie_days between 1 and 365),
  min_payout_cents          bigint        not null check (min_payout_cents >= 0),
  auto_approve              boolean       not null,
  public_signup             boolean       not null,
  customer_discount_percent numeric(5, 2) not null check (customer_discount_percent between 0 and 100),
  landing_url               text
);

-- The counters and sums are updated with each conversion and payout, under a lock on the partner. A commission becomes
-- available when the store's clock reaches `available_at`, without a change of a row (decision 266).
create table affiliate_partner (
  store_id           bigint         not null references store,
  id                 text           collate "C" not null,
  email              text           not null,
  name               text,
  note               text,
  status             text           not null check (status in ('applied', 'approved', 'rejected', 'suspended')),
  commission_percent numeric(5, 2)  check (commission_percent between 0 and 100),
  applied_ip         text,
  valid_count        bigint         not null default 0 check (valid_count >= 0),
  flagged_count      bigint         not null default 0 check (flagged_count >= 0),
  rejected_count     bigint         not null default 0 check (rejected_count >= 0),
  earned_cents       bigint         not null default 0,
  paid_cents         bigint         not null default 0 check (paid_cents >= 0),
  created_at         timestamptz(3) not null,
  updated_at         timestamptz(3) not null,
  primary key (store_id, id)
) with (fillfactor = 70);
create unique index affiliate_partner_email_taken on affiliate_partner (store_id, email);
create index on affiliate_partner (store_id, status, id desc);

create table affiliate_link (
  store_id   bigint         not null,
  code       text           collate "C" not null check (code ~ '^[a-z0-9_-]{3,32}$'),
  partner_id text           collate "C" not null,
  clicks     bigint         not null default 0 check (clicks >= 0),
  created_at timestamptz(3) not null,
  primary key (store_id, code),
  foreign key (store_id, partner_id) references affiliate_partner
) with (fillfactor = 70);
create index on affiliate_link (store_id, partner_id, created_at, code);

create table affiliate_payout (
  store_id     bigint         not null,
  id           bigint         generated always as identity check (id < 9007199254740992),
  partner_id   text           collate "C" not null,
  amount_cents bigint         not null check (amount_cents > 0),
  currency     text           not null,
  status       text           not null check (status in ('requested', 'sent', 'rejected', 'cancelled')),
  method       text           not null,
  destination  text,
  reference    text,
  note         text,
  requested_at timestamptz(3) not null,
  sent_at      timestamptz(3),
  primary key (store_id, id),
  check ((status = 'sent') = (sent_at is not null)),
  foreign key (store_id, partner_id) references affiliate_partner
);
-- A partner has at most one open payout, so two concurrent requests cannot both get the balance.
create unique index affiliate_payout_open on affiliate_payout (store_id, partner_id) where status = 'requested';
create index on affiliate_payout (store_id, partner_id, id desc);
create index on affiliate_payout (store_id, status, id desc);

-- `commission_cents` is the earned amount. `adjusted_cents` is the part that was refunded after the commission was
-- requested or paid.
create table affiliate_conversion (
  store_id         bigint         not null,
  id               bigint         generated always as identity check (id < 9007199254740992),
  order_id         text           collate "C" not null,
  partner_id       text           collate "C" not null,
  link_code        text           not null,
  source           text           not null check (source in ('link', 'coupon', 'manual')),
  status           text           not null check (status in ('valid', 'flagged', 'rejected')),
  flags            text[]         not null,
  note             text,
  percent          numeric(5, 2),
  base_cents       bigint         not null default 0 check (base_cents >= 0),
  commission_cents bigint         not null default 0 check (commission_cents >= 0),
  adjusted_cents   bigint         not null default 0 check (adjusted_cents between 0 and commission_cents),
  state            text           not null default 'none' check (state in ('none', 'pending', 'requested', 'paid', 'reversed')),
  payout_id        bigint,
  captured_at      timestamptz(3) not null,
  paid_at          timestamptz(3) not null,
  available_at     timestamptz(3),
  primary key (store_id, id),
  check ((state in ('requested', 'paid')) = (payout_id is not null)),
  check (state <> 'pending' or adjusted_cents = 0 and status <> 'rejected'),
  foreign key (store_id, partner_id) references affiliate_partner,
  foreign key (store_id, payout_id) references affiliate_payout,
  foreign key (store_id, order_id) references "order"
) with (fillfactor = 80);
create unique index on affiliate_conversion (store_id, order_id);
create index on affiliate_conversion (store_id, captured_at desc, id desc);
create index on affiliate_conversion (store_id, status, captured_at desc, id desc);
create index on affiliate_conversion (store_id, partner_id, captured_at desc, id desc);
create index on affiliate_conversion (store_id, partner_id, status, captured_at desc, id desc);
create index on affiliate_conversion (store_id, partner_id, available_at) where state = 'pending';
-- Finds recently paid orders, for the signs of abuse.
create index on affiliate_conversion (store_id, partner_id, paid_at);
create index on affiliate_conversion (store_id, payout_id) where payout_id is not null;

-- The amounts refunded after their commission was requested or paid. They reduce the next payout.
create table affiliate_adjustment (
  store_id     bigint         not null,
  id           bigint         generated always as identity check (id < 9007199254740992),
  partner_id   text           collate "C" not null,
  order_id     text           collate "C" not null,
  amount_cents bigint         not null check (amount_cents < 0),
  payout_id    bigint,
  created_at   timestamptz(3) not null,
  primary key (store_id, id),
  foreign key (store_id, partner_id) references affiliate_partner,
  foreign key (store_id, payout_id) references affiliate_payout,
  foreign key (store_id, order_id) references "order"
);
create index on affiliate_adjustment (store_id, partner_id) where payout_id is null;
create index on affiliate_adjustment (store_id, payout_id);
create index on affiliate_adjustment (store_id, order_id);

-- Orders that use the coupon are attributed to this partner.
alter table coupon add column affiliate_partner_id text collate "C";
alter table coupon add foreign key (store_id, affiliate_partner_id) references affiliate_partner;
