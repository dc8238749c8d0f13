-- Settings of a store (decision 144).
alter table store
  add column if not exists auto_review_days   integer,
  add column if not exists return_window_days integer not null default 14;

create table review (
  store_id       bigint         not null references store,
  id             bigint         generated always as identity check (id < 9007199254740992),
  order_id       text           collate "C" not null,
  product_id     bigint         not null,
  customer_email text           not null,
  rating         integer        not null check (rating between 1 and 5),
  message        text,
  automatic      boolean        not null,
  status         text           not null check (status in ('published', 'hidden', 'reported')),
  reply          text,
  replied_at     timestamptz(3) check ((replied_at is null) = (reply is null)),
  created_at     timestamptz(3) not null,
  updated_at     timestamptz(3) not null,
  primary key (store_id, id),
  foreign key (store_id, order_id) references "order",
  foreign key (store_id, product_id) references product
);
create unique index review_once on review (store_id, order_id, product_id);
create index on review (store_id, created_at desc, id desc);
create index on review (store_id, product_id, created_at desc, id desc);
create index on review (store_id, rating, created_at desc, id desc);
create index on review (store_id, automatic, created_at desc, id desc);
create index on review (store_id, (reply is not null), created_at desc, id desc);
create index on review (store_id, customer_email, created_at desc, id desc);
create index on review (store_id, status, created_at desc, id desc) where status <> 'published';

-- The number of reviews that are not hidden, by rating. Rows with product_id 0 are the sums of a store.
create table review_tally (
  store_id   bigint  not null references store,
  product_id bigint  not null,
  rating     integer not null check (rating between 1 and 5),
  -- A check (reviews >= 0) would refuse an upsert that adds -1.
  reviews    bigint  not null,
  primary key (store_id, product_id, rating)
) with (fillfactor = 50);

-- The last order that was handled by the automatic reviews of a store, in the sequence of completion. A store with
-- automatic reviews off has no row. `retry_at` is the machine time of the next attempt after a failure.
create table auto_review_cursor (
  store_id     bigint         primary key references store,
  completed_at timestamptz(3) not null,
  order_id     text           collate "C" not null,
  failures     integer        not null default 0,
  retry_at     timestamptz(3)
) with (fillfactor = 50);
create index store_with_auto_reviews on store (id) where auto_review_days is not null;

create table question (
  store_id       bigint         not null references store,
  id             bigint         generated always as identity check (id < 9007199254740992),
  product_id     bigint         not null,
  customer_email text           not null,
  customer_name  text,
  body           text           not null,
  status         text           not null check (status in ('pending', 'answered', 'hidden')),
  answers        integer        not null default 0 check (answers >= 0),
  answered_at    timestamptz(3) check ((answered_at is null) = (answers = 0)),
  created_at     timestamptz(3) not null,
  primary key (store_id, id),
  foreign key (store_id, product_id) references product,
  check (status = 'hidden' or (status = 'answered') = (answers > 0))
);
create index on question (store_id, created_at desc, id desc);
create index on question (store_id, status, created_at desc, id desc);
create index on question (store_id, product_id, created_at desc, id desc);
create index on question (store_id, customer_email);

create table question_answer (
  store_id    bigint         not null,
  id          bigint         generated always as identity check (id < 9007199254740992),
  question_id bigint         not null,
  author      text           not null check (author in ('seller')),
  body        text           not null,
  created_at  timestamptz(3) not null,
  primary key (store_id, id),
  foreign key (store_id, question_id) references question on delete cascade
);
create index on question_answer (store_id, question_id, id);

