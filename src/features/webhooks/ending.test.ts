import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { order, product } from '../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../test/harness.ts'
import { openReceiver, type Receiver } from '../../../test/receiver.ts'
import { foldStatsJob } from './fold-stats.job.ts'
import { type Dispatcher, startDispatcher, webhookCommands } from './index.ts'

/** The ways in which deliveries end, and their statistics. */

let tradepost: Tradepost
let receiver: Receiver
let dispatcher: Dispatcher | undefined
let webhook: Json
let service: string

beforeAll(async () => {
  tradepost = await openTradepost()
  service = (await product(tradepost, { type: 'service' })).id
})
afterAll(() => tradepost.close())
beforeEach(async () => {
  receiver = await openReceiver()
  webhook = await listen(receiver)
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

const PLACES = 10

const listen = async ({ url }: Receiver): Promise<Json> =>
  (await tradepost.post('/webhooks', { url, events: ['order.created'] })).json.webhook
const log = async (query = ''): Promise<Json[]> =>
  (await tradepost.get(`/events/deliveries?limit=100${query}`)).json.deliveries
const stats = async ({ id } = webhook): Promise<Json> =>
  (await tradepost.get('/webhooks')).json.webhooks.find((item: Json) => item.id === id).stats
const resend = async (id: number): Promise<Json> =>
  (await tradepost.post(`/events/deliveries/${id}/resend`)).json

async function happen(times: number): Promise<void> {
  for (let n = 0; n < times; n++) await order(tradepost, service)
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 60_000
  while (!(await holds())) {
    if (Date.now() > end) throw new Error('It did not happen within a minute.')
    await pause(20)
  }
}

/** Runs a sender until this many webhooks arrived and their results are recorded. */
async function send(count: number): Promise<void> {
  const arrived = receiver.received.length
  dispatcher = startDispatcher(tradepost.app)
  await receiver.until(arrived + count)
  await dispatcher.stop()
}

const fails = () => receiver.answer((response) => void response.writeHead(500).end('no'))
const works = () => receiver.answer((response) => void response.end('ok'))

/** Holds back every answer until all may be given. */
function hold(status: number): () => void {
  const held: (() => void)[] = []
  let isOver = false
  receiver.answer((response) => {
    const end = () => void response.writeHead(status).end()
    if (isOver) end()
    else held.push(end)
  })
  return () => {
    isOver = true
    for (const end of held) end()
  }
}

describe('an endpoint that is deleted while it is sent to', () => {
  test('has what failed there cancelled, not tried again', async () => {
    await happen(1)
    const answer = hold(500)
    dispatcher = startDispatcher(tradepost.app)
    await receiver.until(1)
    await tradepost.delete(`/webhooks/${webhook.id}`)
    answer()
    await dispatcher.stop()
    expect(await log()).toMatchObject([{ status: 'cancelled', attempts: 1, next_attempt_at: null }])
  })

  test('gets none of the deliveries that were queued for its slots', async () => {
    await happen(PLACES + 5)
    const answer = hold(200)
    dispatcher = startDispatcher(tradepost.app)
    await receiver.until(PLACES)
    await pause(150)
    const [queued] = await log()
    expect((await resend(queued?.id)).code).toBe('DELIVERY_IN_PROGRESS')
    await tradepost.delete(`/webhooks/${webhook.id}`)
    expect((await resend(queued?.id)).code).toBe('ENDPOINT_DELETED')
    answer()
    await until(async () => (await log('&status=cancelled')).length === 5)
    expect(receiver.received).toHaveLength(PLACES)
  })
})

test('what waits for a connection is not sent to an endpoint that is deleted or turned off meanwhile', async () => {
  const other = await listen(receiver)
  await happen(PLACES)
  const answer = hold(200)
  dispatcher = startDispatcher(tradepost.app)
  // They share the connections to one origin.
  await receiver.until(PLACES)
  await pause(150)
  await tradepost.delete(`/webhooks/${webhook.id}`)
  await tradepost.patch(`/webhooks/${other.id}`, { enabled: false })
  answer()
  const ends = async () => (await log()).map((item) => `${item.status} ${item.attempts}`)
  const unsent = ['cancelled 0', 'pending 0']
  await until(async () => {
    const all = await ends()
    return all.filter((end) => end === 'succeeded 1').length === PLACES
  })
  await until(async () =>
    (await ends()).every((end) => end === 'succeeded 1' || unsent.includes(end)),
  )
  await dispatcher.stop()
  expect(receiver.received).toHaveLength(PLACES)
  expect((await ends()).filter((end) => unsent.includes(end))).toHaveLength(PLACES)
})

test('an endpoint that moves gets the queued deliveries at its new address', async () => {
  await happen(PLACES + 5)
  const elsewhere = await openReceiver()
  const answer = hold(200)
  dispatcher = startDispatcher(tradepost.app)
  await receiver.until(PLACES)
  await pause(150)
  await tradepost.patch(`/webhooks/${webhook.id}`, { url: elsewhere.url })
  answer()
  await elsewhere.until(5)
  expect(receiver.received).toHaveLength(PLACES)
  await elsewhere.close()
})

test('samples that fail never turn an endpoint off', async () => {
  fails()
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
    fails()
    await happen(1)
    await send(1)
    expect(await stats()).toMatchObject({ total: 1, succeeded: 0, failed: 0, pending: 1 })
    works()
    const [{ id }] = (await log()) as [Json]
    await resend(id)
    expect(await stats()).toMatchObject({ total: 1, succeeded: 1, failed: 0, pending: 0 })
  })

  test('count a failed delivery that succeeded manually as one success, however often it is sent again', async () => {
    fails()
    await tradepost.post(`/webhooks/${webhook.id}/test`)
    expect(await stats()).toMatchObject({ total: 1, succeeded: 0, failed: 1, success_rate: 0 })
    works()
    const [{ id }] = (await log()) as [Json]
    await resend(id)
    await resend(id)
    expect(await stats()).toMatchObject({ total: 1, succeeded: 1, failed: 0, success_rate: 1 })
  })

  test('are the same before and after they are folded', async () => {
    await happen(3)
    await send(3)
    const before = await stats()
    expect(before).toMatchObject({ total: 3, succeeded: 3 })
    await foldStatsJob.run(tradepost.app)
    expect(await stats()).toEqual(before)
    await happen(1)
    await send(1)
    const later = await stats()
    await foldStatsJob.run(tradepost.app)
    expect(await stats()).toEqual(later)
    expect((await sql`select from webhook_stat_delta`.execute(tradepost.db)).rows).toEqual([])
    expect(later.last_delivery_at > before.last_delivery_at).toBe(true)
  })

  test('call nothing pending at an endpoint that got it, while another keeps its event waiting', async () => {
    const slow = await openReceiver()
    slow.answer(() => {})
    const late = await listen(slow)
    await happen(1)
    dispatcher = startDispatcher(tradepost.app)
    await slow.until(1)
    await until(async () => (await stats()).succeeded === 1)
    expect(await stats()).toMatchObject({ total: 1, pending: 0 })
    expect(await stats(late)).toMatchObject({ total: 1, pending: 1 })
    await slow.close()
  })
})

