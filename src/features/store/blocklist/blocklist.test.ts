import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { order, orderOf, product } from '../../../../test/build.ts'
import {
  type CallOptions,
  expectSuccess,
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

const newEmail = () => `buyer-${++count}@example.net`

async function block(type: string, value: string, fields: Json = {}): Promise<Json> {
  const { status, json } = await tradepost.post('/blocklist', { type, value, ...fields })
  expect(status, JSON.stringify(json)).toBe(201)
  return json.blocklist_entry
}

const remove = ({ id }: Json) => tradepost.delete(`/blocklist/${id}`)

const buy = (email: string, fields: Json = {}, options: CallOptions = {}) =>
  tradepost.post('/orders', orderOf(service, { customer: { email }, ...fields }), options)

const getEntry = async (id: number): Promise<Json> =>
  (await tradepost.get(`/blocklist/${id}`)).json.blocklist_entry

const listValues = async (query = ''): Promise<string[]> =>
  (await tradepost.get(`/blocklist?${query}`)).json.blocklist_entries.map(
    ({ value }: Json) => value,
  )

const getCustomer = async (id: number): Promise<Json> =>
  (await tradepost.get(`/customers/${id}`)).json.customer

describe('an entry', () => {
  test('has every field, in canonical form, and emits no event', async () => {
    await tradepost.events()
    const newEntry = await block('email', '*@Spam.Example', { reason: 'Fake accounts.' })
    expect(newEntry).toEqual({
      id: expect.any(Number),
      object: 'blocklist_entry',
      type: 'email',
      value: '*@spam.example',
      reason: 'Fake accounts.',
      hits: 0,
      created_at: expect.any(String),
      updated_at: newEntry.created_at,
    })
    expect(await getEntry(newEntry.id)).toEqual(newEntry)
    const changeAnswer = await tradepost.patch(`/blocklist/${newEntry.id}`, { reason: null })
    expect(changeAnswer.json.blocklist_entry).toMatchObject({
      value: '*@spam.example',
      reason: null,
    })
    const deletion = await remove(newEntry)
    expect(deletion.json).toEqual({ success: true, deleted: true, id: newEntry.id })
    expect((await tradepost.get(`/blocklist/${newEntry.id}`)).status).toBe(404)
    expect(await tradepost.events()).toEqual([])
  })

  test.each([
    ['email', 'Twice@example.net', ' twice@EXAMPLE.net'],
    ['ip', '198.51.100.7', '::ffff:198.51.100.7/128'],
    ['ip', '198.51.100.64/26', '198.51.100.99/26'],
    ['ip', '2001:db8:7::/48', '2001:0DB8:0007:1::9/48'],
  ])('%s %s is stored once, however it is written', async (type, value, spelling) => {
    const newEntry = await block(type, value)
    const { status, json } = await tradepost.post('/blocklist', { type, value: spelling })
    expect([status, json.details]).toMatchObject([422, { field: 'value', reason: 'taken' }])
    expect(await listValues(`value=${encodeURIComponent(spelling)}`)).toEqual([newEntry.value])
    await expectSuccess(remove(newEntry))
  })

  test.each([
    ['email', '10.0.0.1'],
    ['email', 'example.com'],
    ['ip', 'ada@example.com'],
    ['ip', '010.0.0.1'],
    ['ip', '10.0.0.0/33'],
    ['ip', 'fe80::1%eth0'],
  ])('%s %s is refused, and the error lists the possible forms', async (type, value) => {
    const { status, json } = await tradepost.post('/blocklist', { type, value })
    expect([status, json.details.field]).toEqual([422, 'value'])
    expect(json.error).toMatch(type === 'email' ? /\*@example\.com/ : /192\.0\.2\.0\/24/)
  })

  test('keeps its type when its value changes', async () => {
    const newEntry = await block('ip', '198.51.100.1')
    const change = (value: string) => tradepost.patch(`/blocklist/${newEntry.id}`, { value })
    expect((await change('ada@example.com')).json.details.field).toBe('value')
    expect((await change('198.51.100.2/31')).json.blocklist_entry.value).toBe('198.51.100.2/31')
    const otherEntry = await block('ip', '198.51.100.9')
    expect((await change('198.51.100.9')).json.details).toMatchObject({
      field: 'value',
      reason: 'taken',
    })
    await expectSuccess(remove(newEntry))
    await expectSuccess(remove(otherEntry))
  })

  test('is listed newest first, and filtered by type and by value', async () => {
    const newEntries = [
      await block('email', 'listed@example.net'),
      await block('ip', '203.0.113.0/24'),
      await block('email', '*@listed.example'),
    ]
    const page = await tradepost.get('/blocklist?limit=2')
    expect(page.json.pagination).toEqual({ total: 3, limit: 2, offset: 0, has_more: true })
    expect(await listValues()).toEqual(['*@listed.example', '203.0.113.0/24', 'listed@example.net'])
    expect(await listValues('type=ip')).toEqual(['203.0.113.0/24'])
    expect(await listValues('type=email')).toEqual(['*@listed.example', 'listed@example.net'])
    expect(await listValues('type=email,ip')).toHaveLength(3)
    expect(await listValues('value=LISTED@example.net')).toEqual(['listed@example.net'])
    expect(await listValues('value=203.0.113.7/24&type=email')).toEqual([])
    expect(await listValues('value=nonsense')).toEqual([])
    expect((await tradepost.get('/blocklist?type=host')).json.details.field).toBe('type')
    const otherStore = await tradepost.get('/blocklist', { as: tradepost.other })
    expect(otherStore.json.blocklist_entries).toEqual([])
    for (const item of newEntries) await expectSuccess(remove(item))
  })
})

describe('an order', () => {
  test.each<[string, string, string, Json]>([
    ['an address', 'Blocked@Example.net', 'blocked@example.net', {}],
    ['a domain', '*@EVIL.example', 'anybody@evil.example', {}],
    ['a domain that the order has in upper case', '*@evil.example', 'Any.Body@EVIL.example', {}],
    ['a domain with non-ASCII letters', '*@böse.example', 'a@xn--bse-sna.example', {}],
    ['an IP address', '192.0.2.66', '', { ip: '192.0.2.66' }],
    ['an IPv4 address that the order has as IPv6', '192.0.2.66', '', { ip: '::ffff:192.0.2.66' }],
    [
      'an IPv4 address that the order has as hexadecimal IPv6',
      '192.0.2.66',
      '',
      { ip: '::ffff:c000:242' },
    ],
    ['an IPv4 address that the entry has as IPv6', '::FFFF:192.0.2.66', '', { ip: '192.0.2.66' }],
    ['a range', '192.0.2.65/24', '', { ip: '192.0.2.255' }],
    ['a range of all IPv4 addresses', '0.0.0.0/0', '', { ip: '8.8.8.8' }],
    ['an IPv6 address', '2001:db8::0001', '', { ip: '2001:0DB8:0:0:0:0:0:1' }],
    ['an IPv6 range', '2001:db8:1::/47', '', { ip: '2001:db8:1:ffff::9' }],
    ['a range of 8 addresses', '2001:db8::8/125', '', { ip: '2001:db8::f' }],
    ['a range of all IPv6 addresses', '::/0', '', { ip: '2001:db8::f' }],
    ['a range of half of all IPv4 addresses', '128.0.0.0/1', '', { ip: '192.0.2.1' }],
  ])('from %s on the list is refused, whatever its source', async (_, value, email, fields) => {
    const newEntry = await block(value.includes('@') ? 'email' : 'ip', value)
    await tradepost.events()
    const buyerEmail = email || newEmail()
    for (const source of [{}, { source: 'embed' }, { mark_paid: true }]) {
      const { status, json } = await buy(buyerEmail, { ...fields, ...source })
      const { request_id: _id, ...body } = json
      expect([status, body]).toEqual([
        403,
        {
          success: false,
          code: 'CUSTOMER_BLOCKED',
          error: 'This customer is on the blocklist. Remove the entry to accept the order.',
        },
      ])
    }
    expect(await tradepost.events()).toEqual([])
    expect((await tradepost.get(`/customers?email=${buyerEmail}`)).json.customers).toEqual([])
    expect((await getEntry(newEntry.id)).hits).toBe(3)
    await expectSuccess(remove(newEntry))
    expect((await buy(buyerEmail, fields)).status).toBe(201)
  })

  test('from an IPv6 address with an embedded IPv4 address on the list is refused', async () => {
    const newEntry = await block('ip', '2002:c000:242::1')
    expect(newEntry.value).toBe('192.0.2.66')
    const ips = ['192.0.2.66', '64:ff9b::192.0.2.66', '2002:c000:242:1::9', '::192.0.2.66']
    for (const ip of ips) expect([ip, (await buy(newEmail(), { ip })).status]).toEqual([ip, 403])
    expect((await buy(newEmail(), { ip: '2002:c000:243::1' })).status).toBe(201)
    await expectSuccess(remove(newEntry))
  })

  test.each<[string, string, string, Json]>([
    ['a domain that ends with the domain of an entry', '*@evil.example', 'a@not-evil.example', {}],
    ['a subdomain', '*@evil.example', 'a@mail.evil.example', {}],
    ['another address of the domain of an entry', 'x@evil.example', 'y@evil.example', {}],
    ['the address after the one of an entry', '192.0.2.66', 'a@example.net', { ip: '192.0.2.67' }],
    [
      'an IPv4 address beyond the range of an entry',
      '192.0.2.0/25',
      'a@example.net',
      { ip: '192.0.2.128' },
    ],
    [
      'an IPv6 address beyond the range of an entry',
      '2001:db8:2::/47',
      'a@example.net',
      { ip: '2001:db8:1::9' },
    ],
    [
      'an address outside of a range of 8 addresses',
      '2001:db8::8/125',
      'a@example.net',
      { ip: '2001:db8::7' },
    ],
    [
      'an IPv6 address while all of IPv4 is blocked',
      '0.0.0.0/0',
      'a@example.net',
      { ip: '2001:db8::1' },
    ],
    ['no IP address while all of IPv4 is blocked', '0.0.0.0/0', 'a@example.net', {}],
  ])('from %s is accepted', async (_, value, email, fields) => {
    const newEntry = await block(value.includes('@') ? 'email' : 'ip', value)
    expect((await buy(email, fields)).status).toBe(201)
    expect((await getEntry(newEntry.id)).hits).toBe(0)
    await expectSuccess(remove(newEntry))
  })

  test('counts a hit for every entry that matches it, and a repeated call counts once', async () => {
    const newEntries = [
      await block('email', '*@many.example'),
      await block('ip', '192.0.2.0/24'),
      await block('ip', '192.0.2.5'),
    ]
    const headers = { 'idempotency-key': 'blocked-1' }
    for (let round = 0; round < 2; round++) {
      const { status } = await buy('a@many.example', { ip: '192.0.2.5' }, { headers })
      expect(status).toBe(403)
    }
    for (const { id } of newEntries) expect((await getEntry(id)).hits).toBe(1)
    for (const item of newEntries) await expectSuccess(remove(item))
  })

  test('of another store, or from before the block, is unaffected', async () => {
    const email = newEmail()
    const earlierOrder = await order(tradepost, service, { customer: { email } })
    const newEntry = await block('email', email)
    const payment = await tradepost.post(`/orders/${earlierOrder.id}/manual-payments`)
    expect(payment.status).toBe(201)
    const otherStore = { as: tradepost.other }
    const { id } = await product(tradepost, { type: 'service' }, otherStore)
    const foreignOrder = await tradepost.post(
      '/orders',
      orderOf(id, { customer: { email } }),
      otherStore,
    )
    expect(foreignOrder.status).toBe(201)
    await expectSuccess(remove(newEntry))
  })

  test('cannot be moved to a customer with a blocked address', async () => {
    const newEntry = await block('email', '*@moved.example')
    const { id } = await order(tradepost, service, { customer: { email: newEmail() } })
    const patch = { customer_email: 'a@moved.example' }
    const { status, json } = await tradepost.patch(`/orders/${id}`, patch)
    expect([status, json.code]).toEqual([403, 'CUSTOMER_BLOCKED'])
    await expectSuccess(remove(newEntry))
  })
})

describe('a customer', () => {
  const create = async (): Promise<Json> =>
    (await tradepost.post('/customers', { email: newEmail() })).json.customer
  const changeBlock = async (id: number, verb: string, body: Json = {}): Promise<Json> => {
    const { status, json } = await tradepost.post(`/customers/${id}/${verb}`, body)
    expect(status, JSON.stringify(json)).toBe(200)
    return json.customer
  }

  test('is blocked with a reason, and can be unblocked', async () => {
    const { id, email } = await create()
    await tradepost.events()
    const blockedCustomer = await changeBlock(id, 'block', { note: 'Chargebacks.' })
    expect(blockedCustomer).toMatchObject({
      blocked: true,
      blocked_at: expect.stringMatching(/Z$/),
      note: 'Chargebacks.',
    })
    const { json } = await tradepost.get(`/blocklist?value=${email}`)
    expect(json.blocklist_entries).toMatchObject([{ value: email, reason: 'Chargebacks.' }])
    expect((await buy(email)).status).toBe(403)
    expect(await changeBlock(id, 'unblock', { note: 'Cleared.' })).toMatchObject({
      blocked: false,
      blocked_at: null,
      note: 'Cleared.',
    })
    expect((await buy(email)).status).toBe(201)
    expect(await tradepost.events()).toEqual(['order.created'])
  })

  test('keeps blocked_at if blocked twice, and only the note changes', async () => {
    const { id } = await create()
    const { blocked_at } = await changeBlock(id, 'block')
    tradepost.forward(1_000)
    expect(await changeBlock(id, 'block', { note: 'Again.' })).toMatchObject({
      blocked_at,
      note: 'Again.',
    })
    await changeBlock(id, 'unblock')
    expect(await changeBlock(id, 'unblock')).toMatchObject({ blocked: false, note: 'Again.' })
  })

  test('is blocked with block_ips together with the IP addresses of past orders, and unblocked together with them unless block_ips is true', async () => {
    const email = newEmail()
    const ips = ['192.0.2.10', '::ffff:192.0.2.10', '2001:DB8::10']
    const orders: Json[] = []
    for (const ip of ips) orders.push(await order(tradepost, service, { customer: { email }, ip }))
    const { id } = orders[0].customer
    const sellersEntry = await block('ip', '192.0.2.10', { reason: 'Mine.' })
    await changeBlock(id, 'block', { block_ips: true, note: 'Fraud.' })
    expect((await listValues('type=ip')).toSorted()).toEqual(['192.0.2.10', '2001:db8::10'])
    expect((await buy(newEmail(), { ip: '2001:db8:0::10' })).status).toBe(403)
    await changeBlock(id, 'unblock', { block_ips: true })
    expect((await listValues('type=ip')).toSorted()).toEqual(['192.0.2.10', '2001:db8::10'])
    await changeBlock(id, 'block')
    await changeBlock(id, 'unblock')
    expect(await listValues('type=ip')).toEqual(['192.0.2.10'])
    await expectSuccess(remove(sellersEntry))
  })

  test('is blocked by an entry with their address, and not by an entry for its domain', async () => {
    const { id, email } = await create()
    const newEntry = await block('email', email)
    expect(await getCustomer(id)).toMatchObject({ blocked: true, blocked_at: newEntry.created_at })
    await expectSuccess(tradepost.patch(`/blocklist/${newEntry.id}`, { value: newEmail() }))
    expect((await getCustomer(id)).blocked).toBe(false)
    await expectSuccess(tradepost.patch(`/blocklist/${newEntry.id}`, { value: email }))
    expect((await getCustomer(id)).blocked).toBe(true)
    await expectSuccess(remove(newEntry))
    expect((await getCustomer(id)).blocked).toBe(false)
    const domainEntry = await block('email', '*@example.net')
    expect((await getCustomer(id)).blocked).toBe(false)
    await expectSuccess(remove(domainEntry))
  })

  test('with a blocked address is blocked from the start', async () => {
    const email = newEmail()
    const newEntry = await block('email', email)
    const { json } = await tradepost.post('/customers', { email })
    expect(json.customer).toMatchObject({ blocked: true, blocked_at: newEntry.created_at })
    await expectSuccess(remove(newEntry))
  })

  test('can be blocked with the permission blocklist:write, and not with customers:write', async () => {
    const { id } = await create()
    const customersKey = await tradepost.key({ permissions: ['customers:write'] })
    const refusal = await tradepost.post(`/customers/${id}/block`, {}, { as: customersKey })
    expect(refusal.json.details.required).toBe('blocklist:write')
    const blocklistKey = await tradepost.key({ permissions: ['blocklist:write'] })
    const { status } = await tradepost.post(`/customers/${id}/block`, {}, { as: blocklistKey })
    expect(status).toBe(200)
  })
})
