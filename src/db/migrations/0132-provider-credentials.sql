-- The credentials with which a store is connected to a payment provider, sealed, and whether the provider accepts them.
alter table payment_provider
  add column credentials_enc bytea,
  add column account         text,
  add column status          text not null default 'connected' check (status in ('connected', 'failing'));

-- The id of the transaction at the provider, which refunds and disputes there name.
alter table payment add column transaction_id text;
create index payment_transaction on payment (store_id, provider, transaction_id) where transaction_id is not null;

-- The methods of a product are those that were sent for it. A method of a provider could not be connected before, so that
-- `false` was its default; without it, the method is enabled when its provider is connected.
update product p
   set methods = (select coalesce(jsonb_agg(m.value order by m.position), '[]')
                    from jsonb_array_elements(p.methods) with ordinality m (value, position)
                   where not (m.value ->> 'method' in ('card', 'paypal', 'crypto') and m.value -> 'enabled' = 'false'))
 where p.methods @? '$[*] ? (@.enabled == false && (@.method == "card" || @.method == "paypal" || @.method == "crypto"))';
