// Eight concurrent clients of the Store API that create orders and pay them.
import { openConnection, runClosedLoop } from './connection.mjs'
import { call } from './server.mjs'
import { stockProduct } from './stock.mjs'

export const CLIENTS = 8

/** Creates products with stock keys, and opens a connection for each client. */
export async function openSale(atEnd, { origin, headers, pids }, { products, keys }) {
  const send = (...request) => call(origin, headers, request)
  const ids = []
  for (let n = 0; n < products; n++) {
    ids.push(await stockProduct(send, `Stock ${n}`, Math.ceil(keys / products)))
  }
  const opening = Array.from({ length: CLIENTS }, () => openConnection(origin))
  const connections = await Promise.all(opening)
  for (const connection of connections) atEnd(connection.close)
  return { connections, pids, headers, ids, orders: 0 }
}

/** Lets each client create orders and pay them in full, one after the other. Returns the result of `runClosedLoop`. */
export function sellFor(sale, for_ms) {
  return runClosedLoop(sale, for_ms, (connection, client) =>
    createPaidOrder(sale, connection, client),
  )
}

async function createPaidOrder(sale, connection, client) {
  const { headers, ids } = sale
  const product_id = ids[sale.orders++ % ids.length]
  const { order } = await post(connection, headers, '/v1/orders', {
    items: [{ product_id, quantity: 1 }],
    customer: { email: `client-${client}-${sale.orders % 100}@example.com` },
  })
  const path = `/v1/orders/${order.id}/manual-payments`
  const { order: paidOrder } = await post(connection, headers, path, {})
  if (paidOrder.status !== 'completed') throw new Error(`The order is ${paidOrder.status}.`)
}

async function post(connection, headers, path, body) {
  const { status, body: bytes } = await connection.send(
    connection.request('POST', path, headers, body),
  )
  if (status !== 201) throw new Error(`POST ${path} answered ${status}: ${bytes}`)
  return JSON.parse(bytes)
}
