import { readFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { order, product } from '../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../test/harness.ts'
import { EVENT_TYPES } from '../../events/types.ts'
import { HOUR_MS } from '../../kernel/time.ts'
import { isForbiddenAddress, isLocalName } from '../../network/address.rules.ts'
import { parseHosts } from '../../network/hosts-file.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())
afterEach(async () => {
  for (const { id } of (await tradepost.get('/webhooks?limit=100')).json.webhooks)
    await deleteWebhook({ id })
})

const HOOK_URL = 'http://127.0.0.1:4999/hook'
const postWebhook = (fields: Json = {}, options = {}) =>
  tradepost.post('/webhooks', { url: HOOK_URL, events: ['order.created'], ...fields }, options)
const createWebhook = async (fields: Json = {}): Promise<Json> =>
  (await postWebhook(fields)).json.webhook
const deleteWebhook = ({ id }: Json) => tradepost.delete(`/webhooks/${id}`)

describe('a new endpoint', () => {
  test('is shown with its secret once, and emits no event', async () => {
    await tradepost.events()
    const { status, json } = await postWebhook({ description: 'Mine' })
    expect(status).toBe(201)
    expect(json).toEqual({
      success: true,
      webhook: {
        id: expect.stringMatching(/^we_[0-9A-Za-z]{22}$/),
        object: 'webhook_endpoint',
        url: HOOK_URL,
        description: 'Mine',
        events: ['order.created'],
        enabled: true,
        disabled_at: null,
        disabled_reason: null,
        created_at: json.webhook.created_at,
        updated_at: json.webhook.created_at,
      },
      secret: expect.stringMatching(/^whsec_[0-9A-Za-z+/]{32}$/),
    })
    const { id } = json.webhook
    const answers = [
      await tradepost.get(`/webhooks/${id}`),
      await tradepost.get('/webhooks'),
      await tradepost.patch(`/webhooks/${id}`, { description: 'Still mine' }),
      await tradepost.get('/events/deliveries'),
    ]
    for (const { text } of answers) expect(text).not.toContain('whsec_')
    expect(answers[0]?.json).toEqual({ success: true, webhook: json.webhook })
    expect(await tradepost.events()).toEqual([])
    await deleteWebhook(json.webhook)
  })

  test('may be created disabled, and "*" subscribes to all events', async () => {
    const webhook = await createWebhook({ enabled: false, events: ['*'], description: null })
    expect(webhook).toMatchObject({ enabled: false, disabled_reason: 'manual', events: ['*'] })
    expect(webhook.disabled_at).toBe(webhook.created_at)
  })

  test.each([
    ['http', 'http://example.com/'],
    ['another scheme', 'ftp://example.com/'],
    ['no scheme', 'example.com'],
    ['user info', 'https://me:secret@example.com/'],
    ['user info behind a third slash', 'https:///me:secret@example.com/'],
    ['user info without slashes', 'https:me:secret@example.com/'],
    ['user info behind backslashes', 'https:\\\\me:secret@example.com/'],
    ['user info behind a tab', 'https://\t/me:secret@example.com/'],
    ['loopback', 'https://127.0.0.2/'],
    ['loopback in hexadecimal', 'https://0x7f.2/'],
    ['loopback as a number', 'https://2130706434/'],
    ['loopback in IPv6', 'https://[::1]/'],
    ['a mapped address', 'https://[::ffff:10.0.0.1]/'],
    ['a private address', 'https://10.0.0.1/'],
    ['a host that is no name', 'https://-/'],
    ['another private address', 'https://192.168.1.1:8443/x'],
    ['the metadata service', 'http://169.254.169.254/latest'],
    ['a port of another service', 'https://example.com:25/'],
    ['a refused port on an allowed host', 'http://127.0.0.1:6379/'],
    ['2049 characters', `https://example.com/${'x'.repeat(2029)}`],
    ['a line break', 'https://example.com/\r\nX: 1'],
    ['nothing', ''],
  ])('with %s in its url is refused', async (_, url) => {
    const { status, json } = await postWebhook({ url })
    expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', 'url'])
  })

  test.each([
    ['no list', undefined, 'events'],
    ['an empty list', [], 'events'],
    ['a type that is invalid', ['order.created', 'order.paid'], 'events[1]'],
    ['a type twice', ['order.created', 'order.created'], 'events'],
    ['all and one of them', ['*', 'order.created'], 'events'],
    ['null', null, 'events'],
  ])('with %s as its events is refused', async (_, events, field) => {
    const { status, json } = await postWebhook({ events })
    expect([status, json.details.field]).toEqual([422, field])
  })

  test('whose host resolves to a forbidden address is refused', async (context) => {
    const hosts = await readFile('/etc/hosts', 'utf8').catch(() => '')
    const [name] = [...parseHosts(hosts)].flatMap(([host, addresses]) =>
      addresses.some(isForbiddenAddress) && !isLocalName(host) ? [host] : [],
    )
    if (name === undefined) return context.skip('This machine has no such name of its own.')
    const { status, json } = await postWebhook({ url: `https://${name}/` })
    expect([status, json.details?.field]).toEqual([422, 'url'])
  })

  test('has a description of at most 500 characters', async () => {
    expect((await postWebhook({ description: 'x'.repeat(500) })).status).toBe(201)
    const { status, json } = await postWebhook({ description: 'x'.repeat(501) })
    expect([status, json.details?.field]).toEqual([422, 'description'])
  })

  test('has its secret sealed, for its row and store only', async () => {
    const { json } = await postWebhook()
    const { store_id, secret_enc } = await tradepost.db
      .selectFrom('webhook_endpoint')
      .select(['store_id', 'secret_enc'])
      .where('public_id', '=', json.webhook.id)
      .executeTakeFirstOrThrow()
    expect(secret_enc.includes(json.secret)).toBe(false)
    const openSecret = (storeId: number, row: string) =>
      tradepost.app.vault.open({ column: 'webhook_endpoint.secret', storeId, row }, secret_enc)
    expect(openSecret(store_id, json.webhook.id).toString()).toBe(json.secret)
    expect(() => openSecret(store_id + 1, json.webhook.id)).toThrow()
    expect(() => openSecret(store_id, 'we_0000000000000000000000')).toThrow()
  })

  test.each(['secret', 'id', 'stats'])('is refused if the call sets its %s', async (field) => {
    expect((await postWebhook({ [field]: 'x' })).json.details.field).toBe(field)
  })
})

test('http and loopback are accepted only for hosts that the operator allowed', async () => {
  const strictTradepost = await openTradepost({
    env: { TRADEPOST_WEBHOOK_ALLOWED_HOSTS: 'hooks.internal' },
  })
  try {
    for (const url of [HOOK_URL, 'https://127.0.0.1/', 'http://localhost/', 'https://localhost/']) {
      for (const as of [strictTradepost.live, strictTradepost.test]) {
        const answer = await strictTradepost.post('/webhooks', { url, events: ['*'] }, { as })
        expect([answer.status, answer.json.details?.field], url).toEqual([422, 'url'])
      }
    }
    expect((await strictTradepost.get('/webhooks')).json.pagination.total).toBe(0)
  } finally {
    await strictTradepost.close()
  }
})

test('a store has at most 20 endpoints, and may create another after it deleted one', async () => {
  const endpoints = []
  for (let n = 0; n < 20; n++) endpoints.push(await createWebhook())
  const { status, json } = await postWebhook()
  expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', 'url'])
  expect((await postWebhook({}, { as: tradepost.test })).status).toBe(201)
  expect((await postWebhook({}, { as: tradepost.other })).status).toBe(201)
  const page = await tradepost.get('/webhooks?limit=15')
  expect(page.json.webhooks).toHaveLength(15)
  expect(page.json.pagination).toEqual({ total: 20, limit: 15, offset: 0, has_more: true })
  await deleteWebhook(endpoints[0])
  expect((await postWebhook()).status).toBe(201)
})

describe('a changed endpoint', () => {
  test('keeps omitted fields, and null clears the description', async () => {
    const webhook = await createWebhook({ description: 'D' })
    const path = `/webhooks/${webhook.id}`
    const { json } = await tradepost.patch(path, { events: ['*'], url: `${HOOK_URL}/2` })
    expect(json.webhook).toMatchObject({
      url: `${HOOK_URL}/2`,
      events: ['*'],
      description: 'D',
      enabled: true,
    })
    expect((await tradepost.patch(path, { description: null })).json.webhook.description).toBeNull()
    expect((await tradepost.patch(path, {})).json.webhook).toMatchObject({ events: ['*'] })
  })

  test('shows when and why it was turned off until it is turned on again', async () => {
    const webhook = await createWebhook()
    const path = `/webhooks/${webhook.id}`
    const disabledEndpoint = (await tradepost.patch(path, { enabled: false })).json.webhook
    expect(disabledEndpoint).toMatchObject({ enabled: false, disabled_reason: 'manual' })
    expect(disabledEndpoint.disabled_at).toBe(disabledEndpoint.updated_at)
    expect((await tradepost.patch(path, { enabled: false })).json.webhook.disabled_at).toBe(
      disabledEndpoint.disabled_at,
    )
    expect((await tradepost.patch(path, { enabled: true })).json.webhook).toMatchObject({
      enabled: true,
      disabled_at: null,
      disabled_reason: null,
    })
  })

  test.each([
    ['a private address', { url: 'https://10.0.0.1/' }, 'url'],
    ['no events', { events: [] }, 'events'],
    ['null as its url', { url: null }, 'url'],
    ['null for enabled', { enabled: null }, 'enabled'],
    ['its secret', { secret: 'whsec_x' }, 'secret'],
    ['a reason', { disabled_reason: 'manual' }, 'disabled_reason'],
  ])('with %s is refused and unchanged', async (_, fields, field) => {
    const webhook = await createWebhook()
    const { status, json } = await tradepost.patch(`/webhooks/${webhook.id}`, fields)
    expect([status, json.details.field]).toEqual([422, field])
    expect((await tradepost.get(`/webhooks/${webhook.id}`)).json.webhook).toEqual(webhook)
  })

  test('never has a decreasing updated_at, even if the clock of the machine jumps back', async () => {
    const webhook = await createWebhook()
    tradepost.forward(-HOUR_MS)
    const { json } = await tradepost.patch(`/webhooks/${webhook.id}`, { description: 'x' })
    tradepost.forward(HOUR_MS)
    expect(json.webhook.updated_at >= webhook.updated_at).toBe(true)
  })

  test('of another store, or an unknown one, is NOT_FOUND', async () => {
    const webhook = await createWebhook()
    for (const as of [tradepost.other, tradepost.test]) {
      expect((await tradepost.get(`/webhooks/${webhook.id}`, { as })).status).toBe(404)
      expect(
        (await tradepost.patch(`/webhooks/${webhook.id}`, { enabled: false }, { as })).status,
      ).toBe(404)
    }
    for (const id of ['1', 'we_', `we_${'0'.repeat(22)}`]) {
      expect((await tradepost.get(`/webhooks/${id}`)).status).toBe(404)
    }
  })

  test('needs webhooks:write, and is read with webhooks:read', async () => {
    const webhook = await createWebhook()
    const reader = await tradepost.key({ permissions: ['webhooks:read'] })
    const writer = await tradepost.key({ permissions: ['webhooks:write'] })
    expect((await postWebhook({}, { as: reader })).json.code).toBe('INSUFFICIENT_SCOPE')
    expect((await tradepost.patch(`/webhooks/${webhook.id}`, {}, { as: reader })).status).toBe(403)
    for (const path of [
      '/webhooks',
      `/webhooks/${webhook.id}`,
      '/events/types',
      '/events/deliveries',
    ]) {
      expect((await tradepost.get(path, { as: writer })).status, path).toBe(403)
      expect((await tradepost.get(path, { as: reader })).status, path).toBe(200)
    }
  })
})

test('the event types are the 19 of the specification, in its order, each described', async () => {
  const { types } = (await tradepost.get('/events/types')).json
  expect(types.map((item: Json) => item.type)).toEqual(EVENT_TYPES)
  expect(types).toHaveLength(19)
  for (const { description } of types) expect(description).toMatch(/^[A-Z].*\.$/)
})

describe('the list of deliveries before the first attempt', () => {
  test('has the pending deliveries of subscribed endpoints only, and filters them', async () => {
    const game = await product(tradepost, { type: 'service' })
    const subscribedToAll = await createWebhook({ events: ['*'], description: 'All' })
    const enabledEndpoint = await createWebhook({ events: ['order.created'] })
    const disabledEndpoint = await createWebhook({ events: ['*'], enabled: false })
    const newOrder = await order(tradepost, game.id, { customer: { email: 'log@example.com' } })
    await order(
      tradepost,
      (await product(tradepost, { type: 'service' }, { as: tradepost.other })).id,
      {},
      { as: tradepost.other },
    )

    const { deliveries, pagination } = (await tradepost.get('/events/deliveries')).json
    expect(pagination.total).toBe(3)
    expect(deliveries.map((item: Json) => [item.event.type, item.webhook.id])).toEqual(
      expect.arrayContaining([
        ['customer.created', subscribedToAll.id],
        ['order.created', subscribedToAll.id],
        ['order.created', enabledEndpoint.id],
      ]),
    )
    const delivery = deliveries.find(
      (item: Json) => item.event.type === 'order.created' && item.webhook.id === subscribedToAll.id,
    )
    expect(delivery).toEqual({
      id: expect.any(Number),
      object: 'webhook_delivery',
      status: 'pending',
      attempts: 0,
      next_attempt_at: expect.stringMatching(/Z$/),
      last_status_code: null,
      last_error: null,
      last_duration_ms: null,
      event: {
        id: expect.stringMatching(/^evt_/),
        type: 'order.created',
        test: false,
        object_id: newOrder.id,
      },
      webhook: { id: subscribedToAll.id, url: HOOK_URL, description: 'All', deleted: false },
      created_at: newOrder.created_at,
      updated_at: newOrder.created_at,
      payload_redacted: false,
    })

    const countDeliveries = async (query: string) =>
      (await tradepost.get(`/events/deliveries?${query}`)).json.pagination.total
    expect(await countDeliveries('status=pending')).toBe(3)
    expect(await countDeliveries('status=succeeded,failed')).toBe(0)
    expect(await countDeliveries('event_type=order.created')).toBe(2)
    expect(await countDeliveries('event_type=customer.created,order.expired')).toBe(1)
    expect(await countDeliveries(`webhook_id=${enabledEndpoint.id}`)).toBe(1)
    expect(await countDeliveries(`webhook_id=${disabledEndpoint.id}`)).toBe(0)
    expect(await countDeliveries(`event_id=${delivery.event.id}`)).toBe(2)
    expect(await countDeliveries('event_id=evt_nobody')).toBe(0)
    const otherDigit = delivery.event.id.endsWith('0') ? '1' : '0'
    expect(await countDeliveries(`event_id=${delivery.event.id.slice(0, -1)}${otherDigit}`)).toBe(0)
    expect(await countDeliveries('test=true')).toBe(0)
    expect(await countDeliveries('test=false')).toBe(3)
    expect(await countDeliveries(`created_from=${newOrder.created_at}`)).toBe(3)
    expect(await countDeliveries(`created_to=${newOrder.created_at}`)).toBe(0)
    const { stats } = (await tradepost.get('/webhooks')).json.webhooks.find(
      (item: Json) => item.id === subscribedToAll.id,
    )
    expect(stats).toEqual({
      total: 2,
      succeeded: 0,
      failed: 0,
      pending: 2,
      success_rate: null,
      average_duration_ms: null,
      last_delivery_at: null,
    })
  })

  test.each([
    ['status=sent', 'status'],
    ['event_type=order.paid', 'event_type'],
    ['test=1', 'test'],
    ['created_from=now', 'created_from'],
    ['limit=500', 'limit'],
  ])('the query %s is refused, and its parameter is named', async (query, field) => {
    const { status, json } = await tradepost.get(`/events/deliveries?${query}`)
    expect([status, json.details?.field]).toEqual([422, field])
  })
})
