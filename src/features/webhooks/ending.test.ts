import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { order, product } from '../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../test/harness.ts'
import { openReceiver, type Receiver } from '../../../test/receiver.ts'
import { elapse, until } from '../../../test/until.ts'
import { foldStatsJob } from './fold-stats.job.ts'
import { type Dispatcher, startDispatcher, webhookCommands } from './index.ts'

let tradepost: Tradepost
let receiver: Receiver
let dispatcher: Dispatcher | undefined
let webhook: Json
let productId: string

beforeAll(async () => {
  tradepost = await openTradepost()
  // On a slow machine a wait needs more calls than the usual limit.
  await sql`update api_key set rate_limit = 0`.execute(tradepost.db)
  productId = (await product(tradepost, { type: 'service' })).id
})
afterAll(() => tradepost.close())
beforeEach(async () => {
  receiver = await openReceiver()
  webhook = await createEndpoint(receiver)
})
afterEach(async () => {
  await dispatcher?.stop()
  dispatcher = undefined
  const { webhooks } = (await tradepost.get('/webhooks')).json
  for (const { id } of webhooks) await tradepost.delete(`/webhooks/${id}`)
  for (const table of ['webhook_fanout', 'webhook_retry', 'webhook_attempt', 'webhook_delivery']) {
    await sql`delete from ${sql.table(table)}`.execute(tradepost.db)
  }
  await receiver.close()
})

const SLOTS = 10

const createEndpoint = async ({ url }: Receiver): Promise<Json> =>
  (await tradepost.post('/webhooks', { url, events: ['order.created'] })).json.webhook
const listDeliveries = async (query = ''): Promise<Json[]> =>
  (await tradepost.get(`/events/deliveries?limit=100${query}`)).json.deliveries
const getStats = async ({ id } = webhook): Promise<Json> =>
  (await tradepost.get('/webhooks')).json.webhooks.find((item: Json) => item.id === id).stats
/** An endpoint that was read less than 100 ms ago is not read again before a queued delivery is sent. */
const TARGET_AGE_MS = 150

/** Waits until deliveries are claimed, and a change of their endpoint affects the queued ones. */
async function untilClaimed(count: number): Promise<void> {
  await until(async () => {
    const deliveries = await listDeliveries()
    return deliveries.filter(({ status }) => status === 'delivering').length === count
  })
  await elapse(TARGET_AGE_MS)
}
const resend = async (id: number): Promise<Json> =>
  (await tradepost.post(`/events/deliveries/${id}/resend`)).json

async function createOrders(times: number): Promise<void> {
  for (let n = 0; n < times; n++) await order(tradepost, productId)
}

/** Runs a dispatcher until this many more webhooks arrived and their results are recorded. */
async function send(count: number): Promise<void> {
  const receivedBefore = receiver.received.length
  dispatcher = startDispatcher(tradepost.app)
  await receiver.until(receivedBefore + count)
  await dispatcher.stop()
}

const answerWith500 = () => receiver.answer((response) => void response.writeHead(500).end('no'))
const answerOk = () => receiver.answer((response) => void response.end('ok'))

/** Delays every answer until the returned function is called. */
function delayAnswers(status: number): () => void {
  const openReplies: (() => void)[] = []
  let isOver = false
  receiver.answer((response) => {
    const end = () => void response.writeHead(status).end()
    if (isOver) end()
    else openReplies.push(end)
  })
  return () => {
    isOver = true
    for (const end of openReplies) end()
  }
}

describe('an endpoint that is deleted during an attempt', () => {
  test('has its failed delivery cancelled, not retried', async () => {
    await createOrders(1)
    const releaseAnswers = delayAnswers(500)
    dispatcher = startDispatcher(tradepost.app)
    await receiver.until(1)
    await tradepost.delete(`/webhooks/${webhook.id}`)
    releaseAnswers()
    await dispatcher.stop()
    expect(await listDeliveries()).toMatchObject([
      { status: 'cancelled', attempts: 1, next_attempt_at: null },
    ])
  })

  test('gets none of the deliveries that wait for its slots', async () => {
    await createOrders(SLOTS + 5)
    const releaseAnswers = delayAnswers(200)
    dispatcher = startDispatcher(tradepost.app)
    await receiver.until(SLOTS)
    await untilClaimed(SLOTS + 5)
    const [queuedDelivery] = await listDeliveries()
    expect((await resend(queuedDelivery?.id)).code).toBe('DELIVERY_IN_PROGRESS')
    await tradepost.delete(`/webhooks/${webhook.id}`)
    expect((await resend(queuedDelivery?.id)).code).toBe('ENDPOINT_DELETED')
    releaseAnswers()
    await until(async () => (await listDeliveries('&status=cancelled')).length === 5)
    expect(receiver.received).toHaveLength(SLOTS)
  })
})

test('a delivery that waits for a connection is not sent if its endpoint is deleted or turned off meanwhile', async () => {
  const otherEndpoint = await createEndpoint(receiver)
  await createOrders(SLOTS)
  const releaseAnswers = delayAnswers(200)
  dispatcher = startDispatcher(tradepost.app)
  // Both endpoints share the connections to one origin.
  await receiver.until(SLOTS)
  await untilClaimed(2 * SLOTS)
  await tradepost.delete(`/webhooks/${webhook.id}`)
  await tradepost.patch(`/webhooks/${otherEndpoint.id}`, { enabled: false })
  releaseAnswers()
  const describeDeliveries = async () =>
    (await listDeliveries()).map((item) => `${item.status} ${item.attempts}`)
  const UNSENT_STATES = ['cancelled 0', 'pending 0']
  await until(async () => {
    const descriptions = await describeDeliveries()
    return descriptions.filter((text) => text === 'succeeded 1').length === SLOTS
  })
  await until(async () =>
    (await describeDeliveries()).every(
      (text) => text === 'succeeded 1' || UNSENT_STATES.includes(text),
    ),
  )
  await dispatcher.stop()
  expect(receiver.received).toHaveLength(SLOTS)
  expect((await describeDeliveries()).filter((text) => UNSENT_STATES.includes(text))).toHaveLength(
    SLOTS,
  )
})

