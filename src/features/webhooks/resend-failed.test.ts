import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import type { Json } from '../../../test/harness.ts'
import { subscribedStore } from '../../../test/subscribed-store.ts'
import type { Progress } from '../../command.ts'
import { HOUR_MS, MINUTE_MS } from '../../kernel/time.ts'
import { type Dispatcher, startDispatcher, webhookCommands } from './index.ts'

const subscribed = subscribedStore()
const { happen, log, send } = subscribed

// Moves the clock so that records of one test are older than the two hours of the next one.
afterEach(() => subscribed.tradepost.forward(3 * HOUR_MS))

const answer = (status: number) =>
  subscribed.receiver.answer((response) => response.writeHead(status).end('said'))
const one = async ({ id }: Json): Promise<Json> =>
  (await subscribed.tradepost.get(`/events/deliveries/${id}`)).json.delivery
const dueNow = () =>
  sql`update webhook_retry set due_at = clock_timestamp()`.execute(subscribed.tradepost.db)

async function resend(
  input: Json = {},
  emit: (progress: Progress) => unknown = () => {},
): Promise<Json> {
  const command = webhookCommands.find(({ name }) => name === 'webhooks resend')
  const { signal } = new AbortController()
  const asked = { store: subscribed.tradepost.live.id, failedSince: '2h', ...input }
  return command?.run(subscribed.tradepost.app, asked, {
    emit: (progress) => void emit(progress),
    signal,
  })
}

/** This many events whose first attempt fails: they stay pending for the next twenty hours. */
async function failing(count: number): Promise<void> {
  answer(500)
  await happen(count)
  await send(count)
  for (const { status, attempts } of await log()) {
    expect([status, attempts]).toEqual(['pending', 1])
  }
}

test('after a downtime of two hours all that failed is sent, though nothing is given up yet', async () => {
  await failing(5)
  subscribed.tradepost.forward(2 * HOUR_MS - MINUTE_MS)
  answer(200)
  const said: Progress[] = []
  expect(await resend({}, (progress) => said.push(progress))).toEqual({ resent: 5, failed: 0 })
  expect(said).toEqual([1, 2, 3, 4, 5].map((done) => ({ done, total: 5, failed: 0 })))
  for (const delivery of await log()) {
    expect(delivery).toMatchObject({ status: 'succeeded', attempts: 2, next_attempt_at: null })
  }
  expect(await resend()).toEqual({ resent: 0, failed: 0 })
  await dueNow()
  const dispatcher = startDispatcher(subscribed.tradepost.app)
  await dispatcher.stop()
  expect(subscribed.receiver.received).toHaveLength(10)
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

test('failed deliveries are sent too, and those whose attempts ended before that time are not', async () => {
  await failing(2)
  const [given] = await log()
  await sql`
    update webhook_retry set step = 6, due_at = clock_timestamp()
     where delivery_id = ${given?.id}`.execute(subscribed.tradepost.db)
  await send(1)
  expect(await one(given)).toMatchObject({ status: 'failed', attempts: 2 })
  subscribed.tradepost.forward(HOUR_MS)
  await happen(1)
  await dueNow()
  answer(503)
  await send(2)
  answer(200)
  expect(await resend({ failedSince: '30m' })).toEqual({ resent: 2, failed: 0 })
  expect(await one(given)).toMatchObject({ status: 'failed', attempts: 2 })
  expect(await resend()).toEqual({ resent: 1, failed: 0 })
  expect(await one(given)).toMatchObject({ status: 'succeeded', attempts: 3 })
})

test('deliveries without an attempt are not sent: none of them failed', async () => {
  await failing(1)
  await happen(1)
  answer(200)
  expect(await resend()).toEqual({ resent: 1, failed: 0 })
  expect((await log()).map(({ status }) => status)).toEqual(['pending', 'succeeded'])
})

test('samples are sent only where they are asked for', async () => {
  answer(500)
  await subscribed.tradepost.post(`/webhooks/${subscribed.webhook.id}/test`)
  await webhookCommands
    .find(({ name }) => name === 'webhooks trigger')
    ?.run(subscribed.tradepost.app, { store: subscribed.tradepost.live.id, type: 'order.created' })
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
  subscribed.receiver.answer((response) => {
    subscribed.receiver.answer((other) => other.end('ok'))
    const untilItArrived = async () => {
      await sql`
        update webhook_retry set due_at = clock_timestamp()
         where delivery_id = ${last?.id}`.execute(subscribed.tradepost.db)
      dispatcher = startDispatcher(subscribed.tradepost.app)
      await expect.poll(async () => (await one(last)).status).toBe('succeeded')
      response.end('ok')
    }
    void untilItArrived()
  })
  expect(await resend()).toEqual({ resent: 2, failed: 0 })
  await dispatcher?.stop()
  expect(await one(last)).toMatchObject({ attempts: 2 })
  expect(subscribed.receiver.received).toHaveLength(6)
})

test('a running attempt is left alone, and is not counted', async () => {
  await failing(2)
  let release = () => {}
  subscribed.receiver.answer((response) => {
    release = () => response.end('ok')
  })
  const [running] = await log()
  const byHand = subscribed.tradepost.post(`/events/deliveries/${running?.id}/resend`)
  await subscribed.receiver.until(3)
  const let_go = release
  answer(200)
  expect(await resend()).toEqual({ resent: 1, failed: 0 })
  let_go()
  expect((await byHand).json.delivery).toMatchObject({ status: 'succeeded', attempts: 2 })
  expect(subscribed.receiver.received).toHaveLength(4)
})

test('an endpoint that was deleted gets nothing, and another store neither', async () => {
  await failing(1)
  answer(200)
  expect(await resend({ store: subscribed.tradepost.other.id })).toEqual({ resent: 0, failed: 0 })
  await subscribed.tradepost.delete(`/webhooks/${subscribed.webhook.id}`)
  expect(await resend()).toEqual({ resent: 0, failed: 0 })
  // Deliveries that failed before that time are not sent either.
  await sql`update webhook_delivery set status = 'failed' where status = 'cancelled'`.execute(
    subscribed.tradepost.db,
  )
  expect(await resend()).toEqual({ resent: 0, failed: 0 })
  expect(subscribed.receiver.received).toHaveLength(1)
})

test('each attempt has its own time, however long the command takes', async () => {
  await failing(2)
  await resend({}, () => subscribed.tradepost.forward(10 * MINUTE_MS))
  const [second, first] = await Promise.all((await log()).map(one))
  const at = ({ attempt_history }: Json) => Date.parse(attempt_history[1].created_at)
  expect(at(second) - at(first)).toBeGreaterThanOrEqual(10 * MINUTE_MS)
})
