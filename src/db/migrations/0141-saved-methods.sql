-- A way to pay that a customer has saved at a payment provider, such as a card.
create table payment_method (
  store_id          bigint         not null references store,
  id                bigint         generated always as identity check (id < 9007199254740992),
  customer_id       bigint         not null,
  provider          text           not null,
  -- The id of the method at the provider, and that of the customer there.
  external_id       text           not null,
  provider_customer text,
  label             text           not null,
  last4             text,
  expires           text,
  is_default        boolean        not null,
  created_at        timestamptz(3) not null,
  primary key (store_id, id),
  unique (store_id, provider, external_id),
  foreign key (store_id, customer_id) references customer (store_id, id)
);
create index payment_method_customer on payment_method (store_id, customer_id);

alter table payment
  -- True if the buyer lets the provider save the method for renewals.
  add column saves_method boolean not null default false,
  -- The id at the provider of the saved method that is charged, without its buyer.
  add column saved_method text,
  add column provider_customer text;
