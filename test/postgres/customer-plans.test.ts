import { expect, test } from 'vitest'
import { orderOf } from '../build.ts'
import type { Json } from '../harness.ts'
import { call } from '../process/client.ts'
import { bigStore } from './big-store.ts'
import { busiest, lookedAt, nodesOf, type Plan } from './plans.ts'

/** A page of 100,000 customers looks at its own rows, and an order finds its entries among 100,000 of the blocklist. */

const ROWS = 100_000
const LOOKED_AT_MAX = 400
/** How far the matches are counted (decision 100), with what a plan reads ahead. */
const COUNTED_MAX = 10_100
/** Counting a tag reads all customers with it: the index of tags has them at once. */
const TAGGED = ROWS / 4
/** The ranges that are filed under one range of whole bytes. */
const FILED_MAX = 32
const AROUND = 'blocklist_entry_around'

/** One in ten thousand is blocked, French, tagged rare, and named Zebedee. */
const fill = (store: number): string[] => [
  `insert into customer (store_id, email, name, country, balance_cents, orders_count, total_spent_cents,
                         last_order_at, blocked_at, tags, created_at, updated_at)
   select ${store}, 'c' || n || '@example.com',
          case when n % 10000 = 4 then 'Zebedee ' || n else 'Customer ' || n end,
          case when n % 10000 = 2 then 'FR' else 'DE' end, n % 700, n % 50, (n * 7919) % 1000003,
          now() - n * interval '1 minute',
          case when n % 10000 = 1 then now() end,
          case when n % 10000 = 3 then array['rare'] when n % 4 = 0 then array['often'] else '{}' end,
          now() - (${ROWS} - n) * interval '1 minute', now()
     from generate_series(1, ${ROWS}) n`,
  `insert into customer_search (store_id, customer_id, runs)
   select store_id, id, runs(store_id, email || chr(10) || name) from customer where store_id = ${store}`,
  `insert into blocklist_entry (store_id, type, value, created_at, updated_at)
   select ${store}, case when n % 2 = 0 then 'email' else 'ip' end,
          case when n % 2 = 0 then 'bad' || n || '@example.org'
               when n % 4 = 1 then host('10.0.0.0'::inet + n * 16) || '/28'
               else host('2001:db8::'::inet + n * 256) end,
          now() - n * interval '1 minute', now()
     from generate_series(1, ${ROWS}) n`,
  'vacuum analyze customer, customer_search, blocklist_entry',
]

let target: Parameters<typeof call>[0]
let service: string

const tradepost = bigStore(async ({ storeId, targets }) => {
  target = targets[0]
  const body = { name: 'Advice', type: 'service', price_cents: 100 }
  service = (await call(target, 'POST', '/products', { body })).json.product.id
  return fill(storeId)
})

test.each<[string, string, number]>([
  ['all', '', 25],
  ['all, far down', '&offset=300', 25],
  ['those who spent the most', '&sort=-total_spent_cents', 25],
  ['those who spent the least', '&sort=total_spent_cents', 25],
  ['those who ordered most often', '&sort=-orders_count', 25],
  ['those who ordered last', '&sort=-last_order_at', 25],
  ['those who ordered first', '&sort=last_order_at', 25],
  ['the highest balances', '&sort=-balance_cents', 25],
  ['the blocked', '&blocked=true', 10],
  ['the blocked who spent the most', '&blocked=true&sort=-total_spent_cents', 10],
  ['those who are not blocked', '&blocked=false&sort=-total_spent_cents', 25],
  ['a country that few are from', '&country=FR', 10],
  ['a country that most are from', '&country=DE&sort=-total_spent_cents', 25],
  ['a tag that few have', '&tag=rare', 10],
  ['a tag that many have', '&tag=often', 25],
  ['one address', '&email=c77@example.com', 1],
  ['a part of a name that few have', '&search=zebe', 10],
  ['the same by spending', '&search=ZEBE&sort=-total_spent_cents', 10],
  ['a part of an address', `&search=c${ROWS}@`, 1],
  ['a text that all have', '&search=example', 25],
  ['a text that nobody has', '&search=nowhere', 0],
])('the list of %s reads its page only', async (_, query, length) => {
  const { json, plans } = await tradepost.look(`/customers?limit=25${query}`)
  expect(json.customers).toHaveLength(length)
  const [count, page] = plans.map(busiest)
  expect(page).toBeLessThanOrEqual(query.includes('offset') ? 2 * LOOKED_AT_MAX : LOOKED_AT_MAX)
  expect(count).toBeLessThanOrEqual(query.includes('often') ? TAGGED : COUNTED_MAX)
})

test.each([
  ['all', '', 25],
  ['one type', '&type=ip', 25],
  ['one value', '&value=10.0.0.20/28', 1],
])('the list of %s of 100,000 blocklist entries reads its page only', async (_, query, length) => {
  const { json, plans } = await tradepost.look(`/blocklist?limit=25${query}`)
  expect(json.blocklist_entries).toHaveLength(length)
  const [page, count] = plans.map(busiest)
  expect(page).toBeLessThanOrEqual(LOOKED_AT_MAX)
  // Every second entry has the type, so a plan may read two for each that it counts.
  expect(count).toBeLessThanOrEqual(2 * COUNTED_MAX)
})

test.each<[string, Json, number]>([
  ['an IPv4 address', { ip: '192.0.2.1' }, 201],
  ['an IPv6 address', { ip: '2001:db8::1' }, 201],
  ['a blocked range', { ip: '10.0.0.17' }, 403],
  ['a blocked address', { customer: { email: 'bad2@example.org' } }, 403],
])(
  'an order from %s searches 100,000 entries by their index, in the statement that writes the customer',
  async (_, fields, status) => {
    const about = /value = any/
    const { plans } = await tradepost.watch(async () => {
      const made = await call(target, 'POST', '/orders', { body: orderOf(service, fields) })
      expect(made.status, made.text).toBe(status)
      return made.json
    }, about)
    expect(plans).toHaveLength(1)
    const nodes = plans.flatMap(nodesOf)
    const searched = 'ip' in fields ? ['blocklist_value_taken', AROUND] : ['blocklist_value_taken']
    for (const name of searched) {
      const search = nodes.find((node) => node['Index Name'] === name) as Plan
      expect([name, lookedAt(search) <= FILED_MAX]).toEqual([name, true])
    }
    expect(nodes.filter((node) => /Seq Scan/.test(node['Node Type']))).toEqual([])
  },
)
