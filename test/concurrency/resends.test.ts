import { sql } from 'kysely'
import { afterEach, beforeEach, expect, type TestContext, test } from 'vitest'
import { pruneEventsJob, startDispatcher } from '../../src/features/webhooks/index.ts'
import { orderOf } from '../build.ts'
import type { Json } from '../harness.ts'
import { call, type Target } from '../process/client.ts'
import { openReceiver, type Receiver } from '../receiver.ts'
import { holdTransaction, untilWaiting } from './lock-waits.ts'
import type { ServedStore } from './open-served-database.ts'
import { sharedDatabase } from './shared-database.ts'

// A manual resend, during which another call changes its webhook delivery.

const database = sharedDatabase({
  env: { TRADEPOST_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' },
})
let receiver: Receiver

beforeEach(async () => {
  receiver = await openReceiver()
})
afterEach(() => receiver.close())

interface SubscribedStore extends ServedStore {
  target: Target
  webhook: Json
}

/** Opens a store whose receiver got this many webhooks, and answered them with this status. */
async function openSubscribedStore(
  context: TestContext,
  count: number,
  status: number,
): Promise<SubscribedStore> {
  const store = await database.openStore(context)
  const [target] = store.targets
  const hook = { url: receiver.url, events: ['order.created'] }
  const { webhook } = (await call(target, 'POST', '/webhooks', { body: hook })).json
  const game = { name: 'Game', price_cents: 100, type: 'service' }
  const { product } = (await call(target, 'POST', '/products', { body: game })).json
  receiver.answer((response) => response.writeHead(status).end())
  for (let n = 0; n < count; n++) {
    await call(target, 'POST', '/orders', { body: orderOf(product.id) })
  }
  const dispatcher = startDispatcher(store.app)
  await receiver.until(count)
  await dispatcher.stop()
  return { ...store, target, webhook }
}

const listDeliveries = async (target: Target): Promise<[Json, ...Json[]]> =>
  (await call(target, 'GET', '/events/deliveries')).json.deliveries
const resend = (target: Target, { id }: Json) =>
  call(target, 'POST', `/events/deliveries/${id}/resend`)

test('an event that is 31 days old is deleted only after its resend has ended', async (context) => {
  const { app, target, storeId } = await openSubscribedStore(context, 1, 200)
  const [delivery] = await listDeliveries(target)
  const makeOld = sql`update event set created_at = now() - interval '31 days' where store_id = ${storeId}`
  await makeOld.execute(app.db)

  // The resend has read the delivery, and waits for the row of its lease.
  const release = await holdTransaction(
    app,
    `
    insert into webhook_retry (store_id, delivery_id, endpoint_id, step, due_at)
    select store_id, id, endpoint_id, 0, 'infinity' from webhook_delivery
     where store_id = ${storeId} and id = ${delivery.id}`,
  )
  const resending = resend(target, delivery)
  await untilWaiting(app, 1)
  await pruneEventsJob.run(app)
  await release()
  const { status, json } = await resending
  expect(status).toBe(200)
  expect(json.delivery).toMatchObject({ status: 'succeeded', attempts: 2 })

  await pruneEventsJob.run(app)
  expect(await listDeliveries(target)).toEqual([])
})

test('a delivery whose resend fails while its endpoint is enabled is attempted again by its schedule', async (context) => {
  const { app, target, storeId, webhook } = await openSubscribedStore(context, 2, 503)
  const setEnabled = (enabled: boolean) =>
    call(target, 'PATCH', `/webhooks/${webhook.id}`, { body: { enabled } })
  await setEnabled(false)
  const [delivery, otherDelivery] = await listDeliveries(target)
  let fail = () => {}
  receiver.answer((response) => {
    fail = () => response.writeHead(503).end()
  })
  const resending = resend(target, delivery)
  await receiver.until(3)

  // The transaction has enabled the endpoint, and waits before its commit.
  const release = await holdTransaction(
    app,
    `
    select from webhook_retry where store_id = ${storeId} and delivery_id = ${otherDelivery?.id} for update`,
  )
  const enabling = setEnabled(true)
  await untilWaiting(app, 1)
  fail()
  await Promise.race([resending, untilWaiting(app, 2)])
  await release()
  expect((await enabling).json.webhook).toMatchObject({ enabled: true })
  expect((await resending).json.result).toMatchObject({ ok: false, status_code: 503 })
  for (const item of await listDeliveries(target)) {
    expect(item).toMatchObject({ status: 'pending', next_attempt_at: expect.any(String) })
  }
})
