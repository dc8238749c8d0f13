import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { bigShop } from './big-shop.ts'
import { busiest } from './plans.ts'

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

const shop = bigShop(async ({ storeId }) => many(storeId))

test.each<[string, string, number]>([
  ['all', '', 25],
  ['all, far down', '&offset=300', 25],
  ['what waits for its payment', '&status=pending', 10],
  ['a customer', '&email=rare@example.com', 10],
  ['what is to be sent', '&fulfillment_status=unfulfilled,partial', 10],
  ['what was sold elsewhere', '&source=embed', 10],
  ['refunds', '&refund_status=partial,full', 10],
  ['what was free', '&payment_method=free', 10],
  ['a coupon', '&coupon_code=rare', 10],
  ['a part of an email', '&search=RARE@', 10],
  ['a part of an id', `&search=${idOf(ROWS).slice(8, 20).toUpperCase()}`, 1],
  ['a number', `&search=${ROWS}`, 1],
  ['what many have', '&search=example.com', 25],
  ['what nobody has', '&search=nobody', 0],
  ['those that were paid last', '&sort=-paid_at', 25],
  ['those that were paid first', '&sort=paid_at', 25],
  ['the largest', '&sort=-total_cents', 25],
  ['the smallest', '&sort=total_cents', 25],
  ['the last hour', `&created_from=${new Date(Date.now() - 3_600_000).toISOString()}`, 25],
])('the list of %s reads its page only', async (_, query, length) => {
  const { json, plans } = await shop.look(`/orders?limit=25${query}`)
  expect(json.orders).toHaveLength(length)
  expect(plans).toHaveLength(2)
  const [count, page] = plans.map(busiest)
  expect(page).toBeLessThanOrEqual(query.includes('offset') ? 2 * LOOKED_AT_MAX : LOOKED_AT_MAX)
  expect(count).toBeLessThanOrEqual(COUNTED_MAX)
})

test('all orders are counted exactly, and those that match to 10,000', async () => {
  const totalOf = async (query: string) =>
    (await shop.look(`/orders?limit=1${query}`)).json.pagination.total
  expect(await totalOf('')).toBe(ROWS)
  expect(await totalOf('&status=completed')).toBe(10_000)
  expect(await totalOf('&status=pending')).toBe(10)
})
