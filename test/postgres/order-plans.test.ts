import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { call } from '../process/client.ts'
import { bigStore } from './big-store.ts'
import { busiest, nodesOf } from './plans.ts'

/** A page of 100,000 orders looks at its own rows, and counting those that match has an end. */

const ROWS = 100_000
const LOOKED_AT_MAX = 400
/** How far the matches are counted (decision 100), with what a plan reads ahead. */
const COUNTED_MAX = 10_100

const idOf = (n: number) => createHash('md5').update(`${n}`).digest('hex').slice(0, 22)

/** One in ten thousand waits for its payment; a customer in a hundred thousand is named Rare. */
const many = (store: number): string[] => [
  `insert into customer (store_id, email, created_at, updated_at)
   select ${store}, case when n = 1 then 'rare' else 'c' || n end || '@example.com', now(), now()
     from generate_series(1, 100) n`,
  `insert into "order" (store_id, id, number, status, fulfillment_status, source, currency,
     subtotal_cents, discount_cents, shipping_cents, total_cents, customer_id, customer_email,
     refund_status, payment_method, coupon,
     custom_fields, metadata, status_history, expires_at, paid_at, created_at, updated_at)
   select ${store}, 'ord_' || substr(md5(n::text), 1, 22), n,
          case when n % 10000 = 1 then 'pending' else 'completed' end,
          case when n % 10000 = 2 then 'unfulfilled' else 'not_required' end,
          case when n % 10000 = 3 then 'embed' else 'api' end, 'EUR',
          n, 0, 0, n, c.id, c.email,
          case when n % 10000 = 4 then 'full' else 'none' end,
          case when n % 10000 = 5 then 'free' else 'manual' end,
          case when n % 10000 = 6 then '{"code": "Rare", "type": "fixed", "discount_cents": 1}'::jsonb end,
          '{}', '{}', '[]',
          case when n % 10000 = 1 then now() end, case when n % 10000 <> 1 then now() end,
          now() - (${ROWS} - n) * interval '1 minute', now()
     from generate_series(1, ${ROWS}) n
     join customer c on c.store_id = ${store}
      and c.email = case when n % 10000 = 7 then 'rare' else 'c' || (2 + n % 99) end || '@example.com'`,
  `insert into order_counter (store_id, last_number) values (${store}, ${ROWS})
       on conflict (store_id) do update set last_number = excluded.last_number`,
  `insert into order_search (store_id, order_id, runs)
   select store_id, id, runs(store_id, id || chr(10) || number || chr(10) || customer_email)
     from "order" where store_id = ${store}`,
  'vacuum analyze "order", order_search',
  'analyze customer',
]

/** A line each, most of product 1; one order in ten thousand was sent in a parcel that was lost. */
const sent = (store: number): string[] => [
  `insert into order_item (store_id, order_id, product_id, product_hash, variant_id, name, variant_name,
     delivery_type, quantity, reserved, unit_price_cents, discount_cents, total_cents)
   select o.store_id, o.id, p.id, p.hash_id, v.id, p.name, v.name, v.delivery_type, 1, 0,
          o.total_cents, 0, o.total_cents
     from "order" o
     join product p on p.store_id = o.store_id and p.id = case when o.number % 10000 = 8 then 2 else 1 end
     join variant v on v.store_id = p.store_id and v.product_id = p.id
    where o.store_id = ${store}`,
  `insert into fulfillment (store_id, order_id, status, carrier_code, created_at, updated_at)
   select store_id, id, case when number % 10000 = 1 then 'failed' else 'shipped' end, 'custom',
          created_at, created_at
     from "order" where store_id = ${store}`,
  'vacuum analyze order_item, fulfillment',
]

const KEY = 'SOLD-AAAA-BBBB'

