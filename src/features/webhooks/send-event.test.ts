import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditEventsSince, lastAuditId } from '../../../test/audited.ts'
import { type SignedIn, signedIn } from '../../../test/browser-session.ts'
import { keysNamed, order, product } from '../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../test/harness.ts'
import { openReceiver, type Receiver } from '../../../test/receiver.ts'

let tradepost: Tradepost
let owner: SignedIn
let receiver: Receiver
let webhook: Json

beforeAll(async () => {
  tradepost = await openTradepost()
  owner = await signedIn(tradepost)
})
beforeEach(async () => {
  receiver = await openReceiver()
})
afterEach(async () => {
  if (webhook) await tradepost.delete(`/webhooks/${webhook.id}`)
  webhook = undefined
  await receiver.close()
})
afterAll(() => tradepost.close())

const storePath = (path: string) => `/stores/${tradepost.live.id}${path}`
const listEvents = async (query = ''): Promise<Json> =>
  (await owner.get(storePath(`/events${query}`))).json
const sendEvent = (event: Json, as = owner) =>
  as.post(storePath(`/events/${event.id}/send`), { webhook_id: webhook.id })

let customerCount = 0
/** Records an event of a new customer. */
async function addCustomer(): Promise<Json> {
  await tradepost.post('/customers', { email: `customer-${++customerCount}@example.com` })
  return (await listEvents('?type=customer.created')).events[0]
}

async function addEndpoint(events: string[], enabled = true) {
  const body = { url: receiver.url, events, enabled }
  ;({ webhook } = (await tradepost.post('/webhooks', body)).json)
}

const deliveriesOf = async ({ id }: Json) =>
  (await tradepost.get(`/events/deliveries?event_id=${id}`)).json.deliveries

describe('the list of events', () => {
  test('has events that no endpoint received, the newest first, page by page', async () => {
    const first = await addCustomer()
    const second = await addCustomer()
    expect(first).toMatchObject({ type: 'customer.created', test: false, deliveries: 0 })
    const page = await listEvents('?type=customer.created&limit=1')
    expect(page.events).toEqual([second])
    const next = await listEvents(`?type=customer.created&limit=1&cursor=${page.next_cursor}`)
    expect(next.events).toEqual([first])
    expect((await listEvents(`?object_id=${second.object_id}`)).events).toEqual([second])
  })

  test('has no events of another store', async () => {
    const event = await addCustomer()
    const stranger = await signedIn(tradepost, 'owner', { store: tradepost.other.id })
    const otherPath = `/stores/${tradepost.other.id}/events`
    const { events } = (await stranger.get(otherPath)).json
    expect(events.map(({ id }: Json) => id)).not.toContain(event.id)
    expect((await stranger.get(`${otherPath}/${event.id}`)).json.code).toBe('NOT_FOUND')
  })

  test('hides delivered goods in the payload from a viewer', async () => {
    const game = await product(tradepost, {}, { keys: keysNamed('SECRET-KEY-', 1) })
    const { id } = await order(tradepost, game.id)
    await tradepost.post(`/orders/${id}/manual-payments`, {})
    const [{ id: eventId }] = (await listEvents('?type=order.completed')).events
    expect((await owner.get(storePath(`/events/${eventId}`))).text).toContain('SECRET-KEY-')
    const viewer = await signedIn(tradepost, 'viewer')
    const { text, json } = await viewer.get(storePath(`/events/${eventId}`))
    expect(text).not.toContain('SECRET-KEY-')
    expect(json.event.payload_redacted).toBe(true)
  })
})

describe('an event sent to an endpoint', () => {
  test('arrives at once with its own id, also if the endpoint is off and not subscribed', async () => {
    const event = await addCustomer()
    await addEndpoint(['order.created'], false)
    const lastId = await lastAuditId(tradepost)
    const { status, json } = await sendEvent(event)
    expect(status).toBe(200)
    expect(json.result).toMatchObject({ ok: true, status_code: 200 })
    expect(json.delivery).toMatchObject({ status: 'succeeded', event: { id: event.id } })
    expect(receiver.received).toHaveLength(1)
    expect(receiver.received[0]?.headers['service-event-id']).toBe(event.id)
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({ id: event.id })
    expect(await auditEventsSince(tradepost, lastId)).toMatchObject([
      {
        action: 'event.send',
        object_id: event.id,
        changes: { webhook_id: { from: null, to: webhook.id } },
      },
    ])
  })

  test('has one delivery to that endpoint, which a second call sends again', async () => {
    await addEndpoint(['order.created'])
    const event = await addCustomer()
    receiver.answer((response) => response.writeHead(500).end())
    expect((await sendEvent(event)).json).toMatchObject({
      result: { ok: false, status_code: 500 },
      delivery: { status: 'failed', next_attempt_at: null },
    })
    receiver.answer((response) => response.end('ok'))
    expect((await sendEvent(event)).json.delivery).toMatchObject({
      status: 'succeeded',
      attempts: 2,
    })
    expect(await deliveriesOf(event)).toHaveLength(1)
  })

  test('that is subscribed uses the scheduled delivery instead of a second one', async () => {
    await addEndpoint(['customer.created'])
    const event = await addCustomer()
    expect(event.deliveries).toBe(1)
    expect((await sendEvent(event)).json.delivery).toMatchObject({ status: 'succeeded' })
    expect(await deliveriesOf(event)).toHaveLength(1)
  })

  test('has one delivery for each endpoint to which it is sent', async () => {
    await addEndpoint(['customer.created'])
    const firstEndpoint = webhook
    const event = await addCustomer()
    await sendEvent(event)
    await addEndpoint(['order.created'])
    await sendEvent(event)
    const endpointIds = (await deliveriesOf(event)).map((item: Json) => item.webhook.id)
    expect(endpointIds.toSorted()).toEqual([firstEndpoint.id, webhook.id].toSorted())
    await tradepost.delete(`/webhooks/${firstEndpoint.id}`)
  })

  test('is refused if the endpoint or the event does not exist', async () => {
    await addEndpoint(['order.created'])
    const event = await addCustomer()
    const unknown = await owner.post(storePath(`/events/${event.id}/send`), {
      webhook_id: 'we_none',
    })
    expect(unknown.json.code).toBe('NOT_FOUND')
    expect((await sendEvent({ id: 'evt_none' })).json.code).toBe('NOT_FOUND')
  })

  test('needs the permission to change endpoints', async () => {
    await addEndpoint(['order.created'])
    const event = await addCustomer()
    const staff = await signedIn(tradepost, 'staff')
    expect((await sendEvent(event, staff)).json.code).toBe('INSUFFICIENT_SCOPE')
    expect(receiver.received).toHaveLength(0)
  })
})
