// The sales summary, lists of customers and conversions, in a store with a million orders, 200,000 customers
// and 1,000,000 conversions.
//
//   node bench/analytics.mjs
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { atMost, bench, openFolder, quantile, ROOT, table } from './lib/bench.mjs'
import { openPostgres } from './lib/postgres.mjs'
import { call, startServer, unlimitedKey } from './lib/shop.mjs'

const ORDERS = 1_000_000
const CUSTOMERS = 200_000
const PRODUCTS = 1_000
const CALLS = 40
/** Connections prepare their statements, and V8 compiles hot functions. */
const WARM_UP = 40
const DAY_MS = 86_400_000
const HEADINGS = ['call', 'p50 ms', 'p99 ms', 'bar', '']

const day = (ago) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10)
const YEAR = `/analytics/sales?from=${day(359)}&interval=month`
const MEASURED = [
  ['sales of a year', 50, YEAR],
  ['sales of a year, compared', 0, `${YEAR}&compare=true`],
  ['sales of thirty days', 50, '/analytics/sales'],
  ['sales of half a year', 0, `/analytics/sales?from=${day(179)}`],
  ['sales of a year, in India', 50, YEAR, 0.5, 'Asia/Kolkata'],
  ['sales of thirty days, in India', 50, '/analytics/sales', 0.5, 'Asia/Kolkata'],
  ['customers by spending', 40, '/customers?sort=-total_spent_cents&limit=25'],
  ['customers by a part of an address', 40, '/customers?search=c12345&limit=25'],
  ['a page of conversions', 20, '/affiliates/conversions', 0.99],
]

await bench(`${ORDERS} orders, ${CUSTOMERS} customers`, async (later) => {
  const { databaseUrl } = await openPostgres(later)
  const tradepost = await startServer(later, { dataDir: openFolder(later), databaseUrl })
  const headers = await unlimitedKey(tradepost)
  const send = (...request) => call(tradepost.origin, headers, request)
  await send('PATCH', '/affiliates/program', { enabled: true })
  await send('POST', '/products', { name: 'First game', price_cents: 1_000 })
  await fill(databaseUrl, headers['x-store-hash'])
  const rows = []
  for (const [name, bar, path, share = 0.5, time_zone = 'UTC'] of MEASURED) {
    await send('PATCH', '/account/settings', { time_zone })
    const times = await timesOf(() => send('GET', path))
    const judged = [`p${share * 100} at most ${bar}`, atMost(quantile(times, share), bar)]
    const figures = [0.5, 0.99].map((part) => quantile(times, part).toFixed(1))
    rows.push([name, ...figures, ...(bar > 0 ? judged : ['', ''])])
  }
  table(HEADINGS, rows)
})

async function timesOf(work) {
  for (let n = 0; n < WARM_UP; n++) await work()
  const times = []
  for (let n = 0; n < CALLS; n++) {
    const begun = performance.now()
    await work()
    times.push(performance.now() - begun)
  }
  return times
}

async function fill(databaseUrl, hash) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query('select id from store where hash = $1', [hash])
    await client.query(
      `insert into product (store_id, hash_id, name, slug, type, product_kind, status, active, visibility,
              price_cents, discount_percent, currency, accepts_coupons, min_qty, requires_shipping,
              best_seller, metadata, methods, created_at, updated_at)
       select store_id, 'g' || lpad(n::text, 11, '0'), 'Game ' || n, 'game-' || n, type, product_kind, status,
              active, visibility, price_cents, 0, currency, true, 1, false, false, '{}', '[]', now(), now()
         from (select * from product where store_id = $1 order by id limit 1) p, generate_series(2, $2) n`,
      [rows[0].id, PRODUCTS],
    )
    for (const name of ['year-of-sales', 'conversions']) {
      const text = await readFile(join(ROOT, `bench/lib/${name}.sql`), 'utf8')
      const filled = text
        .replaceAll(':store', rows[0].id)
        .replaceAll(':orders', ORDERS)
        .replaceAll(':customers', CUSTOMERS)
      for (const statement of filled.split(';').filter((part) => part.trim() !== '')) {
        await client.query(statement)
      }
    }
  } finally {
    await client.end()
  }
}