test('an endpoint that moves gets the queued deliveries at its new address', async () => {
  await createOrders(SLOTS + 5)
  const newReceiver = await openReceiver()
  const releaseAnswers = delayAnswers(200)
  dispatcher = startDispatcher(tradepost.app)
  await receiver.until(SLOTS)
  await untilClaimed(SLOTS + 5)
  const { status } = await tradepost.patch(`/webhooks/${webhook.id}`, { url: newReceiver.url })
  expect(status).toBe(200)
  releaseAnswers()
  await newReceiver.until(5)
  expect(receiver.received).toHaveLength(SLOTS)
  await newReceiver.close()
})

test('failed samples never turn an endpoint off', async () => {
  answerWith500()
  const trigger = webhookCommands.find((item) => item.name === 'webhooks trigger')
  for (let n = 0; n < 41; n++) {
    await trigger?.run(tradepost.app, { store: tradepost.live.id, type: 'order.created' })
  }
  await send(41)
  expect((await tradepost.get(`/webhooks/${webhook.id}`)).json.webhook).toMatchObject({
    enabled: true,
  })
})

describe('the statistics', () => {
  test('count a pending delivery once a manual attempt succeeds', async () => {
    answerWith500()
    await createOrders(1)
    await send(1)
    expect(await getStats()).toMatchObject({ total: 1, succeeded: 0, failed: 0, pending: 1 })
    answerOk()
    const [{ id }] = (await listDeliveries()) as [Json]
    await resend(id)
    expect(await getStats()).toMatchObject({ total: 1, succeeded: 1, failed: 0, pending: 0 })
  })

  test('count a failed delivery that succeeded manually as one success, however often it is resent', async () => {
    answerWith500()
    await tradepost.post(`/webhooks/${webhook.id}/test`)
    expect(await getStats()).toMatchObject({ total: 1, succeeded: 0, failed: 1, success_rate: 0 })
    answerOk()
    const [{ id }] = (await listDeliveries()) as [Json]
    await resend(id)
    await resend(id)
    expect(await getStats()).toMatchObject({ total: 1, succeeded: 1, failed: 0, success_rate: 1 })
  })

  test('are the same before and after they are folded', async () => {
    await createOrders(3)
    await send(3)
    const statsOfThree = await getStats()
    expect(statsOfThree).toMatchObject({ total: 3, succeeded: 3 })
    await foldStatsJob.run(tradepost.app)
    expect(await getStats()).toEqual(statsOfThree)
    await createOrders(1)
    await send(1)
    const statsOfFour = await getStats()
    await foldStatsJob.run(tradepost.app)
    expect(await getStats()).toEqual(statsOfFour)
    expect((await sql`select from webhook_stat_delta`.execute(tradepost.db)).rows).toEqual([])
    expect(statsOfFour.last_delivery_at > statsOfThree.last_delivery_at).toBe(true)
  })

  test('count an event as pending only for the endpoint that has not received it yet', async () => {
    const slowReceiver = await openReceiver()
    slowReceiver.answer(() => {})
    const slowEndpoint = await createEndpoint(slowReceiver)
    await createOrders(1)
    dispatcher = startDispatcher(tradepost.app)
    await slowReceiver.until(1)
    await until(async () => (await getStats()).succeeded === 1)
    expect(await getStats()).toMatchObject({ total: 1, pending: 0 })
    expect(await getStats(slowEndpoint)).toMatchObject({ total: 1, pending: 1 })
    await slowReceiver.close()
  })
})

describe('a delivery that is resent repeatedly', () => {
  test('keeps its newest hundred attempts', async () => {
    await createOrders(1)
    await send(1)
    const [{ id }] = (await listDeliveries()) as [Json]
    for (let n = 0; n < 104; n++) await resend(id)
    const { delivery } = (await tradepost.get(`/events/deliveries/${id}`)).json
    expect(delivery.attempts).toBe(105)
    expect(delivery.attempt_history.map((item: Json) => item.attempt)).toEqual(
      Array.from({ length: 100 }, (_, n) => n + 6),
    )
  })

  test('may have more than 32,767 attempts', async () => {
    await createOrders(1)
    await send(1)
    const [{ id }] = (await listDeliveries()) as [Json]
    await sql`update webhook_delivery set attempts = 32767`.execute(tradepost.db)
    expect(await resend(id)).toMatchObject({ result: { ok: true }, delivery: { attempts: 32_768 } })
  })
})

test('a lost attempt that cannot be recorded delays no other attempt', async () => {
  answerWith500()
  await createOrders(2)
  await send(2)
  const [unrecordableDelivery] = (await listDeliveries()) as [Json]
  await sql`
    alter table webhook_attempt add constraint unrecordable check (delivery_id <> ${sql.lit(unrecordableDelivery.id)})`.execute(
    tradepost.db,
  )
  await sql`update webhook_retry set due_at = clock_timestamp() - interval '1 s'`.execute(
    tradepost.db,
  )
  await sql`update webhook_retry set lease_token = 1 where delivery_id = ${unrecordableDelivery.id}`.execute(
    tradepost.db,
  )
  answerOk()
  dispatcher = startDispatcher(tradepost.app)
  await until(async () => (await listDeliveries('&status=succeeded')).length === 1)
  await sql`alter table webhook_attempt drop constraint unrecordable`.execute(tradepost.db)
})