describe('a delivery that is sent again and again', () => {
  test('remembers its newest hundred attempts', async () => {
    await happen(1)
    await send(1)
    const [{ id }] = (await log()) as [Json]
    for (let n = 0; n < 104; n++) await resend(id)
    const { delivery } = (await tradepost.get(`/events/deliveries/${id}`)).json
    expect(delivery.attempts).toBe(105)
    expect(delivery.attempt_history.map((item: Json) => item.attempt)).toEqual(
      Array.from({ length: 100 }, (_, n) => n + 6),
    )
  })

  test('may have more attempts than a small number holds', async () => {
    await happen(1)
    await send(1)
    const [{ id }] = (await log()) as [Json]
    await sql`update webhook_delivery set attempts = 32767`.execute(tradepost.db)
    expect(await resend(id)).toMatchObject({ result: { ok: true }, delivery: { attempts: 32_768 } })
  })
})

test('a lost attempt that cannot be recorded delays no other', async () => {
  fails()
  await happen(2)
  await send(2)
  const [poisoned] = (await log()) as [Json]
  await sql`
    alter table webhook_attempt add constraint poison check (delivery_id <> ${sql.lit(poisoned.id)})`.execute(
    tradepost.db,
  )
  await sql`update webhook_retry set due_at = clock_timestamp() - interval '1 s'`.execute(
    tradepost.db,
  )
  await sql`update webhook_retry set lease_token = 1 where delivery_id = ${poisoned.id}`.execute(
    tradepost.db,
  )
  works()
  dispatcher = startDispatcher(tradepost.app)
  await until(async () => (await log('&status=succeeded')).length === 1)
  await sql`alter table webhook_attempt drop constraint poison`.execute(tradepost.db)
})
