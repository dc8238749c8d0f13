// The number of statements that a call sends to PostgreSQL, including `begin` and `commit` (decision 35).
//
//   node bench/statements.mjs
import { atMost, bench, median, openFolder, printTable } from './lib/bench.mjs'
import { openInProcess } from './lib/in-process.mjs'
import { openPostgres } from './lib/postgres.mjs'
import { call } from './lib/server.mjs'
import { createOrder, PRODUCT, stockProduct } from './lib/stock.mjs'

const PRODUCTS = 25
const ROUNDS = 7

await bench('Statements of a call on PostgreSQL, with a cached API key', async (atEnd) => {
  const { databaseUrl } = await openPostgres(atEnd)
  let count = 0
  const setup = { dataDir: openFolder(atEnd), databaseUrl }
  const { origin, headers } = await openInProcess(atEnd, setup, () => void count++)
  const rows = []
  for (const { name, bar, prepare, makeCall } of await callsToCount(origin, headers)) {
    const counts = []
    for (let round = 0; round < ROUNDS; round++) {
      const order = await prepare?.()
      count = 0
      await makeCall(order)
      counts.push(count)
    }
    const maximum = Math.max(...counts)
    rows.push([name, median(counts), maximum, `at most ${bar}`, atMost(maximum, bar)])
  }
  printTable(['call', 'statements, median', 'maximum', 'bar', ''], rows)
  if (rows.some((row) => row.includes('missed'))) process.exitCode = 1
})

async function callsToCount(origin, headers) {
  const send = (...request) => call(origin, headers, request)
  const { product } = await send('POST', '/products', PRODUCT)
  for (let n = 1; n < PRODUCTS; n++)
    await send('POST', '/products', { ...PRODUCT, sku: `PHOTO-1-${n}` })
  const stockedId = await stockProduct(send, 'Stock', 10 * ROUNDS)
  return [
    {
      name: 'warm authentication',
      bar: 0,
      async makeCall() {
        // An id with an invalid format is refused without a query, so only authentication could send statements.
        const { status } = await fetch(`${origin}/v1/products/no.id`, { headers })
        if (status !== 404) throw new Error(`The call with an invalid id answered ${status}.`)
      },
    },
    { name: 'product read', bar: 2, makeCall: () => send('GET', `/products/${product.id}`) },
    {
      name: `list of ${PRODUCTS} products`,
      bar: 3,
      makeCall: () => send('GET', `/products?limit=${PRODUCTS}&include=variants`),
    },
    { name: 'create order', bar: 12, makeCall: () => createOrder(send, stockedId) },
    {
      name: 'order paid and delivered',
      bar: 14,
      prepare: () => createOrder(send, stockedId),
      makeCall: (order) => send('POST', `/orders/${order.id}/manual-payments`, {}),
    },
  ]
}
