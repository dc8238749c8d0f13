import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { pruneEventsJob, startDispatcher } from '../../src/features/webhooks/index.ts'
import { orderOf } from '../build.ts'
import type { Json } from '../harness.ts'
import type { Unavailable } from '../postgres/server.ts'
import { call, type Target } from '../process/client.ts'
import {
  closePostgres,
  openPostgres,
  postgresOrSkip,
  type RealPostgres,
} from '../process/real-postgres.ts'
import { openReceiver, type Receiver } from '../receiver.ts'
import { areWaiting, meanwhile } from './meanwhile.ts'
import { openRaceStore, type StoreFixture } from './open-market.ts'

/** A manual resend, during which another call changes its delivery. */

let server: RealPostgres | Unavailable
let raceStore: StoreFixture
let receiver: Receiver

beforeAll(async () => {
  server = await openPostgres()
  if ('unavailable' in server) return
  raceStore = await openRaceStore(server, { env: { TRADEPOST_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' } })
})
afterAll(async () => {
  await raceStore?.close()
  await closePostgres(server)
})
beforeEach(async () => {
  receiver = await openReceiver()
})
afterEach(() => receiver.close())

interface Hooked {
  target: Target
  storeId: number
  webhook: Json
}

/** A store whose receiver got this many orders, and answered with this status. */
async function received(count: number, status: number): Promise<Hooked> {
  const { targets, storeId } = await raceStore.openStoreFixture()
  const [target] = targets
  const hook = { url: receiver.url, events: ['order.created'] }
  const { webhook } = (await call(target, 'POST', '/webhooks', { body: hook })).json
  const game = { name: 'Game', price_cents: 100, type: 'service' }
  const { product } = (await call(target, 'POST', '/products', { body: game })).json
  receiver.answer((response) => response.writeHead(status).end())
  for (let n = 0; n < count; n++) {
    await call(target, 'POST', '/orders', { body: orderOf(product.id) })
  }
  const dispatcher = startDispatcher(raceStore.app)
  await receiver.until(count)
  await dispatcher.stop()
  return { target, storeId, webhook }
}

const log = async (target: Target): Promise<[Json, ...Json[]]> =>
  (await call(target, 'GET', '/events/deliveries')).json.deliveries
const resend = (target: Target, { id }: Json) =>
  call(target, 'POST', `/events/deliveries/${id}/resend`)

test('an event of 31 days is not forgotten while it is about to be sent again', async (context) => {
  postgresOrSkip(context, server)
  const { target, storeId } = await received(1, 200)
  const [delivery] = await log(target)
  const month = sql`update event set created_at = now() - interval '31 days' where store_id = ${storeId}`
  await month.execute(raceStore.app.db)

  // It has read the delivery, and cannot take its lease yet.
  const letGo = await meanwhile(
    raceStore.app,
    `
    insert into webhook_retry (store_id, delivery_id, endpoint_id, step, due_at)
    select store_id, id, endpoint_id, 0, 'infinity' from webhook_delivery
     where store_id = ${storeId} and id = ${delivery.id}`,
  )
  const resent = resend(target, delivery)
  await areWaiting(raceStore.app, 1)
  await pruneEventsJob.run(raceStore.app)
  await letGo()
  const { status, json } = await resent
  expect(status).toBe(200)
  expect(json.delivery).toMatchObject({ status: 'succeeded', attempts: 2 })

  await pruneEventsJob.run(raceStore.app)
  expect(await log(target)).toEqual([])
})

test('a resend that fails while its endpoint is being turned on goes on by its schedule', async (context) => {
  postgresOrSkip(context, server)
  const { target, storeId, webhook } = await received(2, 503)
  const turn = (enabled: boolean) =>
    call(target, 'PATCH', `/webhooks/${webhook.id}`, { body: { enabled } })
  await turn(false)
  const [delivery, other] = await log(target)
  let fail = () => {}
  receiver.answer((response) => {
    fail = () => response.writeHead(503).end()
  })
  const resent = resend(target, delivery)
  await receiver.until(3)

  // Turning on stops in the middle: the endpoint is on, but the commit is not visible yet.
  const letGo = await meanwhile(
    raceStore.app,
    `
    select from webhook_retry where store_id = ${storeId} and delivery_id = ${other?.id} for update`,
  )
  const turned = turn(true)
  await areWaiting(raceStore.app, 1)
  fail()
  await Promise.race([resent, areWaiting(raceStore.app, 2)])
  await letGo()
  expect((await turned).json.webhook).toMatchObject({ enabled: true })
  expect((await resent).json.result).toMatchObject({ ok: false, status_code: 503 })
  for (const item of await log(target)) {
    expect(item).toMatchObject({ status: 'pending', next_attempt_at: expect.any(String) })
  }
})
