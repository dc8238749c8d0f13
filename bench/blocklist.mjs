// The cost of the blocklist for an order: orders of a store with 100,000 entries against orders of the same
// store with none, in turns.
//
//   node bench/blocklist.mjs
import pg from 'pg'
import { atMost, bench, openFolder, quantile, say, table } from './lib/bench.mjs'
import { openPostgres } from './lib/postgres.mjs'
import { call, startServer, unlimitedKey } from './lib/shop.mjs'

const ENTRIES = 100_000
const ROUNDS = 6
const ORDERS = 150
/** Connections prepare their statements, and V8 compiles hot functions. */
const WARM_UP = 30
const BAR_MS = 0.3
const ADDRESSES = { 'IPv4 address': '203.0.113.7', 'IPv6 address': '2001:db8:ffff::7' }
const HEADINGS = [
  'order with an',
  'no entries, p50 ms',
  `${ENTRIES} entries, p50 ms`,
  'more',
  'bar',
  '',
]

await bench(`orders beside ${ENTRIES} entries of the blocklist`, async (later) => {
  const { databaseUrl } = await openPostgres(later)
  const tradepost = await startServer(later, { dataDir: openFolder(later), databaseUrl })
  const headers = await unlimitedKey(tradepost)
  const send = (...request) => call(tradepost.origin, headers, request)
  const { product } = await send('POST', '/products', {
    name: 'Advice',
    type: 'service',
    price_cents: 1_000,
  })
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  later(() => client.end())
  const { rows } = await client.query('select id from store where hash = $1', [
    headers['x-store-hash'],
  ])

  let customer = 0
  const orderOf = (ip) => ({
    items: [{ product_id: product.id, quantity: 1 }],
    customer: { email: `buyer-${++customer}@example.com` },
    ip,
  })
  async function timesOf(ip) {
    const times = []
    for (let n = -WARM_UP; n < ORDERS; n++) {
      const begun = performance.now()
      await send('POST', '/orders', orderOf(ip))
      if (n >= 0) times.push(performance.now() - begun)
    }
    return times
  }

  const results = []
  for (const [name, ip] of Object.entries(ADDRESSES)) {
    const empty = []
    const full = []
    for (let round = 0; round < ROUNDS; round++) {
      await client.query('delete from blocklist_entry where store_id = $1', [rows[0].id])
      empty.push(...(await timesOf(ip)))
      await fill(client, rows[0].id)
      full.push(...(await timesOf(ip)))
    }
    const [without, beside] = [quantile(empty, 0.5), quantile(full, 0.5)]
    const more = beside - without
    const judged = [`at most ${BAR_MS} ms`, atMost(more, BAR_MS)]
    results.push([name, without.toFixed(2), beside.toFixed(2), more.toFixed(2), ...judged])
  }
  table(HEADINGS, results)
  say('Medians of single calls over HTTP, one after the other.\n')
})

/** Half are e-mail addresses, a quarter ranges of IPv4, and a quarter addresses of IPv6. */
async function fill(client, store) {
  await client.query(
    `insert into blocklist_entry (store_id, type, value, created_at, updated_at)
     select $1, case when n % 2 = 0 then 'email' else 'ip' end,
            case when n % 2 = 0 then 'bad' || n || '@example.org'
                 when n % 4 = 1 then host('10.0.0.0'::inet + n * 16) || '/28'
                 else host('2001:db8::'::inet + n * 256) end, now(), now()
       from generate_series(1, $2::int) n`,
    [store, ENTRIES],
  )
  await client.query('vacuum analyze blocklist_entry')
}
