import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { order, orderOf, product } from '../../../../test/build.ts'
import {
  type CallOptions,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'

let tradepost: Tradepost
let service: string
let count = 0

beforeAll(async () => {
  tradepost = await openTradepost()
  service = (await product(tradepost, { type: 'service' })).id
})
afterAll(() => tradepost.close())

const nobody = () => `nobody-${++count}@example.net`

async function block(type: string, value: string, fields: Json = {}): Promise<Json> {
  const { status, json } = await tradepost.post('/blocklist', { type, value, ...fields })
  expect(status, JSON.stringify(json)).toBe(201)
  return json.blocklist_entry
}

const remove = (entry: Json) => tradepost.delete(`/blocklist/${entry.id}`)

const buy = (email: string, fields: Json = {}, options: CallOptions = {}) =>
  tradepost.post('/orders', orderOf(service, { customer: { email }, ...fields }), options)

const entry = async (id: number): Promise<Json> =>
  (await tradepost.get(`/blocklist/${id}`)).json.blocklist_entry

const entries = async (query = ''): Promise<string[]> =>
  (await tradepost.get(`/blocklist?${query}`)).json.blocklist_entries.map(
    ({ value }: Json) => value,
  )

const customer = async (id: number): Promise<Json> =>
  (await tradepost.get(`/customers/${id}`)).json.customer

describe('an entry', () => {
  test('has every field, in canonical form, and no event reports it', async () => {
    await tradepost.events()
    const made = await block('email', '*@Spam.Example', { reason: 'Fake accounts.' })
    expect(made).toEqual({
      id: expect.any(Number),
      object: 'blocklist_entry',
      type: 'email',
      value: '*@spam.example',
      reason: 'Fake accounts.',
      hits: 0,
      created_at: expect.any(String),
      updated_at: made.created_at,
    })
    expect(await entry(made.id)).toEqual(made)
    const changed = await tradepost.patch(`/blocklist/${made.id}`, { reason: null })
    expect(changed.json.blocklist_entry).toMatchObject({ value: '*@spam.example', reason: null })
    const deleted = await remove(made)
    expect(deleted.json).toEqual({ success: true, deleted: true, id: made.id })
    expect((await tradepost.get(`/blocklist/${made.id}`)).status).toBe(404)
    expect(await tradepost.events()).toEqual([])
  })

  test.each([
    ['email', 'Twice@example.net', ' twice@EXAMPLE.net'],
    ['ip', '198.51.100.7', '::ffff:198.51.100.7/128'],
    ['ip', '198.51.100.64/26', '198.51.100.99/26'],
    ['ip', '2001:db8:7::/48', '2001:0DB8:0007:1::9/48'],
  ])('%s %s is on the list once, in whatever form', async (type, value, again) => {
    const made = await block(type, value)
    const { status, json } = await tradepost.post('/blocklist', { type, value: again })
    expect([status, json.details]).toEqual([422, { field: 'value', reason: 'taken' }])
    expect(await entries(`value=${encodeURIComponent(again)}`)).toEqual([made.value])
    await remove(made)
  })

  test.each([
    ['email', '10.0.0.1'],
    ['email', 'example.com'],
    ['ip', 'ada@example.com'],
    ['ip', '010.0.0.1'],
    ['ip', '10.0.0.0/33'],
    ['ip', 'fe80::1%eth0'],
  ])('%s %s is refused with the forms that there are', async (type, value) => {
    const { status, json } = await tradepost.post('/blocklist', { type, value })
    expect([status, json.details]).toEqual([422, { field: 'value' }])
    expect(json.error).toMatch(type === 'email' ? /\*@example\.com/ : /192\.0\.2\.0\/24/)
  })

  test('keeps its type when its value changes', async () => {
    const made = await block('ip', '198.51.100.1')
    const change = (value: string) => tradepost.patch(`/blocklist/${made.id}`, { value })
    expect((await change('ada@example.com')).json.details.field).toBe('value')
    expect((await change('198.51.100.2/31')).json.blocklist_entry.value).toBe('198.51.100.2/31')
    const other = await block('ip', '198.51.100.9')
    expect((await change('198.51.100.9')).json.details).toEqual({ field: 'value', reason: 'taken' })
    await remove(made)
    await remove(other)
  })

  test('is listed, the newest first, by type and by value', async () => {
    const made = [
      await block('email', 'listed@example.net'),
      await block('ip', '203.0.113.0/24'),
      await block('email', '*@listed.example'),
    ]
    const all = await tradepost.get('/blocklist?limit=2')
    expect(all.json.pagination).toEqual({ total: 3, limit: 2, offset: 0, has_more: true })
    expect(await entries()).toEqual(['*@listed.example', '203.0.113.0/24', 'listed@example.net'])
    expect(await entries('type=ip')).toEqual(['203.0.113.0/24'])
    expect(await entries('type=email')).toEqual(['*@listed.example', 'listed@example.net'])
    expect(await entries('type=email,ip')).toHaveLength(3)
    expect(await entries('value=LISTED@example.net')).toEqual(['listed@example.net'])
    expect(await entries('value=203.0.113.7/24&type=email')).toEqual([])
    expect(await entries('value=nonsense')).toEqual([])
    expect((await tradepost.get('/blocklist?type=host')).json.details.field).toBe('type')
    const theirs = await tradepost.get('/blocklist', { as: tradepost.other })
    expect(theirs.json.blocklist_entries).toEqual([])
    for (const item of made) await remove(item)
  })
})

describe('an order', () => {
  test.each<[string, string, string, Json]>([
    ['an address', 'Blocked@Example.net', 'blocked@example.net', {}],
    ['a domain', '*@EVIL.example', 'anybody@evil.example', {}],
    ['a domain in upper case', '*@evil.example', 'Any.Body@EVIL.example', {}],
    ['a domain in its own script', '*@böse.example', 'a@xn--bse-sna.example', {}],
    ['an IP address', '192.0.2.66', '', { ip: '192.0.2.66' }],
    ['an IPv4 address in an IPv6 one', '192.0.2.66', '', { ip: '::ffff:192.0.2.66' }],
    ['the same in hexadecimal', '192.0.2.66', '', { ip: '::ffff:c000:242' }],
    ['an IPv6 form of an IPv4 address', '::FFFF:192.0.2.66', '', { ip: '192.0.2.66' }],
    ['a range', '192.0.2.65/24', '', { ip: '192.0.2.255' }],
    ['all of IPv4', '0.0.0.0/0', '', { ip: '8.8.8.8' }],
    ['an IPv6 address', '2001:db8::0001', '', { ip: '2001:0DB8:0:0:0:0:0:1' }],
    ['an IPv6 range', '2001:db8:1::/47', '', { ip: '2001:db8:1:ffff::9' }],
    ['a part of the last byte', '2001:db8::8/125', '', { ip: '2001:db8::f' }],
    ['all of IPv6', '::/0', '', { ip: '2001:db8::f' }],
    ['a range of less than a byte', '128.0.0.0/1', '', { ip: '192.0.2.1' }],
  ])('from %s on the list is refused, from every source', async (_, value, email, fields) => {
    const made = await block(value.includes('@') ? 'email' : 'ip', value)
    await tradepost.events()
    const sent = email || nobody()
    for (const more of [{}, { source: 'embed' }, { mark_paid: true }]) {
      const { status, json } = await buy(sent, { ...fields, ...more })
      const { request_id: _id, ...body } = json
      expect([status, body]).toEqual([
        403,
        { success: false, code: 'CUSTOMER_BLOCKED', error: 'This customer cannot place orders.' },
      ])
    }
    expect(await tradepost.events()).toEqual([])
    expect((await tradepost.get(`/customers?email=${sent}`)).json.customers).toEqual([])
    expect((await entry(made.id)).hits).toBe(3)
    await remove(made)
    expect((await buy(sent, fields)).status).toBe(201)
  })

  test.each<[string, string, string, Json]>([
    ['a longer domain', '*@evil.example', 'a@not-evil.example', {}],
    ['a subdomain', '*@evil.example', 'a@mail.evil.example', {}],
    ['the domain of another', 'x@evil.example', 'y@evil.example', {}],
    ['the next address', '192.0.2.66', 'a@example.net', { ip: '192.0.2.67' }],
    ['an address beyond the range', '192.0.2.0/25', 'a@example.net', { ip: '192.0.2.128' }],
    [
      'an IPv6 address beyond the range',
      '2001:db8:2::/47',
      'a@example.net',
      { ip: '2001:db8:1::9' },
    ],
    ['the rest of the last byte', '2001:db8::8/125', 'a@example.net', { ip: '2001:db8::7' }],
    ['an IPv6 address under all of IPv4', '0.0.0.0/0', 'a@example.net', { ip: '2001:db8::1' }],
    ['no address at all', '0.0.0.0/0', 'a@example.net', {}],
  ])('from %s is taken', async (_, value, email, fields) => {
    const made = await block(value.includes('@') ? 'email' : 'ip', value)
    expect((await buy(email, fields)).status).toBe(201)
    expect((await entry(made.id)).hits).toBe(0)
    await remove(made)
  })

  test('counts for every entry that matches it, and once for a repeated call', async () => {
    const made = [
      await block('email', '*@many.example'),
      await block('ip', '192.0.2.0/24'),
      await block('ip', '192.0.2.5'),
    ]
    const headers = { 'idempotency-key': 'blocked-1' }
    for (let round = 0; round < 2; round++) {
      const { status } = await buy('a@many.example', { ip: '192.0.2.5' }, { headers })
      expect(status).toBe(403)
    }
    for (const { id } of made) expect((await entry(id)).hits).toBe(1)
    for (const item of made) await remove(item)
  })

  test('of another store is not touched, and an existing order stays', async () => {
    const email = nobody()
    const before = await order(tradepost, service, { customer: { email } })
    const made = await block('email', email)
    const paid = await tradepost.post(`/orders/${before.id}/manual-payments`)
    expect(paid.status).toBe(201)
    const elsewhere = { as: tradepost.other }
    const { id } = await product(tradepost, { type: 'service' }, elsewhere)
    const theirs = await tradepost.post('/orders', orderOf(id, { customer: { email } }), elsewhere)
    expect(theirs.status).toBe(201)
    await remove(made)
  })

  test('cannot be given to a blocked customer', async () => {
    const made = await block('email', '*@moved.example')
    const { id } = await order(tradepost, service, { customer: { email: nobody() } })
    const patch = { customer_email: 'a@moved.example' }
    const { status, json } = await tradepost.patch(`/orders/${id}`, patch)
    expect([status, json.code]).toEqual([403, 'CUSTOMER_BLOCKED'])
    await remove(made)
  })
})

describe('a customer', () => {
  const create = async (): Promise<Json> =>
    (await tradepost.post('/customers', { email: nobody() })).json.customer
  const act = async (id: number, verb: string, body: Json = {}): Promise<Json> => {
    const { status, json } = await tradepost.post(`/customers/${id}/${verb}`, body)
    expect(status, JSON.stringify(json)).toBe(200)
    return json.customer
  }

  test('is blocked with a reason, and unblocked', async () => {
    const { id, email } = await create()
    await tradepost.events()
    const blocked = await act(id, 'block', { note: 'Chargebacks.' })
    expect(blocked).toMatchObject({
      blocked: true,
      blocked_at: expect.stringMatching(/Z$/),
      note: 'Chargebacks.',
    })
    const { json } = await tradepost.get(`/blocklist?value=${email}`)
    expect(json.blocklist_entries).toMatchObject([{ value: email, reason: 'Chargebacks.' }])
    expect((await buy(email)).status).toBe(403)
    expect(await act(id, 'unblock', { note: 'Cleared.' })).toMatchObject({
      blocked: false,
      blocked_at: null,
      note: 'Cleared.',
    })
    expect((await buy(email)).status).toBe(201)
    expect(await tradepost.events()).toEqual(['order.created'])
  })

  test('can be blocked and unblocked twice', async () => {
    const { id } = await create()
    const { blocked_at } = await act(id, 'block')
    tradepost.forward(1_000)
    expect(await act(id, 'block', { note: 'Again.' })).toMatchObject({ blocked_at, note: 'Again.' })
    await act(id, 'unblock')
    expect(await act(id, 'unblock')).toMatchObject({ blocked: false, note: 'Again.' })
  })

  test('takes the addresses of past orders along with block_ips', async () => {
    const email = nobody()
    const ips = ['192.0.2.10', '::ffff:192.0.2.10', '2001:DB8::10']
    const bought: Json[] = []
    for (const ip of ips) bought.push(await order(tradepost, service, { customer: { email }, ip }))
    const { id } = bought[0].customer
    const own = await block('ip', '192.0.2.10', { reason: 'Mine.' })
    await act(id, 'block', { block_ips: true, note: 'Fraud.' })
    expect((await entries('type=ip')).toSorted()).toEqual(['192.0.2.10', '2001:db8::10'])
    expect((await buy(nobody(), { ip: '2001:db8:0::10' })).status).toBe(403)
    await act(id, 'unblock', { block_ips: true })
    expect((await entries('type=ip')).toSorted()).toEqual(['192.0.2.10', '2001:db8::10'])
    await act(id, 'block')
    await act(id, 'unblock')
    expect(await entries('type=ip')).toEqual(['192.0.2.10'])
    await remove(own)
  })

  test('is blocked by an entry with the address, and by no other', async () => {
    const { id, email } = await create()
    const made = await block('email', email)
    expect(await customer(id)).toMatchObject({ blocked: true, blocked_at: made.created_at })
    await tradepost.patch(`/blocklist/${made.id}`, { value: nobody() })
    expect((await customer(id)).blocked).toBe(false)
    await tradepost.patch(`/blocklist/${made.id}`, { value: email })
    expect((await customer(id)).blocked).toBe(true)
    await remove(made)
    expect((await customer(id)).blocked).toBe(false)
    const domain = await block('email', '*@example.net')
    expect((await customer(id)).blocked).toBe(false)
    await remove(domain)
  })

  test('who is created with a blocked address is blocked', async () => {
    const email = nobody()
    const made = await block('email', email)
    const { json } = await tradepost.post('/customers', { email })
    expect(json.customer).toMatchObject({ blocked: true, blocked_at: made.created_at })
    await remove(made)
  })

  test('is blocked with blocklist:write, and not with customers:write', async () => {
    const { id } = await create()
    const as = await tradepost.key({ permissions: ['customers:write'] })
    const refused = await tradepost.post(`/customers/${id}/block`, {}, { as })
    expect(refused.json.details.required).toBe('blocklist:write')
    const allowed = await tradepost.key({ permissions: ['blocklist:write'] })
    const { status } = await tradepost.post(`/customers/${id}/block`, {}, { as: allowed })
    expect(status).toBe(200)
  })
})
