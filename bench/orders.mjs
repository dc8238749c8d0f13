// The rate of orders that are created, paid in full by a manual payment, and delivered with a stock key.
//
//   node bench/orders.mjs
import {
  atLeast,
  bench,
  hasTime,
  median,
  openFolder,
  print,
  printTable,
  quantile,
} from './lib/bench.mjs'
import { openInProcess } from './lib/in-process.mjs'
import { openPostgres } from './lib/postgres.mjs'
import { CLIENTS, openSale, sellFor } from './lib/sellers.mjs'
import { startServer, unlimitedKey } from './lib/server.mjs'

const ROUNDS = 5
const ROUND_MS = 2_000
/** During the warm-up V8 compiles hot functions, and PostgreSQL collects statistics of the tables. */
const WARM_UP_MS = 8_000
const STATEMENT_TIMES_MS = 3_000
const KEYS = 8_000
const BAR_PER_SECOND = 200
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

await bench(`Orders with their payments, ${CLIENTS} clients`, async (atEnd) => {
  const { databaseUrl, pid } = await openPostgres(atEnd)
  const server = await openApi(atEnd, { dataDir: openFolder(atEnd), databaseUrl, pid })
  const embedded = await openApi(atEnd, { dataDir: openFolder(atEnd) })
  const oneProduct = { products: 1, keys: KEYS }
  const sales = [
    ['PostgreSQL, 1 product', await openSale(atEnd, server, oneProduct)],
    ['PostgreSQL, 20 products', await openSale(atEnd, server, { products: 20, keys: KEYS })],
    ['embedded, 1 product', await openSale(atEnd, embedded, oneProduct)],
  ]
  const rounds = await measure(sales)
  const rows = sales.map(([name, sale]) => tableRow(name, rounds.get(sale)))
  printTable(HEADINGS, rows)
  if (rows.some((row) => row.includes('missed'))) await printStatementTimes(atEnd)
})

async function openApi(atEnd, setup) {
  const tradepost = await startServer(atEnd, setup)
  const pids = [tradepost.child.pid, setup.pid]
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

function tableRow(name, rounds) {
  const rate = median(rounds.map((round) => round.perSecond))
  const times = rounds.flatMap((round) => round.times)
  const hasBar = name.startsWith('PostgreSQL')
  return [
    name,
    rate.toFixed(0),
    quantile(times, 0.5).toFixed(0),
    quantile(times, 0.99).toFixed(0),
    cpuPerOrder(rounds, 0),
    cpuPerOrder(rounds, 1),
    rounds.map((round) => round.perSecond.toFixed(0)).join(' '),
    hasBar ? `at least ${BAR_PER_SECOND}` : '',
    hasBar ? atLeast(rate, BAR_PER_SECOND) : '',
  ]
}

/** Returns the processor time of an order in milliseconds. The index 0 means Tradepost, 1 the database server. */
function cpuPerOrder(rounds, index) {
  const value = median(rounds.map(({ cpu }) => cpu[index] ?? Number.NaN))
  return Number.isNaN(value) ? '' : value.toFixed(1)
}

/** Runs the sale of 20 products in this process, and prints the time of each statement. */
async function printStatementTimes(atEnd) {
  const { databaseUrl } = await openPostgres(atEnd)
  const sums = new Map()
  const record = (text) => {
    const startedAt = performance.now()
    return () => {
      const sum = sums.get(text) ?? { count: 0, time: 0 }
      sums.set(text, { count: sum.count + 1, time: sum.time + performance.now() - startedAt })
    }
  }
  const setup = { dataDir: openFolder(atEnd), databaseUrl }
  const api = { ...(await openInProcess(atEnd, setup, record)), pids: [] }
  const sale = await openSale(atEnd, api, { products: 20, keys: KEYS })
  await sellFor(sale, WARM_UP_MS)
  sums.clear()
  const { times } = await sellFor(sale, STATEMENT_TIMES_MS)
  print(
    `Times of the statements of an order, 20 products (${times.length} orders in this process):\n`,
  )
  const totalTime = [...sums.values()].reduce((total, { time }) => total + time, 0)
  const rows = [...sums]
    .sort(([, sum], [, other]) => other.time - sum.time)
    .map(([text, { count, time }]) => [
      (count / times.length).toFixed(1),
      (time / count).toFixed(2),
      `${((100 * time) / totalTime).toFixed(0)} %`,
      text.replace(/\s+/g, ' ').trim().slice(0, 90),
    ])
  printTable(['runs per order', 'mean ms', 'share', 'statement'], rows)
}
