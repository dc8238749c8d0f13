// The client by example: creates a product with stock, sends more orders than there is stock, and prints
// the sales. `npm start` in a clone builds the imported client; elsewhere, install @tradepost/client.
//
//   npm start                   in one terminal
//   node examples/client.mjs    in another; set TRADEPOST_API_KEY after a later start
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient, TradepostError } from '@tradepost/client'

const BUYERS = ['ada', 'bob', 'cyd', 'dee']

const tradepost = createClient(connection())

const { product, variants } = await tradepost.products.create({
  name: 'Photo editor',
  price_cents: 1999,
  sku: `EDIT-${Date.now()}`,
})
const keys = ['1', '2', '3'].map((n) => `${product.sku}-${n}`)
await tradepost.stock.addKeys(product.id, variants[0].id, { keys })
say(`${product.name}: ${keys.length} keys for ${BUYERS.length} buyers at once`)

await Promise.all(BUYERS.map(buy))

let cents = 0
for await (const order of tradepost.orders.list({ product_id: product.id, sort: 'created_at' })) {
  say(`#${order.number}  ${order.customer.email}  ${order.status}`)
  cents += order.paid_cents
}
say(`${cents / 100} ${product.currency} in all`)
if (cents !== keys.length * product.price_cents) process.exitCode = 1

async function buy(name) {
  try {
    const { order } = await tradepost.orders.create({
      items: [{ product_id: product.id, quantity: 1 }],
      customer: { email: `${name}@example.com` },
      mark_paid: true,
    })
    say(`${name} gets ${order.deliveries[0].keys[0]}`)
  } catch (error) {
    if (!(error instanceof TradepostError) || error.code !== 'OUT_OF_STOCK') throw error
    say(`${name} comes too late: ${error.message}`)
  }
}

/** Reads the connection from the environment, or from the ready file of the start that created the demo store. */
function connection() {
  const { TRADEPOST_URL, TRADEPOST_API_KEY, TRADEPOST_STORE, DATA_DIR } = process.env
  if (TRADEPOST_URL) {
    return { url: TRADEPOST_URL, apiKey: TRADEPOST_API_KEY, storeHash: TRADEPOST_STORE }
  }
  const folder = DATA_DIR ?? fileURLToPath(new URL('../data', import.meta.url))
  const { store_api, stores } = JSON.parse(readFileSync(join(folder, 'ready.json'), 'utf8'))
  const [{ id, api_key }] = stores
  return {
    url: store_api,
    apiKey: TRADEPOST_API_KEY ?? api_key,
    storeHash: TRADEPOST_STORE ?? id,
  }
}

function say(text) {
  process.stdout.write(`${text}\n`)
}
