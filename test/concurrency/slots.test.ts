import type { ServerResponse } from 'node:http'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Db, openDatabase } from '../../src/db/database.ts'
import { type Dispatcher, startDispatcher } from '../../src/features/webhooks/index.ts'
import { orderOf } from '../build.ts'
import type { Unavailable } from '../postgres/server.ts'
import { call, type Target } from '../process/client.ts'
import { openPostgres, postgresOrSkip, type RealPostgres } from '../process/real-postgres.ts'
import { openReceiver, type Receiver } from '../receiver.ts'
import { stays } from '../until.ts'
import { openServedDatabase, type ServedDatabase } from './open-served-database.ts'

// At most ten requests run at once for a webhook endpoint, over all processes (decision 126).

const SLOTS = 10
/** Fewer than the 40 failures after which an endpoint is disabled. */
const ORDERS = 35

let server: RealPostgres | Unavailable
let database: ServedDatabase
let pools: Db[] = []
let receiver: Receiver
let dispatchers: Dispatcher[] = []
/** Unanswered requests. */
let openResponses: ServerResponse[] = []
let mostOpenResponses = 0

beforeAll(async () => {
  server = await openPostgres()
  if ('unavailable' in server) return
  database = await openServedDatabase(server, {
    env: { TRADEPOST_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' },
  })
  const { databaseUrl = '' } = database.app.config
  pools = [1, 2, 3].map(() => openDatabase({ url: databaseUrl }))
})
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.destroy()))
  await database?.close()
})
beforeEach(async () => {
  receiver = await openReceiver()
  openResponses = []
  mostOpenResponses = 0
})
afterEach(async () => {
  await receiver.close()
  await Promise.all(dispatchers.splice(0).map((item) => item.stop()))
})

/** Starts three dispatchers with their own connection pools, like three processes. */
const startThreeDispatchers = () => {
  dispatchers = pools.map((db) => startDispatcher({ ...database.app, db }))
}

const answerLater = () =>
  receiver.answer((response) => {
    openResponses.push(response)
    mostOpenResponses = Math.max(mostOpenResponses, openResponses.length)
  })

const answerAll = (status = 200) => {
  for (const response of openResponses.splice(0)) response.writeHead(status).end('ok')
}

async function openStore(): Promise<{
  target: Target
  storeId: number
  buy(count: number): Promise<void>
}> {
  const { targets, storeId } = await database.openStore()
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

/** Every dispatcher queries several times in this time, so that an excess request would be sent. */
const EXCESS_REQUEST_MS = 1_000

const countSucceeded = async (storeId: number) => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from webhook_delivery
     where store_id = ${storeId} and status = 'succeeded'`.execute(database.app.db)
  return rows[0]?.count
}

/** Answers each request after 20 ms, until all deliveries have succeeded. */
async function answerUntilDelivered(storeId: number) {
  receiver.answer((response) => {
    openResponses.push(response)
    mostOpenResponses = Math.max(mostOpenResponses, openResponses.length)
    setTimeout(() => openResponses.splice(openResponses.indexOf(response), 1)[0]?.end('ok'), 20)
  })
  answerAll()
  await expect.poll(() => countSucceeded(storeId)).toBe(ORDERS)
}

const countWorkersWithSlots = async () => {
  const { rows } = await sql`select from webhook_worker`.execute(database.app.db)
  return rows.length
}

test('three dispatchers send at most ten concurrent first attempts to an endpoint, and all are delivered (decision 126)', async (context) => {
  postgresOrSkip(context, server)
  const { storeId, buy } = await openStore()
  await buy(ORDERS)
  answerLater()
  startThreeDispatchers()
  await receiver.until(SLOTS)
  await stays(() => openResponses.length === SLOTS, EXCESS_REQUEST_MS)
  await answerUntilDelivered(storeId)
  expect(mostOpenResponses).toBe(SLOTS)
  expect(receiver.received).toHaveLength(ORDERS)
  await expect.poll(countWorkersWithSlots).toBe(0)
})

test('three dispatchers that send events as they are committed have at most ten requests at an endpoint (decision 126)', async (context) => {
  postgresOrSkip(context, server)
  const { storeId, buy } = await openStore()
  startThreeDispatchers()
  receiver.answer((response) => {
    openResponses.push(response)
    mostOpenResponses = Math.max(mostOpenResponses, openResponses.length)
    setTimeout(() => openResponses.splice(openResponses.indexOf(response), 1)[0]?.end('ok'), 100)
  })
  await Promise.all(new Array(5).fill(ORDERS / 5).map(buy))
  await expect.poll(() => countSucceeded(storeId)).toBe(ORDERS)
  expect(mostOpenResponses).toBeLessThanOrEqual(SLOTS)
  expect(receiver.received).toHaveLength(ORDERS)
})

test('a process keeps half of the slots of an endpoint for a moment after their use, but not after a stop (decision 126)', async (context) => {
  postgresOrSkip(context, server)
  const { storeId, buy } = await openStore()
  dispatchers = [startDispatcher(database.app)]
  await buy(1)
  await expect.poll(() => countSucceeded(storeId)).toBe(1)
  const readSlots = async () => {
    const { rows } = await sql<{ slots: number[] }>`select slots from webhook_worker`.execute(
      database.app.db,
    )
    return rows.map(({ slots }) => slots)
  }
  expect(await readSlots()).toEqual([[SLOTS / 2]])
  await expect.poll(readSlots).toEqual([])
  await buy(1)
  await expect.poll(() => countSucceeded(storeId)).toBe(2)
  expect(await readSlots()).toEqual([[SLOTS / 2]])
  await Promise.all(dispatchers.splice(0).map((item) => item.stop()))
  expect(await readSlots()).toEqual([])
})

test('three dispatchers send at most ten concurrent retries to an endpoint, and all are delivered (decision 126)', async (context) => {
  postgresOrSkip(context, server)
  const { storeId, buy } = await openStore()
  await buy(ORDERS)
  receiver.answer((response) => response.writeHead(404).end())
  startThreeDispatchers()
  const countFailed = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from webhook_retry
       where store_id = ${storeId} and step = 1 and lease_token = 0`.execute(database.app.db)
    return rows[0]?.count
  }
  await expect.poll(countFailed).toBe(ORDERS)
  answerLater()
  await sql`update webhook_retry set due_at = now() where store_id = ${storeId}`.execute(
    database.app.db,
  )
  await expect.poll(() => openResponses.length).toBe(SLOTS)
  await stays(() => openResponses.length === SLOTS, EXCESS_REQUEST_MS)
  await answerUntilDelivered(storeId)
  expect(mostOpenResponses).toBe(SLOTS)
})

test('a dead process occupies its slots until its lease ends (decision 126)', async (context) => {
  postgresOrSkip(context, server)
  const { storeId, buy } = await openStore()
  const { rows } = await sql<{ id: number }>`
    select id from webhook_endpoint where store_id = ${storeId}`.execute(database.app.db)
  const endpointId = rows[0]?.id
  await sql`
    insert into webhook_worker (id, store_ids, endpoint_ids, slots, held_until)
    values ('dead', ${[storeId]}, ${[endpointId]}, '{7}', now() + interval '50 s')`.execute(
    database.app.db,
  )
  await buy(SLOTS)
  answerLater()
  startThreeDispatchers()
  await receiver.until(3)
  await stays(() => openResponses.length === 3, EXCESS_REQUEST_MS)
  await sql`update webhook_worker set held_until = now() where id = 'dead'`.execute(database.app.db)
  await receiver.until(SLOTS)
  answerAll()
  await expect.poll(() => countSucceeded(storeId)).toBe(SLOTS)
})
