import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import type { Json } from '../../../test/harness.ts'
import { subscribedStore } from '../../../test/subscribed-store.ts'
import type { Progress } from '../../command.ts'
import { HOUR_MS, MINUTE_MS } from '../../kernel/time.ts'
import { type Dispatcher, startDispatcher, webhookCommands } from './index.ts'

const subscribed = subscribedStore()
const { createOrders, listDeliveries, send } = subscribed

// Makes the deliveries of a test older than the two hours whose failures the next test resends.
afterEach(() => subscribed.tradepost.forward(3 * HOUR_MS))

const answerWith = (status: number) =>
  subscribed.receiver.answer((response) => response.writeHead(status).end('answer'))
const getDelivery = async ({ id }: Json): Promise<Json> =>
  (await subscribed.tradepost.get(`/events/deliveries/${id}`)).json.delivery
const makeRetriesDue = () =>
  sql`update webhook_retry set due_at = clock_timestamp()`.execute(subscribed.tradepost.db)

async function runResend(
  input: Json = {},
  emit: (progress: Progress) => unknown = () => {},
): Promise<Json> {
  const command = webhookCommands.find(({ name }) => name === 'webhooks resend')
  const { signal } = new AbortController()
  const body = { store: subscribed.tradepost.live.id, failedSince: '2h', ...input }
  return command?.run(subscribed.tradepost.app, body, {
    emit: (progress) => void emit(progress),
    signal,
  })
}

/** Creates deliveries whose first attempt failed. They are pending for the next twenty hours. */
async function createFailedDeliveries(count: number): Promise<void> {
  answerWith(500)
  await createOrders(count)
  await send(count)
  for (const { status, attempts } of await listDeliveries()) {
    expect([status, attempts]).toEqual(['pending', 1])
  }
}

test('all failures of a downtime of two hours are resent, even if no delivery has ended', async () => {
  await createFailedDeliveries(5)
  subscribed.tradepost.forward(2 * HOUR_MS - MINUTE_MS)
  answerWith(200)
  const reports: Progress[] = []
  expect(await runResend({}, (progress) => reports.push(progress))).toEqual({
    resent: 5,
    failed: 0,
  })
  expect(reports).toEqual([1, 2, 3, 4, 5].map((done) => ({ done, total: 5, failed: 0 })))
  for (const delivery of await listDeliveries()) {
    expect(delivery).toMatchObject({ status: 'succeeded', attempts: 2, next_attempt_at: null })
  }
  expect(await runResend()).toEqual({ resent: 0, failed: 0 })
  await makeRetriesDue()
  const dispatcher = startDispatcher(subscribed.tradepost.app)
  await dispatcher.stop()
  expect(subscribed.receiver.received).toHaveLength(10)
})

test('a delivery that fails again keeps its schedule, and is resent the next time', async () => {
  await createFailedDeliveries(2)
  const scheduledDeliveries = await listDeliveries()
  expect(await runResend()).toEqual({ resent: 0, failed: 2 })
  for (const [n, delivery] of (await listDeliveries()).entries()) {
    const { next_attempt_at } = scheduledDeliveries[n] ?? {}
    expect(delivery).toMatchObject({ status: 'pending', attempts: 2, next_attempt_at })
  }
  answerWith(200)
  expect(await runResend()).toEqual({ resent: 2, failed: 0 })
})

test('failed deliveries are resent too, unless their last attempt was before the given time', async () => {
  await createFailedDeliveries(2)
  const [delivery] = await listDeliveries()
  await sql`
    update webhook_retry set step = 6, due_at = clock_timestamp()
     where delivery_id = ${delivery?.id}`.execute(subscribed.tradepost.db)
  await send(1)
  expect(await getDelivery(delivery)).toMatchObject({ status: 'failed', attempts: 2 })
  subscribed.tradepost.forward(HOUR_MS)
  await createOrders(1)
  await makeRetriesDue()
  answerWith(503)
  await send(2)
  answerWith(200)
  expect(await runResend({ failedSince: '30m' })).toEqual({ resent: 2, failed: 0 })
  expect(await getDelivery(delivery)).toMatchObject({ status: 'failed', attempts: 2 })
  expect(await runResend()).toEqual({ resent: 1, failed: 0 })
  expect(await getDelivery(delivery)).toMatchObject({ status: 'succeeded', attempts: 3 })
})

test('deliveries without an attempt are not resent', async () => {
  await createFailedDeliveries(1)
  await createOrders(1)
  answerWith(200)
  expect(await runResend()).toEqual({ resent: 1, failed: 0 })
  expect((await listDeliveries()).map(({ status }) => status)).toEqual(['pending', 'succeeded'])
})

test('the failed deliveries of one endpoint alone are resent if it is named', async () => {
  await createFailedDeliveries(1)
  answerWith(200)
  const body = { url: subscribed.receiver.url, events: ['customer.created'] }
  const { webhook } = (await subscribed.tradepost.post('/webhooks', body)).json
  expect(await runResend({ endpoint: webhook.id })).toEqual({ resent: 0, failed: 0 })
  expect(await runResend({ endpoint: subscribed.webhook.id })).toEqual({ resent: 1, failed: 0 })
  await subscribed.tradepost.delete(`/webhooks/${webhook.id}`)
})

