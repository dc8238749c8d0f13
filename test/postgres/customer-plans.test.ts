import { expect, test } from 'vitest'
import { orderOf } from '../build.ts'
import type { Json } from '../harness.ts'
import { call } from '../process/client.ts'
import { bigStore } from './big-store.ts'
import { createdDuring, maxRowsRead, minutesBefore, nodesOf, type Plan, rowsRead } from './plans.ts'

const ROWS = 100_000
const ROWS_READ_MAX = 400
/** The limit of counted matches (decision 100), plus the rows that a plan reads ahead. */
const COUNTED_MAX = 10_100
/** The number of customers with a frequent tag. A count reads all of them, because the index returns them in one step. */
const TAGGED_CUSTOMERS = ROWS / 4
/** The maximum number of ranges that the index has for one address. */
const RANGES_MAX = 32
const RANGE_INDEX = 'blocklist_entry_around'

/** Statements that create customers and blocklist entries. One customer in ten thousand is blocked, one French, etc. */
const recordStatements = (store: number): string[] => [
  `insert into customer (store_id, email, name, country, balance_cents, orders_count, total_spent_cents,
                         last_order_at, blocked_at, tags, created_at, updated_at)
   select ${store}, 'c' || n || '@example.com',
          case when n % 10000 = 4 then 'Zebedee ' || n else 'Customer ' || n end,
          case when n % 10000 = 2 then 'FR' else 'DE' end, n % 700, n % 50, (n * 7919) % 1000003,
          now() - n * interval '1 minute',
          case when n % 10000 = 1 then now() end,
          case when n % 10000 = 3 then array['rare'] when n % 4 = 0 then array['often'] else '{}' end,
          ${minutesBefore(`${ROWS} - n`)}, now()
     from generate_series(1, ${ROWS}) n`,
  `insert into customer_search (store_id, customer_id, runs)
   select store_id, id, runs(store_id, email || chr(10) || name) from customer where store_id = ${store}`,
  `insert into blocklist_entry (store_id, type, value, created_at, updated_at)
   select ${store}, case when n % 2 = 0 then 'email' else 'ip' end,
          case when n % 2 = 0 then 'bad' || n || '@example.org'
               when n % 4 = 1 then host('10.0.0.0'::inet + n * 16) || '/28'
               else host('2001:db8::'::inet + n * 256) end,
          ${minutesBefore('n')}, now()
     from generate_series(1, ${ROWS}) n`,
  'vacuum analyze customer, customer_search, blocklist_entry',
]

let target: Parameters<typeof call>[0]
let serviceId: string

const tradepost = bigStore(async ({ storeId, targets }) => {
  target = targets[0]
  const body = { name: 'Advice', type: 'service', price_cents: 100 }
  serviceId = (await call(target, 'POST', '/products', { body })).json.product.id
  return recordStatements(storeId)
})

test.each(
  ['created_at', 'total_spent_cents', 'orders_count', 'last_order_at', 'balance_cents'].flatMap(
    (sort) => [sort, `-${sort}`],
  ),
)(
  'the page after a cursor reads only its own of the 100,000 customers, sorted by %s',
  async (sort) => {
    const path = `/customers?limit=25&sort=${sort}`
    for (const offset of [0, 9_000]) {
      const { json } = await tradepost.explainList(`${path}&offset=${offset}`)
      const cursor = json.pagination.next_cursor
      const next = await tradepost.explainList(`${path}&cursor=${cursor}`)
      expect(next.json.customers).toHaveLength(25)
      expect(maxRowsRead(next.plans.at(-1))).toBeLessThanOrEqual(ROWS_READ_MAX)
    }
  },
)