/** A key was delivered with each order, and as many were not. `hash` is that of one delivered key. */
const keyed = (store: number, hash: string): string[] => [
  `insert into stock_key (store_id, variant_id, value_enc, value_hmac, status, order_id, sold_at, created_at)
   select ${store}, v.id, '\\x00', case when n = 77 then '\\x${hash}'::bytea else sha256(n::text::bytea) end,
          case when o.id is null then 'available' else 'sold' end,
          o.id, o.created_at, now()
     from generate_series(1, ${2 * ROWS}) n
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

const tradepost = bigStore(async ({ app, storeId, targets: [target] }) => {
  for (const name of ['Often', 'Seldom']) {
    const { status } = await call(target, 'POST', '/products', { body: { name, price_cents: 1 } })
    expect(status).toBe(201)
  }
  const hash = app.vault.hmac('stock_key', KEY).toString('hex')
  return [...many(storeId), ...sent(storeId), ...keyed(storeId, hash)]
})

test.each<[string, string, number]>([
  ['all', '', 25],
  ['all, far down', '&offset=300', 25],
  ['what waits for its payment', '&status=pending', 10],
  ['a customer', '&email=rare@example.com', 10],
  ['what is to be sent', '&fulfillment_status=unfulfilled,partial', 10],
  ['what was sold elsewhere', '&source=embed', 10],
  ['refunds', '&refund_status=partial,full', 10],
  ['what was free', '&payment_method=free', 10],
  ['a product', '&product_id=2', 10],
  ['what is sold the most', '&product_id=1', 25],
  ['a coupon', '&coupon_code=rare', 10],
  ['a part of an email', '&search=RARE@', 10],
  ['a part of an id', `&search=${idOf(ROWS).slice(8, 20).toUpperCase()}`, 1],
  ['a number', `&search=${ROWS}`, 1],
  ['what many have', '&search=example.com', 25],
  ['what nobody has', '&search=nobody', 0],
  ['a stock key', `&search=${KEY}`, 1],
  ['those that were paid last', '&sort=-paid_at', 25],
  ['those that were paid first', '&sort=paid_at', 25],
  ['the largest', '&sort=-total_cents', 25],
  ['the smallest', '&sort=total_cents', 25],
  ['the last hour', `&created_from=${new Date(Date.now() - 3_600_000).toISOString()}`, 25],
])('the list of %s reads its page only', async (_, query, length) => {
  const { json, plans } = await tradepost.look(`/orders?limit=25${query}`)
  expect(json.orders).toHaveLength(length)
  expect(plans).toHaveLength(query.includes('search') ? 3 : 2)
  // A search first looks for a stock key.
  const key = query.includes('search') ? plans.shift() : undefined
  expect(busiest(key)).toBeLessThanOrEqual(1)
  const [count, page] = plans.map(busiest)
  expect(page).toBeLessThanOrEqual(query.includes('offset') ? 2 * LOOKED_AT_MAX : LOOKED_AT_MAX)
  expect(count).toBeLessThanOrEqual(COUNTED_MAX)
})

test('skipped rows are not read, only counted', async () => {
  const { plans } = await tradepost.look('/orders?limit=25&offset=300')
  const lines = plans.flatMap(nodesOf).filter((node) => node['Relation Name'] === 'order_item')
  expect(lines.map((node) => node['Actual Loops'])).toEqual([25])
})

test.each([
  ['all', '', 25],
  ['those that were lost', '&status=failed,cancelled', 10],
])('the list of %s parcels reads its page only', async (_, query, length) => {
  const { json, plans } = await tradepost.look(`/fulfillments?limit=25${query}`)
  expect(json.fulfillments).toHaveLength(length)
  const [page, count] = plans.map(busiest)
  expect(page).toBeLessThanOrEqual(LOOKED_AT_MAX)
  expect(count).toBeLessThanOrEqual(COUNTED_MAX)
})

test('all orders are counted exactly, and those that match to 10,000', async () => {
  const totalOf = async (query: string) =>
    (await tradepost.look(`/orders?limit=1${query}`)).json.pagination.total
  expect(await totalOf('')).toBe(ROWS)
  expect(await totalOf('&status=completed')).toBe(10_000)
  expect(await totalOf('&status=pending')).toBe(10)
})
