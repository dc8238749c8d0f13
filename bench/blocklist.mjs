// The cost of the blocklist for an order. Orders of a store alternate between an empty blocklist and one with
// 100,000 entries.
//
//   node bench/blocklist.mjs
import pg from 'pg'
import { atMost, bench, openFolder, print, printTable, quantile } from './lib/bench.mjs'
import { openPostgres } from './lib/postgres.mjs'
import { call, startServer, unlimitedKey } from './lib/server.mjs'

const ENTRIES = 100_000
const ROUNDS = 6
const ORDERS = 150
/** The orders before each measurement, in which connections prepare statements and V8 compiles hot functions. */
const WARM_UP_ORDERS = 30
const BAR_MS = 0.3
const ADDRESSES = { 'IPv4 address': '203.0.113.7', 'IPv6 address': '2001:db8:ffff::7' }
const HEADINGS = [
  'order with an',
  'no entries, p50 ms',
  `${ENTRIES} entries, p50 ms`,
  'added ms',
  'bar',
  '',
]

await bench(`Orders with ${ENTRIES} entries on the blocklist`, async (atEnd) => {
  const { databaseUrl } = await openPostgres(atEnd)
  const tradepost = await startServer(atEnd, { dataDir: openFolder(atEnd), databaseUrl })
  const headers = await unlimitedKey(tradepost)
  const send = (...request) => call(tradepost.origin, headers, request)
  const { product } = await send('POST', '/products', {
    name: 'Advice',
    type: 'service',
    price_cents: 1_000,
  })
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  atEnd(() => client.end())
  const storeQuery = 'select id from store where hash = $1'
  const { rows: stores } = await client.query(storeQuery, [headers['x-store-hash']])
  const storeId = stores[0].id

  let customers = 0
  const newOrder = (ip) => ({
    items: [{ product_id: product.id, quantity: 1 }],
    customer: { email: `buyer-${++customers}@example.com` },
    ip,
  })
  async function measureOrders(ip) {
    const times = []
    for (let n = -WARM_UP_ORDERS; n < ORDERS; n++) {
      const startedAt = performance.now()
      await send('POST', '/orders', newOrder(ip))
      if (n >= 0) times.push(performance.now() - startedAt)
    }
    return times
  }

  const results = []
  for (const [name, ip] of Object.entries(ADDRESSES)) {
    const timesWithout = []
    const timesWith = []
    for (let round = 0; round < ROUNDS; round++) {
      await client.query('delete from blocklist_entry where store_id = $1', [storeId])
      timesWithout.push(...(await measureOrders(ip)))
      await addEntries(client, storeId)
      timesWith.push(...(await measureOrders(ip)))
    }
    const [without_ms, with_ms] = [quantile(timesWithout, 0.5), quantile(timesWith, 0.5)]
    const added_ms = with_ms - without_ms
    const figures = [without_ms, with_ms, added_ms].map((value) => value.toFixed(2))
    results.push([name, ...figures, `at most ${BAR_MS} ms`, atMost(added_ms, BAR_MS)])
  }
  printTable(HEADINGS, results)
  print('Medians of sequential calls over HTTP.\n')
})

/** Adds entries: half of them email addresses, a quarter IPv4 ranges, and a quarter IPv6 addresses. */
async function addEntries(client, storeId) {
  await client.query(
    `insert into blocklist_entry (store_id, type, value, created_at, updated_at)
     select $1, case when n % 2 = 0 then 'email' else 'ip' end,
            case when n % 2 = 0 then 'bad' || n || '@example.org'
                 when n % 4 = 1 then host('10.0.0.0'::inet + n * 16) || '/28'
                 else host('2001:db8::'::inet + n * 256) end, now(), now()
       from generate_series(1, $2::int) n`,
    [storeId, ENTRIES],
  )
  await client.query('vacuum analyze blocklist_entry')
}
