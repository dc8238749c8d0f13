import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { keysNamed, order, product } from '../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../test/harness.ts'
import { openReceiver, type Receiver } from '../../../test/receiver.ts'
import { EVENT_TYPES } from '../../events/types.ts'
import { DAY_MS } from '../../kernel/time.ts'
import { verifySignature } from '../../sender/signature.ts'
import { type Dispatcher, startDispatcher } from './index.ts'

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

const now_s = () => Math.floor(Date.now() / 1_000)
const delivery = async (id: number) =>
  (await tradepost.get(`/events/deliveries/${id}`)).json.delivery
const onlyDelivery = async () =>
  (await tradepost.get(`/events/deliveries?webhook_id=${webhook.id}`)).json.deliveries[0]

async function completedOrder() {
  const game = await product(tradepost, {}, { keys: keysNamed(`K${Math.random()}`, 1) })
  const { id } = await order(tradepost, game.id)
  return (await tradepost.post(`/orders/${id}/manual-payments`, {})).json.order
}

describe('a sample', () => {
  test('is sent at once, signed, and logged as a test', async () => {
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
    ['the first of its own list', ['order.refunded', 'order.created'], 'order.refunded'],
    ['the first of all types for "*"', ['*'], EVENT_TYPES[0]],
  ])('without a type has %s (decision 127)', async (_what, events, type) => {
    await tradepost.patch(`/webhooks/${webhook.id}`, { events })
    await tradepost.events()
    const { json } = await tradepost.post(`/webhooks/${webhook.id}/test`)
    expect(json.delivery).toMatchObject({ event: { type, test: true }, payload: { type } })
    expect(receiver.received.at(-1)?.headers['service-event-type']).toBe(type)
    expect(await tradepost.events()).toEqual([type])
  })

  test.each(EVENT_TYPES)('of %s can be asked for', async (type) => {
    const { json } = await tradepost.post(`/webhooks/${webhook.id}/test`, { type })
    expect(json.delivery).toMatchObject({ event: { type }, payload: { type } })
  })

  test('that fails is not tried again, and counts as no failure', async () => {
    receiver.answer((response) => response.writeHead(500).end('no'))
    const { status, json } = await tradepost.post(`/webhooks/${webhook.id}/test`)
    expect(status).toBe(200)
    expect(json.result).toMatchObject({ ok: false, status_code: 500 })
    expect(json.delivery).toMatchObject({ status: 'failed', next_attempt_at: null })
  })

  test('goes to an endpoint that is turned off', async () => {
    await tradepost.patch(`/webhooks/${webhook.id}`, { enabled: false })
    const { json } = await tradepost.post(`/webhooks/${webhook.id}/test`)
    expect(json.result.ok).toBe(true)
  })

  test("of another store's endpoint is not found", async () => {
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
    await completedOrder()
    await receiver.until(1)
    await dispatcher.stop()
    const { id } = await onlyDelivery()
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
    await completedOrder()
    const { id, status } = await onlyDelivery()
    expect(status).toBe('pending')
    const { json } = await tradepost.post(`/events/deliveries/${id}/resend`)
    expect(json.delivery).toMatchObject({ status: 'succeeded', attempts: 1 })
    const { rows } = await sql`select from webhook_fanout where no = ${id}::bigint >> 5`.execute(
      tradepost.db,
    )
    expect(rows).toEqual([])
    dispatcher = startDispatcher(tradepost.app)
    await dispatcher.stop()
    expect(receiver.received).toHaveLength(1)
  })

  test('that fails leaves the schedule as it was', async () => {
    receiver.answer((response) => response.writeHead(503).end())
    dispatcher = startDispatcher(tradepost.app)
    await completedOrder()
    await receiver.until(1)
    await dispatcher.stop()
    const before = await onlyDelivery()
    const { json } = await tradepost.post(`/events/deliveries/${before.id}/resend`)
    expect(json.result).toMatchObject({ ok: false, status_code: 503 })
    expect(json.delivery).toMatchObject({
      status: 'pending',
      attempts: 2,
      next_attempt_at: before.next_attempt_at,
    })
  })

  test('while an attempt runs is DELIVERY_IN_PROGRESS', async () => {
    await completedOrder()
    const { id } = await onlyDelivery()
    let finish = () => {}
    receiver.answer((response) => {
      finish = () => response.end('ok')
    })
    const first = tradepost.post(`/events/deliveries/${id}/resend`)
    await receiver.until(1)
    const { status, json } = await tradepost.post(`/events/deliveries/${id}/resend`)
    expect(status).toBe(409)
    expect(json.code).toBe('DELIVERY_IN_PROGRESS')
    expect((await delivery(id)).status).toBe('delivering')
    finish()
    expect((await first).json.result.ok).toBe(true)
  })

  test('after a first attempt that was lost counts that attempt', async () => {
    await completedOrder()
    const { id } = await onlyDelivery()
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
    'after a later attempt that was lost (manual: %s) counts that attempt',
    async (manual) => {
      receiver.answer((response) => response.writeHead(503).end())
      dispatcher = startDispatcher(tradepost.app)
      await completedOrder()
      await receiver.until(1)
      await dispatcher.stop()
      receiver.answer((response) => response.end('ok'))
      const { id } = await onlyDelivery()
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
          manual: manual,
          error: expect.stringMatching(/^worker_lost: /),
        },
        { attempt: 3, status_code: 200, manual: true },
      ])
    },
  )

  test('of a parked delivery goes on automatically if its endpoint was turned on meanwhile', async () => {
    receiver.answer((response) => response.writeHead(503).end())
    dispatcher = startDispatcher(tradepost.app)
    await completedOrder()
    await receiver.until(1)
    await dispatcher.stop()
    await tradepost.patch(`/webhooks/${webhook.id}`, { enabled: false })
    const { id } = await onlyDelivery()

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
    expect((await delivery(id)).status).toBe('succeeded')
  })

  test('to an endpoint that was deleted is ENDPOINT_DELETED', async () => {
    await completedOrder()
    const { id } = await onlyDelivery()
    await tradepost.delete(`/webhooks/${webhook.id}`)
    const { status, json } = await tradepost.post(`/events/deliveries/${id}/resend`)
    expect(status).toBe(409)
    expect(json.code).toBe('ENDPOINT_DELETED')
  })

  test('repeated with its idempotency key is sent once', async () => {
    await completedOrder()
    const { id } = await onlyDelivery()
    const headers = { 'idempotency-key': `again-${id}` }
    const first = await tradepost.post(`/events/deliveries/${id}/resend`, undefined, { headers })
    const again = await tradepost.post(`/events/deliveries/${id}/resend`, undefined, { headers })
    expect(again.text).toBe(first.text)
    expect(receiver.received).toHaveLength(1)
  })
})

