-- Counts the links to the page of an order that were replaced. A link is computed from it and not stored.
alter table "order" add column link_version integer not null default 0;
