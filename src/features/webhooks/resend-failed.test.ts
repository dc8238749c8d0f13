import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { order, product } from '../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../test/harness.ts'
import { openReceiver, type Receiver } from '../../../test/receiver.ts'
import type { Progress } from '../../command.ts'
import { HOUR_MS, MINUTE_MS } from '../../kernel/time.ts'
import { type Dispatcher, startDispatcher, webhookCommands } from './index.ts'

let shop: Tradepost
let receiver: Receiver
let webhook: Json
let service: string

beforeAll(async () => {
  shop = await openTradepost()
  service = (await product(shop, { type: 'service' })).id
})
afterAll(() => shop.close())
beforeEach(async () => {
  receiver = await openReceiver()
  const body = { url: receiver.url, events: ['order.created'] }
  webhook = (await shop.post('/webhooks', body)).json.webhook
})
afterEach(async () => {
  await shop.delete(`/webhooks/${webhook.id}`)
  await receiver.close()
  // What this test left behind is out of the next one's two hours.
  shop.forward(3 * HOUR_MS)
})

const answer = (status: number) =>
  receiver.answer((response) => response.writeHead(status).end('said'))
const log = async (): Promise<Json[]> =>
  (await shop.get(`/events/deliveries?limit=100&webhook_id=${webhook.id}`)).json.deliveries
const one = async ({ id }: Json): Promise<Json> =>
  (await shop.get(`/events/deliveries/${id}`)).json.delivery
const dueNow = () => sql`update webhook_retry set due_at = clock_timestamp()`.execute(shop.db)

async function resend(
  input: Json = {},
  emit: (progress: Progress) => unknown = () => {},
): Promise<Json> {
  const command = webhookCommands.find(({ name }) => name === 'webhooks resend')
  const { signal } = new AbortController()
  const asked = { store: shop.live.id, failedSince: '2h', ...input }
  return command?.run(shop.app, asked, { emit: (progress) => void emit(progress), signal })
}

/** A sender works until so many webhooks arrived, and what they brought is written down. */
async function send(count: number): Promise<void> {
  const before = receiver.received.length
  const dispatcher = startDispatcher(shop.app)
  try {
    await receiver.until(before + count)
  } finally {
    await dispatcher.stop()
  }
}

/** So many events whose first try fails: nothing of them is given up for the next twenty hours. */
async function failing(count: number): Promise<void> {
  answer(500)
  for (let n = 0; n < count; n++) await order(shop, service)
  await send(count)
  for (const { status, attempts } of await log()) {
    expect([status, attempts]).toEqual(['pending', 1])
  }
}

test('after a downtime of two hours all that failed is sent, though nothing is given up yet', async () => {
  await failing(5)
  shop.forward(2 * HOUR_MS - MINUTE_MS)
  answer(200)
  const said: Progress[] = []
  expect(await resend({}, (progress) => said.push(progress))).toEqual({ resent: 5, failed: 0 })
  expect(said).toEqual([1, 2, 3, 4, 5].map((done) => ({ done, total: 5, failed: 0 })))
  for (const delivery of await log()) {
    expect(delivery).toMatchObject({ status: 'succeeded', attempts: 2, next_attempt_at: null })
  }
  expect(await resend()).toEqual({ resent: 0, failed: 0 })
  await dueNow()
  const dispatcher = startDispatcher(shop.app)
  await dispatcher.stop()
  expect(receiver.received).toHaveLength(10)
})

test('what fails again keeps its schedule, and is sent the next time', async () => {
  await failing(2)
  const before = await log()
  expect(await resend()).toEqual({ resent: 0, failed: 2 })
  for (const [n, delivery] of (await log()).entries()) {
    const { next_attempt_at } = before[n] ?? {}
    expect(delivery).toMatchObject({ status: 'pending', attempts: 2, next_attempt_at })
  }
  answer(200)
  expect(await resend()).toEqual({ resent: 2, failed: 0 })
})

