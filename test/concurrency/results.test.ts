import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTransaction } from '../../src/db/database.ts'
import { EVENT_TYPES } from '../../src/events/types.ts'
import { startDispatcher } from '../../src/features/webhooks/index.ts'
import { sampleEvent } from '../../src/features/webhooks/trigger-event.ts'
import type { Unavailable } from '../postgres/server.ts'
import { call } from '../process/client.ts'
import {
  closePostgres,
  openPostgres,
  postgresOrSkip,
  type RealPostgres,
} from '../process/real-postgres.ts'
import { openReceiver, type Receiver } from '../receiver.ts'
import { type Market, openMarket } from './open-market.ts'

/** The writing of results, when the database is slower than the receivers. */

const EVENTS = 5_000
const IN_HAND_MAX = 2_000
/** A statement that waits longer than 3 s for a lock fails, and then nothing is sent anyway. */
const LOCKED_MS = 2_500

let server: RealPostgres | Unavailable
let market: Market
let receiver: Receiver

beforeAll(async () => {
  server = await openPostgres()
  if ('unavailable' in server) return
  market = await openMarket(server, { env: { TRADEPOST_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' } })
  receiver = await openReceiver()
})
afterAll(async () => {
  await receiver?.close()
  await market?.close()
  await closePostgres(server)
})

test('what was sent and is not written down takes the place of what waits', async (context) => {
  postgresOrSkip(context, server)
  const { app } = market
  const { doors, storeId } = await market.openShop()
  for (const [n, type] of EVENT_TYPES.entries()) {
    const hook = { url: `${receiver.url}/${n}`, events: [type] }
    await call(doors[0], 'POST', '/webhooks', { body: hook })
  }
  const store = await app.db
    .selectFrom('store')
    .select(['id', 'hash', 'slug', 'name', 'livemode'])
    .where('id', '=', storeId)
    .executeTakeFirstOrThrow()
  const events = Array.from({ length: EVENTS }, (_, n) =>
    sampleEvent(EVENT_TYPES[n % EVENT_TYPES.length] ?? 'order.created', 'EUR'),
  )
  await inTransaction(app.db, (tx) =>
    app.ledger.record(tx, store, new Date().toISOString(), events),
  )

  const locker = new pg.Client({ connectionString: app.config.databaseUrl })
  await locker.connect()
  await locker.query('begin; lock table webhook_delivery in share mode')
  const dispatcher = startDispatcher(app)
  await pause(LOCKED_MS)
  const { taken } = await app.db
    .selectFrom('webhook_fanout')
    .select(({ fn }) => fn.countAll<number>().as('taken'))
    .where('lease_token', '<>', 0)
    .executeTakeFirstOrThrow()
  await locker.query('rollback')
  await locker.end()
  await receiver.until(EVENTS, 15_000)
  await dispatcher.stop()
  expect(taken).toBe(IN_HAND_MAX)
  expect(receiver.received).toHaveLength(EVENTS)
})
