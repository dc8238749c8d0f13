// Number of statements that a call sends to PostgreSQL, `begin` and `commit` included (decision 35).
//
//   node bench/statements.mjs
import { atMost, bench, median, openFolder, table } from './lib/bench.mjs'
import { openInProcess } from './lib/in-process.mjs'
import { openPostgres } from './lib/postgres.mjs'
import { call } from './lib/shop.mjs'
import { PRODUCT, sell, stockProduct } from './lib/stock.mjs'

const PAGE = 25
const ROUNDS = 7

await bench('Statements of a call on PostgreSQL, with a warm key', async (later) => {
  const { databaseUrl } = await openPostgres(later)
  let count = 0
  const place = { dataDir: openFolder(later), databaseUrl }
  const { origin, headers } = await openInProcess(later, place, () => void count++)
  const rows = []
  for (const { name, bar, prepare, work } of await calls(origin, headers)) {
    const counts = []
    for (let round = 0; round < ROUNDS; round++) {
      const prepared = await prepare?.()
      count = 0
      await work(prepared)
      counts.push(count)
    }
    const most = Math.max(...counts)
    rows.push([name, median(counts), most, `at most ${bar}`, atMost(most, bar)])
  }
  table(['call', 'statements', 'most', 'bar', ''], rows)
  if (rows.some((row) => row.includes('missed'))) process.exitCode = 1
})

async function calls(origin, headers) {
  const send = (...request) => call(origin, headers, request)
  const { product } = await send('POST', '/products', PRODUCT)
  for (let n = 1; n < PAGE; n++)
    await send('POST', '/products', { ...PRODUCT, sku: `PHOTO-1-${n}` })
  const stocked = await stockProduct(send, 'Stock', 10 * ROUNDS)
  return [
    {
      // An id of an impossible format is refused without a query.
      name: 'warm authentication',
      bar: 0,
      work: () =>
        fetch(`${origin}/v1/products/no.id`, { headers }).then(({ status }) => expect404(status)),
    },
    { name: 'product read', bar: 2, work: () => send('GET', `/products/${product.id}`) },
    {
      name: `list of ${PAGE} products`,
      bar: 3,
      work: () => send('GET', `/products?limit=${PAGE}&include=variants`),
    },
    { name: 'create order', bar: 12, work: () => sell(send, stocked) },
    {
      name: 'order paid and delivered',
      bar: 14,
      prepare: () => sell(send, stocked),
      work: (order) => send('POST', `/orders/${order.id}/manual-payments`, {}),
    },
  ]
}

function expect404(status) {
  if (status !== 404) throw new Error(`The call behind the door answered ${status}.`)
}
