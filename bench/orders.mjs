// Orders that are created, paid in full by a manual payment, and delivered with a stock key.
//
//   node bench/orders.mjs
import { atLeast, bench, hasTime, median, openFolder, quantile, say, table } from './lib/bench.mjs'
import { openInProcess } from './lib/in-process.mjs'
import { openPostgres } from './lib/postgres.mjs'
import { CLIENTS, openSale, sellFor } from './lib/sellers.mjs'
import { startServer, unlimitedKey } from './lib/shop.mjs'

const ROUNDS = 5
const ROUND_MS = 2_000
// Warm-up time: V8 compiles hot functions, and the planner learns the sizes of the tables.
const WARM_UP_MS = 8_000
const BREAKDOWN_MS = 3_000
const KEYS = 8_000
const BAR = 200
const HEADINGS = [
  'database',
  'orders/s',
  'p50 ms',
  'p99 ms',
  'CPU ms: ours',
  'PostgreSQL',
  'rounds',
  'bar',
  '',
]

await bench(`An order with its payment, ${CLIENTS} clients`, async (later) => {
  const { databaseUrl, pid } = await openPostgres(later)
  const server = await openTill(later, { dataDir: openFolder(later), databaseUrl, pid })
  const embedded = await openTill(later, { dataDir: openFolder(later) })
  const hot = { products: 1, keys: KEYS }
  const sales = [
    ['PostgreSQL, 1 product', await openSale(later, server, hot)],
    ['PostgreSQL, 20 products', await openSale(later, server, { products: 20, keys: KEYS })],
    ['embedded, 1 product', await openSale(later, embedded, hot)],
  ]
  const rounds = await measure(sales)
  const rows = sales.map(([name, sale]) => line(name, rounds.get(sale)))
  table(HEADINGS, rows)
  if (rows.some((row) => row.includes('missed'))) await breakDown(later)
})

async function openTill(later, place) {
  const tradepost = await startServer(later, place)
  const pids = [tradepost.child.pid, place.pid]
  return { origin: tradepost.origin, headers: await unlimitedKey(tradepost), pids }
}

async function measure(sales) {
  const rounds = new Map(sales.map(([, sale]) => [sale, []]))
  for (const [, sale] of sales) await sellFor(sale, WARM_UP_MS)
  for (let n = 0; n === 0 || (n < ROUNDS && hasTime()); n++) {
    for (const [, sale] of sales) rounds.get(sale).push(await sellFor(sale, ROUND_MS))
  }
  return rounds
}

function line(name, rounds) {
  const rate = median(rounds.map((item) => item.perSecond))
  const times = rounds.flatMap((item) => item.times)
  const judged = name.startsWith('PostgreSQL')
  return [
    name,
    rate.toFixed(0),
    quantile(times, 0.5).toFixed(0),
    quantile(times, 0.99).toFixed(0),
    cost(rounds, 0),
    cost(rounds, 1),
    rounds.map((item) => item.perSecond.toFixed(0)).join(' '),
    judged ? `at least ${BAR}` : '',
    judged ? atLeast(rate, BAR) : '',
  ]
}

/** Processor time of a sale in milliseconds: in Tradepost, and in the database server. */
function cost(rounds, process) {
  const value = median(rounds.map(({ cpu }) => cpu[process] ?? Number.NaN))
  return Number.isNaN(value) ? '' : value.toFixed(1)
}

/** Time of each statement: runs the same sale in this process and times its statements. */
async function breakDown(later) {
  const { databaseUrl } = await openPostgres(later)
  const sums = new Map()
  const record = (text) => {
    const begun = performance.now()
    return () => {
      const sum = sums.get(text) ?? { count: 0, time: 0 }
      sums.set(text, { count: sum.count + 1, time: sum.time + performance.now() - begun })
    }
  }
  const place = { dataDir: openFolder(later), databaseUrl }
  const till = { ...(await openInProcess(later, place, record)), pids: [] }
  const sale = await openSale(later, till, { products: 20, keys: KEYS })
  await sellFor(sale, WARM_UP_MS)
  sums.clear()
  const { times } = await sellFor(sale, BREAKDOWN_MS)
  say(
    `Where an order waits for the database, 20 products (${times.length} orders in this process):\n`,
  )
  const total = [...sums.values()].reduce((all, { time }) => all + time, 0)
  const rows = [...sums]
    .sort((a, b) => b[1].time - a[1].time)
    .map(([text, { count, time }]) => [
      (count / times.length).toFixed(1),
      (time / count).toFixed(2),
      `${((100 * time) / total).toFixed(0)} %`,
      text.replace(/\s+/g, ' ').trim().slice(0, 90),
    ])
  table(['a sale', 'mean ms', 'share', 'statement'], rows)
}
