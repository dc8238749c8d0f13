import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { keysNamed, order, product } from '../../../test/build.ts'
import { now_s } from '../../../test/clock.ts'
import { type Json, openTradepost, type Tradepost } from '../../../test/harness.ts'
import { openReceiver, type Receiver } from '../../../test/receiver.ts'
import { elapse } from '../../../test/until.ts'
import { EVENT_TYPES } from '../../events/types.ts'
import { DAY_MS } from '../../kernel/time.ts'
import { verifySignature } from '../../sender/signature.ts'
import { type Dispatcher, startDispatcher } from './index.ts'
import { eventNoOf } from './queries/delivery-id.ts'

let tradepost: Tradepost
let receiver: Receiver
let dispatcher: Dispatcher
let webhook: Json
let secret: string

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

beforeEach(async () => {
  receiver = await openReceiver()
  const { json } = await tradepost.post('/webhooks', {
    url: receiver.url,
    events: ['order.completed'],
  })
  webhook = json.webhook
  secret = json.secret
})
afterEach(async () => {
  await dispatcher?.stop()
  await tradepost.delete(`/webhooks/${webhook.id}`)
  await receiver.close()
})

const getDelivery = async (id: number) =>
  (await tradepost.get(`/events/deliveries/${id}`)).json.delivery
const getOnlyDelivery = async () =>
  (await tradepost.get(`/events/deliveries?webhook_id=${webhook.id}`)).json.deliveries[0]

async function createCompletedOrder() {
  const game = await product(tradepost, {}, { keys: keysNamed('MANUAL', 1) })
  const { id } = await order(tradepost, game.id)
  return (await tradepost.post(`/orders/${id}/manual-payments`, {})).json.order
}

describe('a sample', () => {
  test('is sent immediately, signed, and logged as a test', async () => {
    const { status, json } = await tradepost.post(`/webhooks/${webhook.id}/test`)
    expect(status).toBe(200)
    expect(json.result).toMatchObject({ ok: true, status_code: 200, error: null })
    expect(json.delivery).toMatchObject({
      status: 'succeeded',
      attempts: 1,
      event: { type: 'order.completed', test: true },
      payload: { livemode: false },
      attempt_history: [{ attempt: 1, manual: true, response_body: 'ok' }],
    })
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.received
    const header = String(headers['service-signature'])
    expect(verifySignature(secret, header, Buffer.from(body), now_s())).toBe(true)
  })

  test.each([
    ['a list of events', 'that list', ['order.refunded', 'order.created'], 'order.refunded'],
    ['"*"', 'all types', ['*'], EVENT_TYPES[0]],
  ])(
    'without a type, for an endpoint with %s, has the first of %s (decision 127)',
    async (_events, _list, events, type) => {
      await tradepost.patch(`/webhooks/${webhook.id}`, { events })
      await tradepost.events()
      const { json } = await tradepost.post(`/webhooks/${webhook.id}/test`)
      expect(json.delivery).toMatchObject({ event: { type, test: true }, payload: { type } })
      expect(receiver.received.at(-1)?.headers['service-event-type']).toBe(type)
      expect(await tradepost.events()).toEqual([type])
    },
  )

  test.each(EVENT_TYPES)('of %s can be requested', async (type) => {
    const { json } = await tradepost.post(`/webhooks/${webhook.id}/test`, { type })
    expect(json.delivery).toMatchObject({ event: { type }, payload: { type } })
  })

  test('that fails is answered with its result, and is not retried', async () => {
    receiver.answer((response) => response.writeHead(500).end('no'))
    const { status, json } = await tradepost.post(`/webhooks/${webhook.id}/test`)
    expect(status).toBe(200)
    expect(json.result).toMatchObject({ ok: false, status_code: 500 })
    expect(json.delivery).toMatchObject({ status: 'failed', next_attempt_at: null })
  })

  test('is sent to an endpoint that is turned off', async () => {
    await tradepost.patch(`/webhooks/${webhook.id}`, { enabled: false })
    const { json } = await tradepost.post(`/webhooks/${webhook.id}/test`)
    expect(json.result.ok).toBe(true)
  })

  test('for an endpoint of another store is not found', async () => {
    const { status } = await tradepost.post(
      `/webhooks/${webhook.id}/test`,
      {},
      { as: tradepost.other },
    )
    expect(status).toBe(404)
  })
})