create table ticket (
  store_id        bigint         not null references store,
  id              bigint         generated always as identity check (id < 9007199254740992),
  customer_email  text           not null,
  order_id        text           collate "C",
  subject         text           not null,
  status          text           not null check (status in ('open', 'closed')),
  awaiting        text           check (awaiting in ('seller', 'customer')),
  message_count   integer        not null check (message_count >= 0),
  last_message_at timestamptz(3) not null,
  closed_at       timestamptz(3),
  created_at      timestamptz(3) not null,
  updated_at      timestamptz(3) not null,
  primary key (store_id, id),
  foreign key (store_id, order_id) references "order",
  check ((status = 'closed') = (closed_at is not null)),
  check (status = 'open' or awaiting is null)
);
create index on ticket (store_id, created_at desc, id desc);
create index on ticket (store_id, status, created_at desc, id desc);
create index on ticket (store_id, awaiting, created_at desc, id desc);
create index on ticket (store_id, customer_email, created_at desc, id desc);
create index on ticket (store_id, order_id) where order_id is not null;

create table ticket_message (
  store_id   bigint         not null,
  id         bigint         generated always as identity check (id < 9007199254740992),
  ticket_id  bigint         not null,
  author     text           not null check (author in ('seller', 'customer', 'system')),
  body       text           not null,
  created_at timestamptz(3) not null,
  primary key (store_id, id),
  foreign key (store_id, ticket_id) references ticket
);
create index on ticket_message (store_id, ticket_id, id);

-- The number of tickets of a store by status. `awaiting` is '' if a ticket awaits nobody.
create table ticket_tally (
  store_id bigint not null references store,
  status   text   not null,
  awaiting text   not null,
  tickets  bigint not null,
  primary key (store_id, status, awaiting)
) with (fillfactor = 50);

-- Units of a line that a return or a refund with `restock` put back into stock.
alter table order_item add column restocked integer not null default 0;
alter table order_item
  add constraint order_item_restocked_check check (restocked between 0 and quantity) not valid;

create table order_return (
  store_id            bigint         not null references store,
  id                  bigint         generated always as identity check (id < 9007199254740992),
  number              bigint         not null,
  order_id            text           collate "C" not null,
  customer_email      text           not null,
  status              text           not null check (status in ('requested', 'approved', 'rejected', 'cancelled', 'received', 'refunded', 'closed')),
  refund_amount_cents bigint         check (refund_amount_cents > 0),
  refund_id           bigint,
  tracking_number     text,
  carrier_code        text,
  rejection_note      text,
  requested_at        timestamptz(3) not null,
  approved_at         timestamptz(3),
  received_at         timestamptz(3),
  closed_at           timestamptz(3),
  created_at          timestamptz(3) not null,
  updated_at          timestamptz(3) not null,
  primary key (store_id, id),
  unique (store_id, number),
  foreign key (store_id, order_id) references "order",
  foreign key (store_id, refund_id) references refund,
  check ((status = 'refunded') = (refund_id is not null)),
  check ((refund_id is null) = (refund_amount_cents is null)),
  check ((closed_at is not null) = (status in ('rejected', 'cancelled', 'refunded', 'closed'))),
  check ((received_at is not null) = (status in ('received', 'refunded', 'closed')))
);
create index on order_return (store_id, created_at desc, id desc);
create index on order_return (store_id, status, created_at desc, id desc);
create index on order_return (store_id, customer_email, created_at desc, id desc);
create index on order_return (store_id, order_id, id);

create table order_return_item (
  store_id          bigint  not null,
  return_id         bigint  not null,
  order_item_id     bigint  not null,
  quantity          integer not null check (quantity > 0),
  received_quantity integer not null default 0 check (received_quantity between 0 and quantity),
  damaged_quantity  integer not null default 0 check (damaged_quantity between 0 and received_quantity),
  reason            text    not null check (reason in ('damaged_or_defective', 'not_as_described', 'wrong_item', 'changed_mind', 'too_small', 'too_large', 'other')),
  note              text,
  primary key (store_id, return_id, order_item_id),
  foreign key (store_id, return_id) references order_return,
  foreign key (store_id, order_item_id) references order_item
);

create table return_counter (
  store_id    bigint primary key references store,
  last_number bigint not null
) with (fillfactor = 50);