test('one delivery is resent, also if it arrived before', async () => {
  answerWith(200)
  await createOrders(2)
  await send(2)
  const [delivery, other] = await listDeliveries()
  const input = { failedSince: undefined, delivery: String(delivery?.id) }
  expect(await runResend(input)).toEqual({ resent: 1, failed: 0 })
  expect(await getDelivery(delivery ?? {})).toMatchObject({ status: 'succeeded', attempts: 2 })
  expect(await getDelivery(other ?? {})).toMatchObject({ status: 'succeeded', attempts: 1 })
  await expect(runResend({ delivery: '4711' })).rejects.toThrow('either --failed-since or')
})

test('a test is sent to one endpoint alone, which may be off', async () => {
  answerWith(200)
  await subscribed.setEnabled(false)
  const sendTest = webhookCommands.find(({ name }) => name === 'webhooks test')
  const input = { store: subscribed.tradepost.live.id, endpoint: subscribed.webhook.id }
  const answer = (await sendTest?.run(subscribed.tradepost.app, {
    ...input,
    type: 'order.cancelled',
  })) as Json
  expect(answer.result).toMatchObject({ ok: true, status_code: 200 })
  expect(await getDelivery({ id: answer.delivery_id })).toMatchObject({
    webhook: { id: subscribed.webhook.id },
    event: { type: 'order.cancelled', test: true },
  })
  expect(subscribed.receiver.received).toHaveLength(1)
  await expect(
    sendTest?.run(subscribed.tradepost.app, { ...input, type: 'order.unknown' }),
  ).rejects.toThrow('--type: write one of')
})

test('samples are resent only if requested', async () => {
  answerWith(500)
  await subscribed.tradepost.post(`/webhooks/${subscribed.webhook.id}/test`)
  await webhookCommands
    .find(({ name }) => name === 'webhooks trigger')
    ?.run(subscribed.tradepost.app, {
      store: subscribed.tradepost.live.id,
      type: 'order.created',
    })
  await send(1)
  answerWith(200)
  expect(await runResend()).toEqual({ resent: 0, failed: 0 })
  expect((await listDeliveries()).map(({ status }) => status).sort()).toEqual(['failed', 'pending'])
  expect(await runResend({ samples: true })).toEqual({ resent: 2, failed: 0 })
})

test('a delivery that succeeds by its schedule meanwhile is not resent', async () => {
  await createFailedDeliveries(3)
  const [scheduledDelivery] = await listDeliveries()
  let dispatcher: Dispatcher | undefined
  // The dispatcher sends one delivery while the command waits for the answer to its first one.
  subscribed.receiver.answer((response) => {
    subscribed.receiver.answer((laterResponse) => laterResponse.end('ok'))
    const deliverBySchedule = async () => {
      await sql`
        update webhook_retry set due_at = clock_timestamp()
         where delivery_id = ${scheduledDelivery?.id}`.execute(subscribed.tradepost.db)
      dispatcher = startDispatcher(subscribed.tradepost.app)
      await expect.poll(async () => (await getDelivery(scheduledDelivery)).status).toBe('succeeded')
      response.end('ok')
    }
    void deliverBySchedule()
  })
  expect(await runResend()).toEqual({ resent: 2, failed: 0 })
  await dispatcher?.stop()
  expect(await getDelivery(scheduledDelivery)).toMatchObject({ attempts: 2 })
  expect(subscribed.receiver.received).toHaveLength(6)
})

test('a running attempt is skipped, and is not counted', async () => {
  await createFailedDeliveries(2)
  let release = () => {}
  subscribed.receiver.answer((response) => {
    release = () => response.end('ok')
  })
  const [running] = await listDeliveries()
  const manualResend = subscribed.tradepost.post(`/events/deliveries/${running?.id}/resend`)
  await subscribed.receiver.until(3)
  const releaseManual = release
  answerWith(200)
  expect(await runResend()).toEqual({ resent: 1, failed: 0 })
  releaseManual()
  expect((await manualResend).json.delivery).toMatchObject({ status: 'succeeded', attempts: 2 })
  expect(subscribed.receiver.received).toHaveLength(4)
})

test('an endpoint that the store does not have is refused with its id', async () => {
  const unknown = runResend({ endpoint: 'we_0000000000000000000000' })
  await expect(unknown).rejects.toThrow('The endpoint we_0000000000000000000000 was not found.')
})

test('no deliveries of a deleted endpoint or of another store are resent', async () => {
  await createFailedDeliveries(1)
  answerWith(200)
  expect(await runResend({ store: subscribed.tradepost.other.id })).toEqual({
    resent: 0,
    failed: 0,
  })
  await subscribed.tradepost.delete(`/webhooks/${subscribed.webhook.id}`)
  expect(await runResend()).toEqual({ resent: 0, failed: 0 })
  // Deliveries that had failed before the endpoint was deleted are not resent either.
  await sql`update webhook_delivery set status = 'failed' where status = 'cancelled'`.execute(
    subscribed.tradepost.db,
  )
  expect(await runResend()).toEqual({ resent: 0, failed: 0 })
  expect(subscribed.receiver.received).toHaveLength(1)
})

test('each attempt is recorded with the time at which it was made', async () => {
  await createFailedDeliveries(2)
  await runResend({}, () => subscribed.tradepost.forward(10 * MINUTE_MS))
  const [second, first] = await Promise.all((await listDeliveries()).map(getDelivery))
  const resentAt = ({ attempt_history }: Json) => Date.parse(attempt_history[1].created_at)
  expect(resentAt(second) - resentAt(first)).toBeGreaterThanOrEqual(10 * MINUTE_MS)
})
