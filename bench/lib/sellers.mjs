// Paid orders, created by eight concurrent clients.
import { loop, openConnection } from './connection.mjs'
import { call } from './shop.mjs'
import { stockProduct } from './stock.mjs'

export const CLIENTS = 8

/** Products with stock keys, and a connection for each client. */
export async function openSale(later, { origin, headers, pids }, { products, keys }) {
  const send = (...request) => call(origin, headers, request)
  const ids = []
  for (let n = 0; n < products; n++) {
    ids.push(await stockProduct(send, `Stock ${n}`, Math.ceil(keys / products)))
  }
  const opening = Array.from({ length: CLIENTS }, () => openConnection(origin))
  const connections = await Promise.all(opening)
  for (const connection of connections) later(connection.close)
  return { connections, pids, headers, ids, orders: 0 }
}

/** Each client creates orders and pays them in full, sequentially. Returns the result of `loop`. */
export function sellFor(sale, for_ms) {
  return loop(sale, for_ms, (connection, client) => sellOne(sale, connection, client))
}

async function sellOne(sale, connection, client) {
  const { headers, ids } = sale
  const product_id = ids[sale.orders++ % ids.length]
  const order = await post(connection, headers, '/v1/orders', {
    items: [{ product_id, quantity: 1 }],
    customer: { email: `client-${client}-${sale.orders % 100}@example.com` },
  })
  const paid = await post(connection, headers, `/v1/orders/${order.order.id}/manual-payments`, {})
  if (paid.order.status !== 'completed') throw new Error(`The order is ${paid.order.status}.`)
}

async function post(connection, headers, path, body) {
  const { status, body: bytes } = await connection.send(
    connection.request('POST', path, headers, body),
  )
  if (status !== 201) throw new Error(`POST ${path} answered ${status}: ${bytes}`)
  return JSON.parse(bytes)
}
