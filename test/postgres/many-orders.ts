import { minutesBefore } from './plans.ts'

// Statements that fill a store with long lists of orders.

/** Statements that create orders. One order in ten thousand is unpaid, one unfulfilled, and so on for each filter. */
export const orderStatements = (store: number, rows: number): string[] => [
  `insert into customer (store_id, email, created_at, updated_at)
   select ${store}, case when n = 1 then 'rare' else 'c' || n end || '@example.com', now(), now()
     from generate_series(1, 100) n`,
  `insert into "order" (store_id, id, number, status, fulfillment_status, source, currency,
     subtotal_cents, discount_cents, shipping_cents, total_cents, customer_id, customer_email,
     refund_status, payment_method, coupon, paid_cents,
     custom_fields, metadata, status_history, expires_at, paid_at, created_at, updated_at)
   select ${store}, 'ord_' || substr(md5(n::text), 1, 22), n,
          case when n % 10000 = 1 then 'pending' else 'completed' end,
          case when n % 10000 = 2 then 'unfulfilled' else 'not_required' end,
          case when n % 10000 = 3 then 'embed' else 'api' end, 'EUR',
          n, 0, 0, n, c.id, c.email,
          case when n % 10000 = 4 then 'full' else 'none' end,
          case when n % 10000 = 5 then 'free' else 'manual' end,
          case when n % 10000 = 6 then '{"code": "Rare", "type": "fixed", "discount_cents": 1}'::jsonb end,
          case when n % 10000 = 9 then n + 1 else 0 end,
          '{}', '{}', '[]',
          case when n % 10000 = 1 then now() end, case when n % 10000 <> 1 then now() end,
          ${minutesBefore(`${rows} - n`)}, now()
     from generate_series(1, ${rows}) n
     join customer c on c.store_id = ${store}
      and c.email = case when n % 10000 = 7 then 'rare' else 'c' || (2 + n % 99) end || '@example.com'`,
  `insert into order_counter (store_id, last_number) values (${store}, ${rows})
       on conflict (store_id) do update set last_number = excluded.last_number`,
  `insert into order_search (store_id, order_id, runs)
   select store_id, id, runs(store_id, id || chr(10) || number || chr(10) || customer_email)
     from "order" where store_id = ${store}`,
  'vacuum analyze "order", order_search',
  'analyze customer',
]

/**
 * Statements that create an item and a parcel for each order. One in ten thousand has product 2 from bundle 3, one a
 * failed parcel. All others have bundle 4.
 */
export const parcelStatements = (store: number): string[] => [
  `insert into order_item (store_id, order_id, product_id, product_hash, variant_id, name, variant_name,
     delivery_type, quantity, reserved, unit_price_cents, discount_cents, total_cents, bundle_product_id,
     bundle_hash, bundle_name, bundle_units)
   select o.store_id, o.id, p.id, p.hash_id, v.id, p.name, v.name, v.delivery_type, 1, 0,
          o.total_cents, 0, o.total_cents, b.id, b.hash_id, b.name, b.id - b.id
     from "order" o
     join product p on p.store_id = o.store_id and p.id = case when o.number % 10000 = 8 then 2 else 1 end
     join variant v on v.store_id = p.store_id and v.product_id = p.id
     left join product b
       on b.store_id = o.store_id
      and b.id = case when o.number % 10000 = 8 then 3 else 4 end
    where o.store_id = ${store}`,
  `insert into fulfillment (store_id, order_id, status, carrier_code, created_at, updated_at)
   select store_id, id, case when number % 10000 = 1 then 'failed' else 'shipped' end, 'custom',
          created_at, created_at
     from "order" where store_id = ${store}`,
  'vacuum analyze order_item, fulfillment',
]

/** Statements that create a delivered key for each order, and as many unsold keys. One delivered key has this hash. */
export const keyStatements = (store: number, rows: number, hash: string): string[] => [
  `insert into stock_key (store_id, variant_id, value_enc, value_hmac, status, order_id, sold_at, created_at)
   select ${store}, v.id, '\\x00', case when n = 77 then '\\x${hash}'::bytea else sha256(n::text::bytea) end,
          case when o.id is null then 'available' else 'sold' end,
          o.id, o.created_at, now()
     from generate_series(1, ${2 * rows}) n
     join lateral (select min(id) as id from variant where store_id = ${store}) v on true
     left join "order" o on o.store_id = ${store} and o.number = n`,
  `insert into delivery (store_id, order_id, order_item_id, product_id, product_hash, variant_id, type,
     status, created_at)
   select i.store_id, i.order_id, i.id, i.product_id, i.product_hash, i.variant_id, 'serial',
          'delivered', now()
     from order_item i where i.store_id = ${store}`,
  `insert into delivery_key (store_id, delivery_id, stock_key_id)
   select d.store_id, d.id, k.id
     from delivery d
     join stock_key k on k.store_id = d.store_id and k.order_id = d.order_id
    where d.store_id = ${store}`,
  'vacuum analyze stock_key, delivery, delivery_key',
]
