import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Db, openDatabase } from '../../src/db/database.ts'
import { type Dispatcher, startDispatcher } from '../../src/features/webhooks/index.ts'
import { orderOf } from '../build.ts'
import type { Unavailable } from '../postgres/server.ts'
import { call, type Target } from '../process/client.ts'
import {
  closePostgres,
  openPostgres,
  postgresOrSkip,
  type RealPostgres,
} from '../process/real-postgres.ts'
import { openReceiver, type Receiver } from '../receiver.ts'
import { openRaceStore, type StoreFixture } from './open-market.ts'

/** Ten requests at once an endpoint, over all processes (decision 126). */

const SLOTS = 10
/** Fewer than the 40 failures that turn an endpoint off. */
const ORDERS = 35

let server: RealPostgres | Unavailable
let raceStore: StoreFixture
let pools: Db[] = []
let receiver: Receiver
let dispatchers: Dispatcher[] = []
/** Requests that have no answer yet. */
let held: ServerResponse[] = []
let most = 0

beforeAll(async () => {
  server = await openPostgres()
  if ('unavailable' in server) return
  raceStore = await openRaceStore(server, { env: { TRADEPOST_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' } })
  const { databaseUrl = '' } = raceStore.app.config
  pools = [1, 2, 3].map(() => openDatabase({ url: databaseUrl }))
})
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.destroy()))
  await raceStore?.close()
  await closePostgres(server)
})
beforeEach(async () => {
  receiver = await openReceiver()
  held = []
  most = 0
})
afterEach(async () => {
  await receiver.close()
  await Promise.all(dispatchers.splice(0).map((item) => item.stop()))
})

/** Each has its own pool and knows nothing of the others, like a process of its own. */
const startThree = () => {
  dispatchers = pools.map((db) => startDispatcher({ ...raceStore.app, db }))
}

const hold = () =>
  receiver.answer((response) => {
    held.push(response)
    most = Math.max(most, held.length)
  })

const answerHeld = (status = 200) => {
  for (const response of held.splice(0)) response.writeHead(status).end('ok')
}

async function openStore(): Promise<{
  target: Target
  storeId: number
  buy(count: number): Promise<void>
}> {
  const { targets, storeId } = await raceStore.openStoreFixture()
  const [target] = targets
  const hook = { url: receiver.url, events: ['order.created'] }
  await call(target, 'POST', '/webhooks', { body: hook })
  const game = { name: 'Game', price_cents: 100, type: 'service' }
  const { product } = (await call(target, 'POST', '/products', { body: game })).json
  return {
    target,
    storeId,
    async buy(count) {
      for (let n = 0; n < count; n++) {
        await call(target, 'POST', '/orders', { body: orderOf(product.id) })
      }
    },
  }
}

/** Lets every sender look again several times; what must not happen has its chance then. */
const LOOKS_MS = 1_000

const succeeded = async (storeId: number) => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from webhook_delivery
     where store_id = ${storeId} and status = 'succeeded'`.execute(raceStore.app.db)
  return rows[0]?.count
}

async function drain(storeId: number) {
  receiver.answer((response) => {
    held.push(response)
    most = Math.max(most, held.length)
    setTimeout(() => held.splice(held.indexOf(response), 1)[0]?.end('ok'), 20)
  })
  answerHeld()
  await expect.poll(() => succeeded(storeId), { timeout: 60_000 }).toBe(ORDERS)
}

const slotsInUse = async () => {
  const { rows } = await sql`select from webhook_worker`.execute(raceStore.app.db)
  return rows.length
}

test('three processes send ten first attempts at once to an endpoint, and all arrive (decision 126)', async (context) => {
  postgresOrSkip(context, server)
  const { storeId, buy } = await openStore()
  await buy(ORDERS)
  hold()
  startThree()
  await receiver.until(SLOTS)
  await pause(LOOKS_MS)
  expect(held).toHaveLength(SLOTS)
  await drain(storeId)
  expect(most).toBe(SLOTS)
  expect(receiver.received).toHaveLength(ORDERS)
  await expect.poll(slotsInUse).toBe(0)
})

test('three processes send ten retries at once to an endpoint, and all arrive (decision 126)', async (context) => {
  postgresOrSkip(context, server)
  const { storeId, buy } = await openStore()
  await buy(ORDERS)
  receiver.answer((response) => response.writeHead(404).end())
  startThree()
  const failed = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from webhook_retry
       where store_id = ${storeId} and step = 1 and lease_token = 0`.execute(raceStore.app.db)
    return rows[0]?.count
  }
  await expect.poll(failed, { timeout: 60_000 }).toBe(ORDERS)
  hold()
  await sql`update webhook_retry set due_at = now() where store_id = ${storeId}`.execute(
    raceStore.app.db,
  )
  await expect.poll(() => held.length).toBe(SLOTS)
  await pause(LOOKS_MS)
  expect(held).toHaveLength(SLOTS)
  await drain(storeId)
  expect(most).toBe(SLOTS)
})

test('a process that died uses its slots until its leases end (decision 126)', async (context) => {
  postgresOrSkip(context, server)
  const { storeId, buy } = await openStore()
  const { rows } = await sql<{ id: number }>`
    select id from webhook_endpoint where store_id = ${storeId}`.execute(raceStore.app.db)
  const endpointId = rows[0]?.id
  await sql`
    insert into webhook_worker (id, store_ids, endpoint_ids, slots, held_until)
    values ('dead', ${[storeId]}, ${[endpointId]}, '{7}', now() + interval '50 s')`.execute(
    raceStore.app.db,
  )
  await buy(SLOTS)
  hold()
  startThree()
  await receiver.until(3)
  await pause(LOOKS_MS)
  expect(held).toHaveLength(3)
  await sql`update webhook_worker set held_until = now() where id = 'dead'`.execute(
    raceStore.app.db,
  )
  await receiver.until(SLOTS)
  answerHeld()
  await expect.poll(() => succeeded(storeId)).toBe(SLOTS)
})
