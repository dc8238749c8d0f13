import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { ask } from '../database.ts'
import { openLocalServer } from '../local-server.ts'
import { stays, until } from '../until.ts'
import { call } from './client.ts'
import { freshDatabase, settingsFor, sharedPostgres } from './real-postgres.ts'
import { createMigratedInstallation } from './spawn-server.ts'

const requirePostgres = sharedPostgres()

const SLOTS = 10
/** Fewer than the 40 failures that turn an endpoint off. */
const ORDERS = 30
/** In this time both processes query for due deliveries again, and could exceed the limit. */
const QUERIES_MS = 1_500

/** Opens a receiver that refuses requests, until `hold` leaves them unanswered or `accept` accepts them. */
async function openReceiver() {
  const openResponses: ServerResponse[] = []
  let mode: 'fail' | 'hold' | 'accept' = 'fail'
  let concurrentMax = 0
  const server = await openLocalServer((request, response) => {
    request.resume()
    if (mode === 'fail') return void response.writeHead(404).end()
    if (mode === 'accept') return void response.end('ok')
    openResponses.push(response)
    concurrentMax = Math.max(concurrentMax, openResponses.length)
  })
  return {
    url: `${server.origin}/hook`,
    openResponses,
    concurrentMax: () => concurrentMax,
    hold() {
      mode = 'hold'
    },
    accept() {
      mode = 'accept'
      for (const response of openResponses.splice(0)) response.end('ok')
    },
    close: server.close,
  }
}

test('clock advance and the running server together send at most ten concurrent requests to an endpoint (decision 126)', async (context) => {
  const database = await freshDatabase(requirePostgres(context))
  const installation = await createMigratedInstallation({
    ...settingsFor(database.url),
    TRADEPOST_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
  })
  const receiver = await openReceiver()
  try {
    const server = await installation.start()
    const side = server.test
    const target = { origin: server.origin, store: side.id, key: side.api_key ?? '' }
    const endpoint = { url: receiver.url, events: ['order.created'] }
    expect((await call(target, 'POST', '/webhooks', { body: endpoint })).status).toBe(201)
    const service = { name: 'Service', type: 'service', price_cents: 1 }
    const { product } = (await call(target, 'POST', '/products', { body: service })).json
    const body = {
      items: [{ product_id: product.id, quantity: 1 }],
      customer: { email: 'ada@example.com' },
    }
    for (let n = 0; n < ORDERS; n++) {
      expect((await call(target, 'POST', '/orders', { body })).status).toBe(201)
    }
    const countDeliveries = async (where: string) => {
      const statement = `select count(*)::int as count from webhook_delivery where ${where}`
      const [row] = (await ask(database.url, statement)) as { count: number }[]
      return row?.count
    }
    await until(async () => (await countDeliveries('attempts = 1')) === ORDERS)

    receiver.hold()
    const advance = installation.run(['clock', 'advance', '1m', '--store', side.id])
    await until(() => receiver.openResponses.length === SLOTS)
    await stays(() => receiver.openResponses.length === SLOTS, QUERIES_MS)
    receiver.accept()
    const { code, stderr } = await advance
    expect(code, stderr).toBe(0)
    expect(receiver.concurrentMax()).toBe(SLOTS)
    expect(await countDeliveries(`status = 'succeeded' and attempts = 2`)).toBe(ORDERS)
  } finally {
    await receiver.close()
    await installation.close()
    await database.drop()
  }
})