test.each(['resend', 'sample'])(
  'a %s that arrives begins the row of failures anew',
  async (what) => {
    const as = await tradepost.key({ rate_limit: 0 })
    await tradepost.patch(`/webhooks/${webhook.id}`, { events: ['order.created'] })
    const { id: game } = await product(tradepost, { type: 'service' })
    const fail = async (count: number) => {
      receiver.answer((response) => response.writeHead(500).end())
      const before = receiver.received.length
      for (let n = 0; n < count; n++) await order(tradepost, game, {}, { as })
      dispatcher = startDispatcher(tradepost.app)
      await receiver.until(before + count)
      await dispatcher.stop()
    }
    await fail(39)
    receiver.answer((response) => response.end('ok'))
    const { id } = await onlyDelivery()
    const path =
      what === 'resend' ? `/events/deliveries/${id}/resend` : `/webhooks/${webhook.id}/test`
    expect((await tradepost.post(path)).json.result.ok).toBe(true)
    // The three days of grace that it gave are over.
    tradepost.forward(4 * DAY_MS)
    await fail(1)
    const after = (await tradepost.get(`/webhooks/${webhook.id}`)).json.webhook
    expect(after).toMatchObject({ enabled: true, disabled_reason: null })
  },
)

test('a key without orders:read sees no keys in a payload, and is told so', async () => {
  await completedOrder()
  const { id } = await onlyDelivery()
  const as = await tradepost.key({ permissions: ['webhooks:read'] })
  const { json } = await tradepost.get(`/events/deliveries/${id}`, { as })
  expect(json.delivery.payload_redacted).toBe(true)
  expect(json.delivery.payload.data.object.deliveries[0].keys).toEqual(['••••'])
  expect((await delivery(id)).payload_redacted).toBe(false)
})

test('nor does it see them in what a receiver repeats in its answers', async () => {
  receiver.answer((response, { body }) => response.writeHead(500).end(body))
  dispatcher = startDispatcher(tradepost.app)
  await completedOrder()
  await receiver.until(1)
  await dispatcher.stop()
  const { id } = await onlyDelivery()
  receiver.answer((response, { body }) => response.end(body))
  const as = await tradepost.key({ permissions: ['webhooks:read', 'webhooks:write'] })
  const resent = await tradepost.post(`/events/deliveries/${id}/resend`, {}, { as })
  const tested = await tradepost.post(`/webhooks/${webhook.id}/test`, {}, { as })
  const shown = await tradepost.get(`/events/deliveries/${id}`, { as })

  const whole = await delivery(id)
  const [key] = whole.payload.data.object.deliveries[0].keys
  for (const { response_body } of whole.attempt_history) expect(response_body).toContain(key)
  const answers = { 2: [resent, shown], 1: [tested] }
  for (const [tries, list] of Object.entries(answers)) {
    for (const { status, text, json } of list) {
      expect(status).toBe(200)
      expect(text).not.toContain(key)
      expect(json.delivery).toMatchObject({ payload_redacted: true, attempts: Number(tries) })
      const bodies = json.delivery.attempt_history.map((item: Json) => item.response_body)
      expect(bodies).toEqual(new Array(Number(tries)).fill(null))
    }
  }
})

test('what a receiver answers to an event that hides nothing is shown to every key', async () => {
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

test('deleting an endpoint cancels what waits for it', async () => {
  await completedOrder()
  const { id } = await onlyDelivery()
  await tradepost.delete(`/webhooks/${webhook.id}`)
  dispatcher = startDispatcher(tradepost.app)
  await new Promise((resolve) => setTimeout(resolve, 100))
  await dispatcher.stop()
  expect(await delivery(id)).toMatchObject({ status: 'cancelled', webhook: { deleted: true } })
  expect(receiver.received).toHaveLength(0)
})