describe('a resend', () => {
  test('of a delivered event takes the next attempt number', async () => {
    dispatcher = startDispatcher(tradepost.app)
    await createCompletedOrder()
    await receiver.until(1)
    await dispatcher.stop()
    const { id } = await getOnlyDelivery()
    const { status, json } = await tradepost.post(`/events/deliveries/${id}/resend`)
    expect(status).toBe(200)
    expect(json.delivery).toMatchObject({
      status: 'succeeded',
      attempts: 2,
      attempt_history: [
        { attempt: 1, manual: false },
        { attempt: 2, manual: true },
      ],
    })
    expect(receiver.received[1]?.headers['service-delivery-attempt']).toBe('2')
    expect(receiver.received[1]?.headers['service-event-id']).toBe(
      receiver.received[0]?.headers['service-event-id'],
    )
  })

  test('of a delivery that waits for its first attempt sends it now', async () => {
    await createCompletedOrder()
    const { id, status } = await getOnlyDelivery()
    expect(status).toBe('pending')
    const { json } = await tradepost.post(`/events/deliveries/${id}/resend`)
    expect(json.delivery).toMatchObject({ status: 'succeeded', attempts: 1 })
    const { rows } = await sql`select from webhook_fanout where no = ${eventNoOf(id)}`.execute(
      tradepost.db,
    )
    expect(rows).toEqual([])
    dispatcher = startDispatcher(tradepost.app)
    await dispatcher.stop()
    expect(receiver.received).toHaveLength(1)
  })

  test('that fails leaves the schedule unchanged', async () => {
    receiver.answer((response) => response.writeHead(503).end())
    dispatcher = startDispatcher(tradepost.app)
    await createCompletedOrder()
    await receiver.until(1)
    await dispatcher.stop()
    const scheduledDelivery = await getOnlyDelivery()
    const { json } = await tradepost.post(`/events/deliveries/${scheduledDelivery.id}/resend`)
    expect(json.result).toMatchObject({ ok: false, status_code: 503 })
    expect(json.delivery).toMatchObject({
      status: 'pending',
      attempts: 2,
      next_attempt_at: scheduledDelivery.next_attempt_at,
    })
  })

  test('during a running attempt is refused with DELIVERY_IN_PROGRESS', async () => {
    await createCompletedOrder()
    const { id } = await getOnlyDelivery()
    let finish = () => {}
    receiver.answer((response) => {
      finish = () => response.end('ok')
    })
    const first = tradepost.post(`/events/deliveries/${id}/resend`)
    await receiver.until(1)
    const { status, json } = await tradepost.post(`/events/deliveries/${id}/resend`)
    expect(status).toBe(409)
    expect(json.code).toBe('DELIVERY_IN_PROGRESS')
    expect((await getDelivery(id)).status).toBe('delivering')
    finish()
    expect((await first).json.result.ok).toBe(true)
  })

  test('after a lost first attempt counts that attempt', async () => {
    await createCompletedOrder()
    const { id } = await getOnlyDelivery()
    await sql`
      update webhook_fanout set lease_token = 7, lease_until = now() - interval '1 s'`.execute(
      tradepost.db,
    )
    const { json } = await tradepost.post(`/events/deliveries/${id}/resend`)
    expect(json.delivery).toMatchObject({
      status: 'succeeded',
      attempts: 2,
      attempt_history: [
        { attempt: 1, manual: false, error: expect.stringMatching(/^worker_lost: /) },
        { attempt: 2, manual: true, error: null },
      ],
    })
    expect(receiver.received[0]?.headers['service-delivery-attempt']).toBe('2')
  })

  test.each([false, true])(
    'after a lost later attempt (manual: %s) counts that attempt',
    async (manual) => {
      receiver.answer((response) => response.writeHead(503).end())
      dispatcher = startDispatcher(tradepost.app)
      await createCompletedOrder()
      await receiver.until(1)
      await dispatcher.stop()
      receiver.answer((response) => response.end('ok'))
      const { id } = await getOnlyDelivery()
      await sql`
      update webhook_retry
         set lease_token = 7, by_hand = ${manual}, due_at = now() - interval '1 s',
             resume_at = case when ${manual} then now() end`.execute(tradepost.db)
      const { json } = await tradepost.post(`/events/deliveries/${id}/resend`)
      expect(json.delivery.attempt_history).toMatchObject([
        { attempt: 1, status_code: 503, manual: false },
        {
          attempt: 2,
          status_code: null,
          manual,
          error: expect.stringMatching(/^worker_lost: /),
        },
        { attempt: 3, status_code: 200, manual: true },
      ])
    },
  )

  test('of a parked delivery continues its schedule if its endpoint was turned on meanwhile', async () => {
    receiver.answer((response) => response.writeHead(503).end())
    dispatcher = startDispatcher(tradepost.app)
    await createCompletedOrder()
    await receiver.until(1)
    await dispatcher.stop()
    await tradepost.patch(`/webhooks/${webhook.id}`, { enabled: false })
    const { id } = await getOnlyDelivery()

    let fail = () => {}
    receiver.answer((response) => {
      fail = () => response.writeHead(503).end()
    })
    const resend = tradepost.post(`/events/deliveries/${id}/resend`)
    await receiver.until(2)
    await tradepost.patch(`/webhooks/${webhook.id}`, { enabled: true })
    fail()
    const { json } = await resend
    expect(json.delivery).toMatchObject({ status: 'pending', attempts: 2 })
    expect(json.delivery.next_attempt_at).not.toBeNull()

    receiver.answer((response) => response.end('ok'))
    dispatcher = startDispatcher(tradepost.app)
    await receiver.until(3)
    await dispatcher.stop()
    expect((await getDelivery(id)).status).toBe('succeeded')
  })

  test('to a deleted endpoint is refused with ENDPOINT_DELETED', async () => {
    await createCompletedOrder()
    const { id } = await getOnlyDelivery()
    await tradepost.delete(`/webhooks/${webhook.id}`)
    const { status, json } = await tradepost.post(`/events/deliveries/${id}/resend`)
    expect(status).toBe(409)
    expect(json.code).toBe('ENDPOINT_DELETED')
  })

  test('that is repeated with its idempotency key is sent once', async () => {
    await createCompletedOrder()
    const { id } = await getOnlyDelivery()
    const headers = { 'idempotency-key': `again-${id}` }
    const first = await tradepost.post(`/events/deliveries/${id}/resend`, undefined, { headers })
    const repeatedAnswer = await tradepost.post(`/events/deliveries/${id}/resend`, undefined, {
      headers,
    })
    expect(repeatedAnswer.text).toBe(first.text)
    expect(receiver.received).toHaveLength(1)
  })
})

