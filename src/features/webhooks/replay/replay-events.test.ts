import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditEventsSince, lastAuditId } from '../../../../test/audited.ts'
import { fromNow } from '../../../../test/clock.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { openReceiver, type Receiver } from '../../../../test/receiver.ts'
import { DAY_MS, HOUR_MS } from '../../../kernel/time.ts'
import { startDispatcher } from '../index.ts'

let tradepost: Tradepost
let receiver: Receiver

beforeAll(async () => {
  tradepost = await openTradepost()
})
beforeEach(async () => {
  receiver = await openReceiver()
})
afterEach(async () => {
  const { webhooks } = (await tradepost.get('/webhooks')).json
  for (const { id } of webhooks) await tradepost.delete(`/webhooks/${id}`)
  for (const table of ['webhook_fanout', 'webhook_retry', 'webhook_delivery', 'event']) {
    await sql`delete from ${sql.table(table)}`.execute(tradepost.db)
  }
  await receiver.close()
})
afterAll(() => tradepost.close())

const ago = (ms: number) => fromNow(-ms)
const LAST_HOUR = () => ({ since: ago(HOUR_MS) })

async function createEndpoint(events = ['customer.created'], fields: Json = {}): Promise<Json> {
  const body = { url: receiver.url, events, ...fields }
  return (await tradepost.post('/webhooks', body)).json.webhook
}
const replay = (webhook: Json, body: Json = LAST_HOUR()) =>
  tradepost.post(`/webhooks/${webhook.id}/replay`, body)

let customerCount = 0
async function addCustomers(count: number): Promise<void> {
  for (let n = 0; n < count; n++)
    await tradepost.post('/customers', { email: `missed-${++customerCount}@example.com` })
}

/** Runs a dispatcher until this many webhooks arrived. Returns all requests in the sequence of their arrival. */
async function send(count: number) {
  const dispatcher = startDispatcher(tradepost.app)
  await receiver.until(count)
  await dispatcher.stop()
  return receiver.received.map(({ headers, body }) => ({
    id: headers['service-event-id'],
    attempt: headers['service-delivery-attempt'],
    event: JSON.parse(body),
  }))
}

/** Inserts this many events, one in a millisecond, without payloads that could be sent. */
const insertEvents = (count: number) =>
  sql`insert into event (store_id, no, tag, type, object_id, payload_enc, created_at)
      select s.id, n, n, 'customer.created', 'x', '', now() - interval '30 min' + n * interval '1 ms'
        from generate_series(1, ${count}::int) n, store s
       where s.hash = ${tradepost.live.id}`.execute(tradepost.db)

