import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { call } from '../process/client.ts'
import { bigStore } from './big-store.ts'
import { createdDuring, maxRowsRead, minutesBefore, nodesOf } from './plans.ts'

const ROWS = 100_000
const ROWS_READ_MAX = 400
/** The limit of counted matches (decision 100), plus the rows that a plan reads ahead. */
const COUNTED_MAX = 10_100

/** Returns the id of the order with this number, without its prefix. */
const idOf = (n: number) => createHash('md5').update(`${n}`).digest('hex').slice(0, 22)

/** Statements that create orders. One order in ten thousand is unpaid, one unfulfilled, and so on for each filter. */
const orderStatements = (store: number): string[] => [
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
          ${minutesBefore(`${ROWS} - n`)}, now()
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

/**
 * Statements that create an item and a parcel for each order. One in ten thousand has product 2 from bundle 3, one a
 * failed parcel. All others have bundle 4.
 */
const parcelStatements = (store: number): string[] => [
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

const KEY = 'SOLD-AAAA-BBBB'

/** Statements that create a delivered key for each order, and as many unsold keys. One delivered key has this hash. */
const keyStatements = (store: number, hash: string): string[] => [
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
  for (const name of ['Often', 'Seldom', 'Rare bundle', 'Frequent bundle']) {
    const { status } = await call(target, 'POST', '/products', { body: { name, price_cents: 1 } })
    expect(status).toBe(201)
  }
  const hash = app.vault.hmac('stock_key', KEY).toString('hex')
  return [
    ...orderStatements(storeId),
    ...parcelStatements(storeId),
    ...keyStatements(storeId, hash),
  ]
})

test.each<[string, string, number]>([
  ['all orders', '', 25],
  ['all orders from an offset on', '&offset=300', 25],
  ['pending orders', '&status=pending', 10],
  ['orders of a customer', '&email=rare@example.com', 10],
  ['orders of an address of two forms', '&email=rare@xn--bcher-kva.example', 0],
  ['unfulfilled orders', '&fulfillment_status=unfulfilled,partial', 10],
  ['orders of a source', '&source=embed', 10],
  ['refunded orders', '&refund_status=partial,full', 10],
  ['free orders', '&payment_method=free', 10],
  ['orders of a rare product', '&product_id=2', 10],
  ['orders of a frequent product', '&product_id=1', 25],
  ['orders of a rare bundle', '&product_id=3', 10],
  ['orders of a frequent bundle', '&product_id=4', 25],
  ['orders of a product without orders', '&product_id=5', 0],
  ['orders with a coupon', '&coupon_code=rare', 10],
  ['orders with a part of an email', '&search=RARE@', 10],
  ['orders with a domain of two forms', '&search=@xn--bcher-kva.example', 0],
  ['orders with a part of an id', `&search=${idOf(ROWS).slice(8, 20).toUpperCase()}`, 1],
  ['orders with a number', `&search=${ROWS}`, 1],
  ['orders with a text that all have', '&search=example.com', 25],
  ['orders with a text that none has', '&search=nobody', 0],
  ['orders with a stock key', `&search=${KEY}`, 1],
  ['orders that were paid last', '&sort=-paid_at', 25],
  ['orders that were paid first', '&sort=paid_at', 25],
  ['the largest orders', '&sort=-total_cents', 25],
  ['the smallest orders', '&sort=total_cents', 25],
  ['orders of the last hour', `&${createdDuring(60, 60)}`, 25],
  ['orders of fifty of seventy days', `&${createdDuring(50 * 1_440, 50 * 1_440)}`, 25],
  ['orders of ten minutes', `&${createdDuring(50_000, 10)}`, 10],
  ['the largest orders of ten minutes', `&${createdDuring(50_000, 10)}&sort=-total_cents`, 10],
])('the list of %s reads only one page of the 100,000 orders', async (_, query, length) => {
  const { json, plans } = await tradepost.explainList(`/orders?limit=25${query}`)
  expect(json.orders).toHaveLength(length)
  expect(plans).toHaveLength(query.includes('search') ? 3 : 2)
  // The first statement of a search reads a stock key.
  const keyPlan = query.includes('search') ? plans.shift() : undefined
  expect(maxRowsRead(keyPlan)).toBeLessThanOrEqual(1)
  const [count, page] = plans.map(maxRowsRead)
  expect(page).toBeLessThanOrEqual(query.includes('offset') ? 2 * ROWS_READ_MAX : ROWS_READ_MAX)
  expect(count).toBeLessThanOrEqual(COUNTED_MAX)
})

test('a page with an offset reads the items of its own 25 orders only', async () => {
  const { plans } = await tradepost.explainList('/orders?limit=25&offset=300')
  const itemScans = plans.flatMap(nodesOf).filter((node) => node['Relation Name'] === 'order_item')
  expect(itemScans.map((node) => node['Actual Loops'])).toEqual([25])
})

test.each([
  ['all parcels', '', 25],
  ['failed parcels', '&status=failed,cancelled', 10],
])('the list of %s reads only one page of the 100,000 parcels', async (_, query, length) => {
  const { json, plans } = await tradepost.explainList(`/fulfillments?limit=25${query}`)
  expect(json.fulfillments).toHaveLength(length)
  const [page, count] = plans.map(maxRowsRead)
  expect(page).toBeLessThanOrEqual(ROWS_READ_MAX)
  expect(count).toBeLessThanOrEqual(COUNTED_MAX)
})

test('the total of all orders is exact, and the total of filtered orders is at most 10,000', async () => {
  const totalOf = async (query: string) =>
    (await tradepost.explainList(`/orders?limit=1${query}`)).json.pagination.total
  expect(await totalOf('')).toBe(ROWS)
  expect(await totalOf('&status=completed')).toBe(10_000)
  expect(await totalOf('&status=pending')).toBe(10)
})