test.each(['resend', 'sample'])(
  'a successful %s resets the count of failures in a row',
  async (kind) => {
    const as = await tradepost.key({ rate_limit: 0 })
    await tradepost.patch(`/webhooks/${webhook.id}`, { events: ['order.created'] })
    const { id: serviceId } = await product(tradepost, { type: 'service' })
    const fail = async (count: number) => {
      receiver.answer((response) => response.writeHead(500).end())
      const receivedBefore = receiver.received.length
      for (let n = 0; n < count; n++) await order(tradepost, serviceId, {}, { as })
      dispatcher = startDispatcher(tradepost.app)
      await receiver.until(receivedBefore + count)
      await dispatcher.stop()
    }
    await fail(39)
    receiver.answer((response) => response.end('ok'))
    const { id } = await getOnlyDelivery()
    const path =
      kind === 'resend' ? `/events/deliveries/${id}/resend` : `/webhooks/${webhook.id}/test`
    expect((await tradepost.post(path)).json.result.ok).toBe(true)
    // The three days of grace have ended.
    tradepost.forward(4 * DAY_MS)
    await fail(1)
    const { json } = await tradepost.get(`/webhooks/${webhook.id}`)
    expect(json.webhook).toMatchObject({ enabled: true, disabled_reason: null })
  },
)

test('a caller without orders:read sees no keys in a payload, and payload_redacted is true', async () => {
  await createCompletedOrder()
  const { id } = await getOnlyDelivery()
  const as = await tradepost.key({ permissions: ['webhooks:read'] })
  const { json } = await tradepost.get(`/events/deliveries/${id}`, { as })
  expect(json.delivery.payload_redacted).toBe(true)
  expect(json.delivery.payload.data.object.deliveries[0].keys).toEqual(['••••'])
  expect((await getDelivery(id)).payload_redacted).toBe(false)
})

test('a caller without orders:read sees no keys in the quoted answers of a receiver', async () => {
  receiver.answer((response, { body }) => response.writeHead(500).end(body))
  dispatcher = startDispatcher(tradepost.app)
  await createCompletedOrder()
  await receiver.until(1)
  await dispatcher.stop()
  const { id } = await getOnlyDelivery()
  receiver.answer((response, { body }) => response.end(body))
  const as = await tradepost.key({ permissions: ['webhooks:read', 'webhooks:write'] })
  const resendAnswer = await tradepost.post(`/events/deliveries/${id}/resend`, {}, { as })
  const sampleAnswer = await tradepost.post(`/webhooks/${webhook.id}/test`, {}, { as })
  const readAnswer = await tradepost.get(`/events/deliveries/${id}`, { as })

  const fullDelivery = await getDelivery(id)
  const [key] = fullDelivery.payload.data.object.deliveries[0].keys
  for (const { response_body } of fullDelivery.attempt_history) expect(response_body).toContain(key)
  const answers = { 2: [resendAnswer, readAnswer], 1: [sampleAnswer] }
  for (const [attempts, list] of Object.entries(answers)) {
    for (const { status, text, json } of list) {
      expect(status).toBe(200)
      expect(text).not.toContain(key)
      expect(json.delivery).toMatchObject({ payload_redacted: true, attempts: Number(attempts) })
      const bodies = json.delivery.attempt_history.map((item: Json) => item.response_body)
      expect(bodies).toEqual(new Array(Number(attempts)).fill(null))
    }
  }
})

test('the answer of a receiver to an event without secrets is shown to every caller', async () => {
  const as = await tradepost.key({ permissions: ['webhooks:read', 'webhooks:write'] })
  const { json } = await tradepost.post(
    `/webhooks/${webhook.id}/test`,
    { type: 'order.created' },
    { as },
  )
  expect(json.delivery).toMatchObject({
    payload_redacted: false,
    attempt_history: [{ response_body: 'ok' }],
  })
})

test('deleting an endpoint cancels its pending deliveries', async () => {
  await createCompletedOrder()
  const { id } = await getOnlyDelivery()
  await tradepost.delete(`/webhooks/${webhook.id}`)
  dispatcher = startDispatcher(tradepost.app)
  await elapse(100)
  await dispatcher.stop()
  expect(await getDelivery(id)).toMatchObject({ status: 'cancelled', webhook: { deleted: true } })
  expect(receiver.received).toHaveLength(0)
})