describe('a replay', () => {
  test('sends the events from before the endpoint existed, with their own ids and times', async () => {
    await addCustomers(3)
    const webhook = await createEndpoint()
    const { status, json } = await replay(webhook)
    expect([status, json]).toEqual([200, { success: true, queued: 3, next_since: null }])
    const arrived = await send(3)
    expect(new Set(arrived.map(({ id }) => id)).size).toBe(3)
    for (const { id, attempt, event } of arrived) {
      expect([event.id, attempt]).toEqual([id, '1'])
      const { deliveries } = (await tradepost.get(`/events/deliveries?event_id=${id}`)).json
      expect(deliveries).toMatchObject([{ status: 'succeeded', attempts: 1 }])
      expect(Math.trunc(Date.parse(deliveries[0].created_at) / 1_000)).toBe(event.created)
    }
  })

  test('sends the events from the time while the endpoint was off', async () => {
    const webhook = await createEndpoint()
    await addCustomers(1)
    await tradepost.patch(`/webhooks/${webhook.id}`, { enabled: false })
    await addCustomers(2)
    await tradepost.patch(`/webhooks/${webhook.id}`, { enabled: true })
    expect((await replay(webhook)).json.queued).toBe(2)
    expect(new Set((await send(3)).map(({ id }) => id)).size).toBe(3)
  })

  test('creates no second delivery of an event, neither of a pending nor of a sent one', async () => {
    const webhook = await createEndpoint()
    await addCustomers(2)
    expect((await replay(webhook)).json.queued).toBe(0)
    await send(2)
    expect((await replay(webhook)).json.queued).toBe(0)
    await tradepost.patch(`/webhooks/${webhook.id}`, { enabled: false })
    await addCustomers(1)
    await tradepost.patch(`/webhooks/${webhook.id}`, { enabled: true })
    expect((await replay(webhook)).json.queued).toBe(1)
    expect((await replay(webhook)).json.queued).toBe(0)
  })

  test('creates one delivery for each endpoint', async () => {
    await addCustomers(2)
    const first = await createEndpoint()
    const second = await createEndpoint()
    expect((await replay(first)).json.queued).toBe(2)
    expect((await replay(second)).json.queued).toBe(2)
    await send(4)
    const { deliveries } = (await tradepost.get('/events/deliveries')).json
    expect(deliveries.filter(({ status }: Json) => status === 'succeeded')).toHaveLength(4)
  })

  test('has only the types of the endpoint, or those that the call names', async () => {
    await addCustomers(1)
    await tradepost.post('/products', { name: 'Game', price_cents: 100, type: 'service' })
    const all = await createEndpoint(['*'])
    expect((await replay(all, { ...LAST_HOUR(), types: ['order.created'] })).json.queued).toBe(0)
    const named = { ...LAST_HOUR(), types: ['customer.created'] }
    expect((await replay(all, named)).json.queued).toBe(1)
    const orders = await createEndpoint(['order.created'])
    expect((await replay(orders)).json.queued).toBe(0)
  })

  test('has no samples, and no events from before its time', async () => {
    const former = await createEndpoint(['order.created'])
    await tradepost.post(`/webhooks/${former.id}/test`, { type: 'customer.created' })
    await addCustomers(1)
    await sql`update event set created_at = now() - interval '2 h' where not test`.execute(
      tradepost.db,
    )
    await addCustomers(1)
    expect((await replay(await createEndpoint())).json.queued).toBe(1)
  })

  test('creates at most 1,000 deliveries, and says where to continue', async () => {
    await insertEvents(1_500)
    const webhook = await createEndpoint()
    const first = (await replay(webhook)).json
    expect(first.queued).toBe(1_000)
    const next = { since: first.next_since }
    expect((await replay(webhook, next)).json).toMatchObject({ queued: 500, next_since: null })
  })

  test('looks at no more than 5,000 events that the endpoint has, and says where to continue', async () => {
    const others = await createEndpoint(['order.created'])
    await insertEvents(6_000)
    await sql`
      update event set type = 'order.created' where no <= 5500`.execute(tradepost.db)
    const webhook = await createEndpoint()
    const first = (await replay(webhook)).json
    expect(first).toMatchObject({ queued: 0, next_since: expect.any(String) })
    const next = { since: first.next_since }
    expect((await replay(webhook, next)).json).toMatchObject({ queued: 500, next_since: null })
    expect((await replay(others)).json.queued).toBe(1_000)
  })

  test('is recorded in the audit trail with the number of deliveries', async () => {
    await addCustomers(1)
    const webhook = await createEndpoint()
    const lastId = await lastAuditId(tradepost)
    const body = LAST_HOUR()
    await replay(webhook, body)
    expect(await auditEventsSince(tradepost, lastId)).toMatchObject([
      {
        action: 'webhook.replay',
        object: 'webhook_endpoint',
        object_id: webhook.id,
        changes: { since: { to: body.since }, queued: { to: 1 } },
      },
    ])
  })
})

describe('a replay is refused', () => {
  const refusalOf = async (webhook: Json, body: Json) => {
    const { status, json } = await replay(webhook, body)
    return [status, json.code, json.details?.field]
  }

  test('for a time that is more than 30 days ago, or in the future', async () => {
    const webhook = await createEndpoint()
    for (const since of [ago(30 * DAY_MS + HOUR_MS), ago(-HOUR_MS)])
      expect(await refusalOf(webhook, { since })).toEqual([422, 'VALIDATION_FAILED', 'since'])
    expect((await replay(webhook, { since: ago(30 * DAY_MS - HOUR_MS) })).status).toBe(200)
  })

  test('for no time without milliseconds', async () => {
    const webhook = await createEndpoint()
    const since = ago(HOUR_MS).replace(/\.\d{3}Z$/, 'Z')
    expect((await replay(webhook, { since })).status).toBe(200)
  })

  test('for a type to which the endpoint is not subscribed', async () => {
    const body = { ...LAST_HOUR(), types: ['order.created'] }
    const refusal = await refusalOf(await createEndpoint(), body)
    expect(refusal).toEqual([422, 'VALIDATION_FAILED', 'types'])
  })

  test('for an endpoint that is off', async () => {
    const webhook = await createEndpoint(['*'], { enabled: false })
    expect((await refusalOf(webhook, LAST_HOUR())).slice(0, 2)).toEqual([409, 'INVALID_STATE'])
  })

  test('for an endpoint of another store', async () => {
    const webhook = await createEndpoint()
    const path = `/webhooks/${webhook.id}/replay`
    const { json } = await tradepost.post(path, LAST_HOUR(), { as: tradepost.other })
    expect(json.code).toBe('NOT_FOUND')
  })
})
