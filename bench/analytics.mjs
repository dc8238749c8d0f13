// The time of the sales summary and of lists of customers and conversions, in a store with 1,000,000 orders,
// 200,000 customers and 1,000,000 conversions.
//
//   node bench/analytics.mjs
import pg from 'pg'
import { atMost, bench, openFolder, printTable, quantile } from './lib/bench.mjs'
import { openPostgres } from './lib/postgres.mjs'
import { call, startServer, unlimitedKey } from './lib/server.mjs'
import { readSqlFile, splitStatements } from './lib/sql-file.mjs'

const ORDERS = 1_000_000
const CUSTOMERS = 200_000
const PRODUCTS = 1_000
const CALLS = 40
/** The calls before the measurement, in which connections prepare statements and V8 compiles hot functions. */
const WARM_UP_CALLS = 40
const DAY_MS = 86_400_000
const HEADINGS = ['call', 'p50 ms', 'p99 ms', 'bar', '']

const dateDaysAgo = (days) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)
const YEAR = `/analytics/sales?from=${dateDaysAgo(359)}&interval=month`
const HALF_YEAR = `/analytics/sales?from=${dateDaysAgo(179)}`
const THIRTY_DAYS = '/analytics/sales'
const BY_SPENDING = '/customers?sort=-total_spent_cents&limit=25'
const BY_ADDRESS = '/customers?search=c12345&limit=25'
const INDIA = { time_zone: 'Asia/Kolkata' }
/** The measured calls. A bar applies to the median, or to the quantile `share`. */
const CALLS_TO_MEASURE = [
  { name: 'sales of a year', path: YEAR, bar_ms: 50 },
  { name: 'sales of a year, compared', path: `${YEAR}&compare=true` },
  { name: 'sales of thirty days', path: THIRTY_DAYS, bar_ms: 50 },
  { name: 'sales of half a year', path: HALF_YEAR },
  { name: 'sales of a year, in India', path: YEAR, bar_ms: 50, ...INDIA },
  { name: 'sales of thirty days, in India', path: THIRTY_DAYS, bar_ms: 50, ...INDIA },
  { name: 'customers by spending', path: BY_SPENDING, bar_ms: 40 },
  { name: 'customers by a part of an address', path: BY_ADDRESS, bar_ms: 40 },
  { name: 'a page of conversions', path: '/affiliates/conversions', bar_ms: 20, share: 0.99 },
]

await bench(`${ORDERS} orders, ${CUSTOMERS} customers`, async (atEnd) => {
  const { databaseUrl } = await openPostgres(atEnd)
  const tradepost = await startServer(atEnd, { dataDir: openFolder(atEnd), databaseUrl })
  const headers = await unlimitedKey(tradepost)
  const send = (...request) => call(tradepost.origin, headers, request)
  await send('PATCH', '/affiliates/program', { enabled: true })
  await send('POST', '/products', { name: 'First game', price_cents: 1_000 })
  await createSales(databaseUrl, headers['x-store-hash'])
  const rows = []
  for (const { name, path, bar_ms, share = 0.5, time_zone = 'UTC' } of CALLS_TO_MEASURE) {
    await send('PATCH', '/account/settings', { time_zone })
    const times = await measureCalls(() => send('GET', path))
    const figures = [0.5, 0.99].map((part) => quantile(times, part).toFixed(1))
    const verdict = bar_ms
      ? [`p${share * 100} at most ${bar_ms}`, atMost(quantile(times, share), bar_ms)]
      : ['', '']
    rows.push([name, ...figures, ...verdict])
  }
  printTable(HEADINGS, rows)
})

/** Returns the duration of each measured call in milliseconds. */
async function measureCalls(makeCall) {
  for (let n = 0; n < WARM_UP_CALLS; n++) await makeCall()
  const times = []
  for (let n = 0; n < CALLS; n++) {
    const startedAt = performance.now()
    await makeCall()
    times.push(performance.now() - startedAt)
  }
  return times
}

/** Creates the orders, customers and conversions, and copies of the first product. */
async function createSales(databaseUrl, storeHash) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query('select id from store where hash = $1', [storeHash])
    const store = rows[0].id
    await client.query(
      `insert into product (store_id, hash_id, name, slug, type, product_kind, status, active, visibility,
              price_cents, discount_percent, currency, accepts_coupons, min_qty, requires_shipping,
              best_seller, metadata, methods, created_at, updated_at)
       select store_id, 'g' || lpad(n::text, 11, '0'), 'Game ' || n, 'game-' || n, type, product_kind, status,
              active, visibility, price_cents, 0, currency, true, 1, false, false, '{}', '[]', now(), now()
         from (select * from product where store_id = $1 order by id limit 1) p, generate_series(2, $2) n`,
      [store, PRODUCTS],
    )
    const parameters = { store, orders: ORDERS, customers: CUSTOMERS }
    for (const name of ['year-of-sales', 'conversions']) {
      const script = await readSqlFile(name, parameters)
      for (const statement of splitStatements(script)) await client.query(statement)
    }
  } finally {
    await client.end()
  }
}