test.each<[string, string, number]>([
  ['all customers', '', 25],
  ['all customers from an offset on', '&offset=300', 25],
  ['customers who spent the most', '&sort=-total_spent_cents', 25],
  ['customers who spent the least', '&sort=total_spent_cents', 25],
  ['customers with the most orders', '&sort=-orders_count', 25],
  ['customers with the newest orders', '&sort=-last_order_at', 25],
  ['customers with the oldest last orders', '&sort=last_order_at', 25],
  ['customers with the highest balances', '&sort=-balance_cents', 25],
  ['blocked customers', '&blocked=true', 10],
  ['blocked customers by spending', '&blocked=true&sort=-total_spent_cents', 10],
  ['customers who are not blocked', '&blocked=false&sort=-total_spent_cents', 25],
  ['customers of a rare country', '&country=FR', 10],
  ['customers of a frequent country', '&country=DE&sort=-total_spent_cents', 25],
  ['customers of ten minutes', `&${createdDuring(50_000, 10)}`, 10],
  [
    'customers of ten minutes by spending',
    `&${createdDuring(50_000, 10)}&sort=-total_spent_cents`,
    10,
  ],
  ['customers of 10,000 minutes', `&${createdDuring(50_000, 10_000)}`, 25],
  ['customers with a rare tag', '&tag=rare', 10],
  ['customers with a frequent tag', '&tag=often', 25],
  ['customers with an address', '&email=c77@example.com', 1],
  ['customers with an address of two forms', '&email=c77@xn--bcher-kva.example', 0],
  ['customers with a part of a rare name', '&search=zebe', 10],
  ['customers with a part of a rare name by spending', '&search=ZEBE&sort=-total_spent_cents', 10],
  ['customers with a part of an address', `&search=c${ROWS}@`, 1],
  ['customers with a domain of two forms', '&search=@xn--bcher-kva.example', 0],
  ['customers with a text that all have', '&search=example', 25],
  ['customers with a text that none has', '&search=nowhere', 0],
])('the list of %s reads only one page of the 100,000 customers', async (_, query, length) => {
  const { json, plans } = await tradepost.explainList(`/customers?limit=25${query}`)
  expect(json.customers).toHaveLength(length)
  const [count, page] = plans.map(maxRowsRead)
  expect(page).toBeLessThanOrEqual(query.includes('offset') ? 2 * ROWS_READ_MAX : ROWS_READ_MAX)
  expect(count).toBeLessThanOrEqual(query.includes('often') ? TAGGED_CUSTOMERS : COUNTED_MAX)
})

test.each([
  ['all entries', '', 25],
  ['entries of a type', '&type=ip', 25],
  ['entries with a value', '&value=10.0.0.20/28', 1],
  ['entries of ten minutes', `&${createdDuring(50_000, 10)}`, 10],
])(
  'the list of %s reads only one page of the 100,000 blocklist entries',
  async (_, query, length) => {
    const { json, plans } = await tradepost.explainList(`/blocklist?limit=25${query}`)
    expect(json.blocklist_entries).toHaveLength(length)
    const [page, count] = plans.map(maxRowsRead)
    expect(page).toBeLessThanOrEqual(ROWS_READ_MAX)
    // Every second entry has the type, so a plan may read two for each that it counts.
    expect(count).toBeLessThanOrEqual(2 * COUNTED_MAX)
  },
)

test.each<[string, Json, number]>([
  ['an IPv4 address', { ip: '192.0.2.1' }, 201],
  ['an IPv6 address', { ip: '2001:db8::1' }, 201],
  ['a blocked range', { ip: '10.0.0.17' }, 403],
  ['a blocked address', { customer: { email: 'bad2@example.org' } }, 403],
])(
  'an order from %s searches 100,000 blocklist entries by index, in one statement',
  async (_, fields, status) => {
    const { plans } = await tradepost.explain(async () => {
      const reply = await call(target, 'POST', '/orders', { body: orderOf(serviceId, fields) })
      expect(reply.status, reply.text).toBe(status)
      return reply.json
    }, /value = any/)
    expect(plans).toHaveLength(1)
    const nodes = plans.flatMap(nodesOf)
    for (const name of ['blocklist_value_taken', ...('ip' in fields ? [RANGE_INDEX] : [])]) {
      const scan = nodes.find((node) => node['Index Name'] === name) as Plan
      expect(rowsRead(scan), name).toBeLessThanOrEqual(RANGES_MAX)
    }
    expect(nodes.filter((node) => /Seq Scan/.test(node['Node Type']))).toEqual([])
  },
)
