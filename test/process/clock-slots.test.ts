import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask } from '../database.ts'
import type { Unavailable } from '../postgres/server.ts'
import { call } from './client.ts'
import {
  closePostgres,
  freshDatabase,
  openPostgres,
  postgresOrSkip,
  type RealPostgres,
} from './real-postgres.ts'
import { createMigratedInstallation } from './spawn-server.ts'

/** `clock advance` sends too if a server runs, and both share the ten slots of an endpoint. */

let postgres: RealPostgres | Unavailable

beforeAll(async () => {
  postgres = await openPostgres()
})
afterAll(() => closePostgres(postgres))

const SLOTS = 10
/** Fewer than the 40 failures that turn an endpoint off. */
const ORDERS = 30
const WAIT_MS = 60_000
/** Lets both look for more; what must not happen has its chance then. */
const LOOKS_MS = 1_500

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + WAIT_MS
  while (!(await holds())) {
    if (Date.now() > end) throw new Error('It did not come about.')
    await pause(20)
  }
}

async function openHost() {
  const held: ServerResponse[] = []
  let mode: 'fail' | 'hold' | 'accept' = 'fail'
  let most = 0
  const server = createServer((request, response) => {
    request.resume()
    if (mode === 'fail') return void response.writeHead(404).end()
    if (mode === 'accept') return void response.end('ok')
    held.push(response)
    most = Math.max(most, held.length)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    held,
    most: () => most,
    hold() {
      mode = 'hold'
    },
    accept() {
      mode = 'accept'
      for (const response of held.splice(0)) response.end('ok')
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

test('clock advance takes part in the ten requests at once of an endpoint (decision 126)', async (context) => {
  const database = await freshDatabase(postgresOrSkip(context, postgres))
  const installation = await createMigratedInstallation({
    DATABASE_URL: database.url,
    TRADEPOST_SECRETS_KEY: randomBytes(32).toString('base64'),
    TRADEPOST_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
  })
  const host = await openHost()
  try {
    const server = await installation.start()
    const side = server.test
    const door = { origin: server.origin, store: side.id, key: side.api_key ?? '' }
    const hook = { url: host.url, events: ['order.created'] }
    expect((await call(door, 'POST', '/webhooks', { body: hook })).status).toBe(201)
    const service = { name: 'Service', type: 'service', price_cents: 1 }
    const { product } = (await call(door, 'POST', '/products', { body: service })).json
    const body = {
      items: [{ product_id: product.id, quantity: 1 }],
      customer: { email: 'ada@example.com' },
    }
    for (let n = 0; n < ORDERS; n++) await call(door, 'POST', '/orders', { body })
    const count = async (where: string) => {
      const statement = `select count(*)::int as count from webhook_delivery where ${where}`
      const [row] = (await ask(database.url, statement)) as { count: number }[]
      return row?.count
    }
    await until(async () => (await count('attempts = 1')) === ORDERS)

    host.hold()
    const advance = installation.run(['clock', 'advance', '1m', '--store', side.id])
    await until(() => host.held.length === SLOTS)
    await pause(LOOKS_MS)
    expect(host.held).toHaveLength(SLOTS)
    host.accept()
    const { code, stderr } = await advance
    expect(code, stderr).toBe(0)
    expect(host.most()).toBe(SLOTS)
    expect(await count(`status = 'succeeded' and attempts = 2`)).toBe(ORDERS)
  } finally {
    host.close()
    await installation.close()
    await database.drop()
  }
})
