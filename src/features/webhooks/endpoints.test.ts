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
    await remove({ id })
})

const URL = 'http://127.0.0.1:4999/hook'
const create = (fields: Json = {}, options = {}) =>
  tradepost.post('/webhooks', { url: URL, events: ['order.created'], ...fields }, options)
const webhook = async (fields: Json = {}): Promise<Json> => (await create(fields)).json.webhook
const remove = ({ id }: Json) => tradepost.delete(`/webhooks/${id}`)

describe('a new endpoint', () => {
  test('is shown with its secret once, and emits no event', async () => {
    await tradepost.events()
    const { status, json } = await create({ description: 'Mine' })
    expect(status).toBe(201)
    expect(json).toEqual({
      success: true,
      webhook: {
        id: expect.stringMatching(/^we_[0-9A-Za-z]{22}$/),
        object: 'webhook_endpoint',
        url: URL,
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
    await remove(json.webhook)
  })

  test('may be created disabled, and "*" subscribes to all events', async () => {
    const made = await webhook({ enabled: false, events: ['*'], description: null })
    expect(made).toMatchObject({ enabled: false, disabled_reason: 'manual', events: ['*'] })
    expect(made.disabled_at).toBe(made.created_at)
  })

  test.each([
    ['http', 'http://example.com/'],
    ['another scheme', 'ftp://example.com/'],
    ['no address', 'example.com'],
    ['user info', 'https://me:secret@example.com/'],
    ['user info behind a third slash', 'https:///me:secret@example.com/'],
    ['user info without slashes', 'https:me:secret@example.com/'],
    ['user info behind backslashes', 'https:\\\\me:secret@example.com/'],
    ['user info behind a tab', 'https://\t/me:secret@example.com/'],
    ['loopback', 'https://127.0.0.2/'],
    ['loopback in other writing', 'https://0x7f.2/'],
    ['loopback as a number', 'https://2130706434/'],
    ['loopback in IPv6', 'https://[::1]/'],
    ['a mapped address', 'https://[::ffff:10.0.0.1]/'],
    ['a private address', 'https://10.0.0.1/'],
    ['another private address', 'https://192.168.1.1:8443/x'],
    ['the metadata service', 'http://169.254.169.254/latest'],
    ['a port of another service', 'https://example.com:25/'],
    ['a refused port on an allowed host', 'http://127.0.0.1:6379/'],
    ['2049 characters', `https://example.com/${'x'.repeat(2029)}`],
    ['a line break', 'https://example.com/\r\nX: 1'],
    ['nothing', ''],
  ])('with %s in its url is refused', async (_, url) => {
    const { status, json } = await create({ url })
    expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', 'url'])
  })

  test.each([
    ['no list', undefined, 'events'],
    ['an empty list', [], 'events'],
    ['a type that is none', ['order.created', 'order.paid'], 'events[1]'],
    ['a type twice', ['order.created', 'order.created'], 'events'],
    ['all and one of them', ['*', 'order.created'], 'events'],
    ['null', null, 'events'],
  ])('with %s as its events is refused', async (_, events, field) => {
    const { status, json } = await create({ events })
    expect([status, json.details.field]).toEqual([422, field])
  })

  test('with a name that leads to a forbidden address is refused', async (context) => {
    const hosts = await readFile('/etc/hosts', 'utf8').catch(() => '')
    const [name] = [...parseHosts(hosts)].flatMap(([each, addresses]) =>
      addresses.some(isForbiddenAddress) && !isLocalName(each) ? [each] : [],
    )
    if (name === undefined) return context.skip('This machine has no such name of its own.')
    const { status, json } = await create({ url: `https://${name}/` })
    expect([status, json.details?.field]).toEqual([422, 'url'])
  })

  test('has a description of at most 500 characters', async () => {
    expect((await create({ description: 'x'.repeat(500) })).status).toBe(201)
    const { status, json } = await create({ description: 'x'.repeat(501) })
    expect([status, json.details?.field]).toEqual([422, 'description'])
  })

  test('keeps its secret sealed, for its own row and store only', async () => {
    const { json } = await create()
    const { store_id, secret_enc } = await tradepost.db
      .selectFrom('webhook_endpoint')
      .select(['store_id', 'secret_enc'])
      .where('public_id', '=', json.webhook.id)
      .executeTakeFirstOrThrow()
    expect(secret_enc.includes(json.secret)).toBe(false)
    const open = (storeId: number, row: string) =>
      tradepost.app.vault.open({ column: 'webhook_endpoint.secret', storeId, row }, secret_enc)
    expect(open(store_id, json.webhook.id).toString()).toBe(json.secret)
    expect(() => open(store_id + 1, json.webhook.id)).toThrow()
    expect(() => open(store_id, 'we_0000000000000000000000')).toThrow()
  })

  test.each(['secret', 'id', 'stats'])('cannot bring its own %s', async (field) => {
    expect((await create({ [field]: 'x' })).json.details.field).toBe(field)
  })
})

test('http and loopback are for hosts that the operator named', async () => {
  const strict = await openTradepost({ env: { TRADEPOST_WEBHOOK_ALLOWED_HOSTS: 'hooks.internal' } })
  try {
    for (const url of [URL, 'https://127.0.0.1/', 'http://localhost/', 'https://localhost/']) {
      for (const as of [strict.live, strict.test]) {
        const answer = await strict.post('/webhooks', { url, events: ['*'] }, { as })
        expect([answer.status, answer.json.details?.field], url).toEqual([422, 'url'])
      }
    }
    expect((await strict.get('/webhooks')).json.pagination.total).toBe(0)
  } finally {
    await strict.close()
  }
})

test('a store has at most 20 endpoints; deleting one frees a slot, and others have their own 20', async () => {
  const made = []
  for (let n = 0; n < 20; n++) made.push(await webhook())
  const { status, json } = await create()
  expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', 'url'])
  expect((await create({}, { as: tradepost.test })).status).toBe(201)
  expect((await create({}, { as: tradepost.other })).status).toBe(201)
  const page = await tradepost.get('/webhooks?limit=15')
  expect(page.json.webhooks).toHaveLength(15)
  expect(page.json.pagination).toEqual({ total: 20, limit: 15, offset: 0, has_more: true })
  await remove(made[0])
  expect((await create()).status).toBe(201)
})

describe('a changed endpoint', () => {
  test('keeps omitted fields; null clears the description', async () => {
    const made = await webhook({ description: 'D' })
    const path = `/webhooks/${made.id}`
    const { json } = await tradepost.patch(path, { events: ['*'], url: `${URL}/2` })
    expect(json.webhook).toMatchObject({
      url: `${URL}/2`,
      events: ['*'],
      description: 'D',
      enabled: true,
    })
    expect((await tradepost.patch(path, { description: null })).json.webhook.description).toBeNull()
    expect((await tradepost.patch(path, {})).json.webhook).toMatchObject({ events: ['*'] })
  })

  test('says when and why it was turned off, and nothing of it once it is on', async () => {
    const made = await webhook()
    const path = `/webhooks/${made.id}`
    const off = (await tradepost.patch(path, { enabled: false })).json.webhook
    expect(off).toMatchObject({ enabled: false, disabled_reason: 'manual' })
    expect(off.disabled_at).toBe(off.updated_at)
    expect((await tradepost.patch(path, { enabled: false })).json.webhook.disabled_at).toBe(
      off.disabled_at,
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
  ])('with %s is refused and stays', async (_, fields, field) => {
    const made = await webhook()
    const { status, json } = await tradepost.patch(`/webhooks/${made.id}`, fields)
    expect([status, json.details.field]).toEqual([422, field])
    expect((await tradepost.get(`/webhooks/${made.id}`)).json.webhook).toEqual(made)
  })

  test('never has an updated_at that falls, even when the clock of the machine jumps back', async () => {
    const made = await webhook()
    tradepost.forward(-HOUR_MS)
    const { json } = await tradepost.patch(`/webhooks/${made.id}`, { description: 'x' })
    tradepost.forward(HOUR_MS)
    expect(json.webhook.updated_at >= made.updated_at).toBe(true)
  })

  test('of another store, or an unknown one, is NOT_FOUND', async () => {
    const made = await webhook()
    for (const as of [tradepost.other, tradepost.test]) {
      expect((await tradepost.get(`/webhooks/${made.id}`, { as })).status).toBe(404)
      expect(
        (await tradepost.patch(`/webhooks/${made.id}`, { enabled: false }, { as })).status,
      ).toBe(404)
    }
    for (const id of ['1', 'we_', `we_${'0'.repeat(22)}`]) {
      expect((await tradepost.get(`/webhooks/${id}`)).status).toBe(404)
    }
  })

  test('needs webhooks:write; reading needs webhooks:read', async () => {
    const made = await webhook()
    const reader = await tradepost.key({ permissions: ['webhooks:read'] })
    const writer = await tradepost.key({ permissions: ['webhooks:write'] })
    expect((await create({}, { as: reader })).json.code).toBe('INSUFFICIENT_SCOPE')
    expect((await tradepost.patch(`/webhooks/${made.id}`, {}, { as: reader })).status).toBe(403)
    for (const path of [
      '/webhooks',
      `/webhooks/${made.id}`,
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

describe('the log, before anything was sent', () => {
  test('shows what waits, although no row of it exists, to subscribers only and filtered', async () => {
    const game = await product(tradepost, { type: 'service' })
    const all = await webhook({ events: ['*'], description: 'All' })
    const created = await webhook({ events: ['order.created'] })
    const off = await webhook({ events: ['*'], enabled: false })
    const made = await order(tradepost, game.id, { customer: { email: 'log@example.com' } })
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
        ['customer.created', all.id],
        ['order.created', all.id],
        ['order.created', created.id],
      ]),
    )
    const one = deliveries.find(
      ({ event, webhook: to }: Json) => event.type === 'order.created' && to.id === all.id,
    )
    expect(one).toEqual({
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
        object_id: made.id,
      },
      webhook: { id: all.id, url: URL, description: 'All', deleted: false },
      created_at: made.created_at,
      updated_at: made.created_at,
      payload_redacted: false,
    })

    const total = async (query: string) =>
      (await tradepost.get(`/events/deliveries?${query}`)).json.pagination.total
    expect(await total('status=pending')).toBe(3)
    expect(await total('status=succeeded,failed')).toBe(0)
    expect(await total('event_type=order.created')).toBe(2)
    expect(await total('event_type=customer.created,order.expired')).toBe(1)
    expect(await total(`webhook_id=${created.id}`)).toBe(1)
    expect(await total(`webhook_id=${off.id}`)).toBe(0)
    expect(await total(`event_id=${one.event.id}`)).toBe(2)
    expect(await total('event_id=evt_nobody')).toBe(0)
    const other = one.event.id.endsWith('0') ? '1' : '0'
    expect(await total(`event_id=${one.event.id.slice(0, -1)}${other}`)).toBe(0)
    expect(await total('test=true')).toBe(0)
    expect(await total('test=false')).toBe(3)
    expect(await total(`created_from=${made.created_at}`)).toBe(3)
    expect(await total(`created_to=${made.created_at}`)).toBe(0)
    const { stats } = (await tradepost.get('/webhooks')).json.webhooks.find(
      (w: Json) => w.id === all.id,
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
  ])('%s is refused by its name', async (query, field) => {
    const { status, json } = await tradepost.get(`/events/deliveries?${query}`)
    expect([status, json.details?.field]).toEqual([422, field])
  })
})