test('what was given up is sent too, what was tried before that time is not', async () => {
  await failing(2)
  const [given] = await log()
  await sql`
    update webhook_retry set step = 6, due_at = clock_timestamp()
     where delivery_id = ${given?.id}`.execute(shop.db)
  await send(1)
  expect(await one(given)).toMatchObject({ status: 'failed', attempts: 2 })
  shop.forward(HOUR_MS)
  await order(shop, service)
  await dueNow()
  answer(503)
  await send(2)
  answer(200)
  expect(await resend({ failedSince: '30m' })).toEqual({ resent: 2, failed: 0 })
  expect(await one(given)).toMatchObject({ status: 'failed', attempts: 2 })
  expect(await resend()).toEqual({ resent: 1, failed: 0 })
  expect(await one(given)).toMatchObject({ status: 'succeeded', attempts: 3 })
})

test('what was never tried is not sent: nothing of it failed', async () => {
  await failing(1)
  await order(shop, service)
  answer(200)
  expect(await resend()).toEqual({ resent: 1, failed: 0 })
  expect((await log()).map(({ status }) => status)).toEqual(['pending', 'succeeded'])
})

test('samples are sent only where they are asked for', async () => {
  answer(500)
  await shop.post(`/webhooks/${webhook.id}/test`)
  await webhookCommands
    .find(({ name }) => name === 'webhooks trigger')
    ?.run(shop.app, { store: shop.live.id, type: 'order.created' })
  await send(1)
  answer(200)
  expect(await resend()).toEqual({ resent: 0, failed: 0 })
  expect((await log()).map(({ status }) => status).sort()).toEqual(['failed', 'pending'])
  expect(await resend({ samples: true })).toEqual({ resent: 2, failed: 0 })
})

test('what arrives by its schedule while others are sent is not sent again', async () => {
  await failing(3)
  const [last] = await log()
  let dispatcher: Dispatcher | undefined
  // While the first is on its way the schedule brings the last.
  receiver.answer((response) => {
    receiver.answer((other) => other.end('ok'))
    const untilItArrived = async () => {
      await sql`
        update webhook_retry set due_at = clock_timestamp()
         where delivery_id = ${last?.id}`.execute(shop.db)
      dispatcher = startDispatcher(shop.app)
      await expect.poll(async () => (await one(last)).status).toBe('succeeded')
      response.end('ok')
    }
    void untilItArrived()
  })
  expect(await resend()).toEqual({ resent: 2, failed: 0 })
  await dispatcher?.stop()
  expect(await one(last)).toMatchObject({ attempts: 2 })
  expect(receiver.received).toHaveLength(6)
})

test('a try that runs is left alone, and counts as nothing', async () => {
  await failing(2)
  let release = () => {}
  receiver.answer((response) => {
    release = () => response.end('ok')
  })
  const [running] = await log()
  const byHand = shop.post(`/events/deliveries/${running?.id}/resend`)
  await receiver.until(3)
  const let_go = release
  answer(200)
  expect(await resend()).toEqual({ resent: 1, failed: 0 })
  let_go()
  expect((await byHand).json.delivery).toMatchObject({ status: 'succeeded', attempts: 2 })
  expect(receiver.received).toHaveLength(4)
})

test('an endpoint that was deleted gets nothing, and another store neither', async () => {
  await failing(1)
  answer(200)
  expect(await resend({ store: shop.other.id })).toEqual({ resent: 0, failed: 0 })
  await shop.delete(`/webhooks/${webhook.id}`)
  expect(await resend()).toEqual({ resent: 0, failed: 0 })
  // Nor what was given up before.
  await sql`update webhook_delivery set status = 'failed' where status = 'cancelled'`.execute(
    shop.db,
  )
  expect(await resend()).toEqual({ resent: 0, failed: 0 })
  expect(receiver.received).toHaveLength(1)
})

test('each try has its own time, however long the command takes', async () => {
  await failing(2)
  await resend({}, () => shop.forward(10 * MINUTE_MS))
  const [second, first] = await Promise.all((await log()).map(one))
  const at = ({ attempt_history }: Json) => Date.parse(attempt_history[1].created_at)
  expect(at(second) - at(first)).toBeGreaterThanOrEqual(10 * MINUTE_MS)
})
