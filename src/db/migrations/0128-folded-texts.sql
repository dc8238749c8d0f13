-- The texts in which records are searched, in NFC and with the case folding of Unicode, written by the program. Null for
-- texts in ASCII. Existing texts get what this database folds; they are folded exactly when they change.
create function folded_here(t text) returns text
  language sql immutable strict parallel safe
  return case when t ~ '[^\x01-\x7f]'
              then replace(replace(lower(normalize(t, nfc)), 'ς', 'σ'), 'ß', 'ss') end;

alter table customer add column folded text;
update customer set folded = folded_here(email || chr(10) || coalesce(name, ''))
 where folded_here(email || chr(10) || coalesce(name, '')) is not null;
update customer_search s set runs = runs(c.store_id, c.folded)
  from customer c
 where c.folded is not null and s.store_id = c.store_id and s.customer_id = c.id;

alter table "order" add column folded_email text;
update "order" set folded_email = folded_here(customer_email) where folded_here(customer_email) is not null;
update order_search s set runs = runs(o.store_id, o.id || chr(10) || o.number || chr(10) || o.folded_email)
  from "order" o
 where o.folded_email is not null and s.store_id = o.store_id and s.order_id = o.id;

alter table affiliate_partner add column folded text;
update affiliate_partner set folded = folded_here(email || chr(10) || coalesce(name, ''))
 where folded_here(email || chr(10) || coalesce(name, '')) is not null;

alter table product add column folded text;
update product set folded = folded_here(name || chr(10) || slug || chr(10) || coalesce(sku, ''))
 where folded_here(name || chr(10) || slug || chr(10) || coalesce(sku, '')) is not null;
alter table product drop column grams;
alter table product add column grams text[] not null
  generated always as (
    grams(store_id, coalesce(folded, name || chr(10) || slug || chr(10) || coalesce(sku, '')), '{2, 3}')) stored;
create index on product using gin (grams) where deleted_at is null;

drop function folded_here;
