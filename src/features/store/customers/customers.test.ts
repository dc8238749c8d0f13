import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditEventsSince, lastAuditId } from '../../../../test/audited.ts'
import { order, product } from '../../../../test/build.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'
import { MINUTE_MS } from '../../../kernel/time.ts'

let tradepost: Tradepost
let service: string
let customerCount = 0

beforeAll(async () => {
  tradepost = await openTradepost()
  service = (await product(tradepost, { type: 'service' })).id
})
afterAll(() => tradepost.close())

async function create(fields: Json): Promise<Json> {
  const { status, json } = await tradepost.post('/customers', fields)
  expect(status, JSON.stringify(json)).toBe(201)
  return json.customer
}

const get = async (id: number): Promise<Json> =>
  (await tradepost.get(`/customers/${id}`)).json.customer

const buy = (email: string, fields: Json = {}) =>
  order(tradepost, service, { customer: { email }, ...fields })

describe('a new customer', () => {
  test('has every field, and emits an event', async () => {
    await tradepost.events()
    const newCustomer = await create({
      email: ' Grace@Example.COM ',
      name: 'Grace Hopper',
      country: 'US',
      note: 'Navy.',
      tags: ['vip', 'navy', 'vip'],
      marketing_opt_in: true,
      metadata: { crm: '7' },
    })
    expect(newCustomer).toEqual({
      id: expect.any(Number),
      object: 'customer',
      email: 'grace@example.com',
      name: 'Grace Hopper',
      country: 'US',
      balance_cents: 0,
      currency: 'EUR',
      orders_count: 0,
      total_spent_cents: 0,
      average_order_cents: 0,
      first_order_at: null,
      last_order_at: null,
      blocked: false,
      blocked_at: null,
      note: 'Navy.',
      tags: ['vip', 'navy'],
      marketing_opt_in: true,
      affiliate_partner_id: null,
      metadata: { crm: '7' },
      erased_at: null,
      created_at: expect.any(String),
      updated_at: newCustomer.created_at,
    })
    expect(await get(newCustomer.id)).toEqual(newCustomer)
    expect(await tradepost.events()).toEqual(['customer.created'])
    const { id, email, name, country, created_at } = newCustomer
    expect((await tradepost.payloads('customer.created')).at(-1)?.data.object).toEqual({
      object: 'customer',
      ...{ id, email, name, country, created_at },
    })
  })

  test('needs an address that no other customer of the store has', async () => {
    await create({ email: 'twice@example.com' })
    await tradepost.events()
    const { status, json } = await tradepost.post('/customers', { email: 'Twice@example.com' })
    expect([status, json.details]).toMatchObject([422, { field: 'email', reason: 'taken' }])
    expect(await tradepost.events()).toEqual([])
    const otherStore = { as: tradepost.other }
    const namesake = await tradepost.post('/customers', { email: 'twice@example.com' }, otherStore)
    expect(namesake.status).toBe(201)
  })

  test('is also created by a first order, and not by the next one', async () => {
    await tradepost.events()
    const { customer } = await buy('first@example.com', {
      customer: { email: 'First@example.com', name: 'First', country: 'DE' },
    })
    await buy('first@example.com')
    expect(await tradepost.events()).toEqual(['customer.created', 'order.created', 'order.created'])
    expect(await get(customer.id)).toMatchObject({ name: 'First', country: 'DE', orders_count: 0 })
  })
})

describe('PATCH /customers/{id}', () => {
  test('changes the fields that are sent, and null clears a field', async () => {
    const { id, ...newCustomer } = await create({
      email: 'patch@example.com',
      name: 'Old',
      note: 'Old.',
    })
    tradepost.forward(1_000)
    const patch = { name: 'New', country: 'FR', tags: ['a'], marketing_opt_in: true }
    const { json } = await tradepost.patch(`/customers/${id}`, { ...patch, note: null })
    expect(json.customer).toMatchObject({ ...patch, note: null, email: newCustomer.email })
    expect(json.customer.updated_at > newCustomer.updated_at).toBe(true)
    const clearedFields = { name: null, country: null, tags: [], metadata: {} }
    await expectSuccess(tradepost.patch(`/customers/${id}`, clearedFields))
    expect(await get(id)).toMatchObject({ ...clearedFields, marketing_opt_in: true })
  })

  test('with the present metadata in another sequence writes no audit event (decision 391)', async () => {
    const metadata = { ticket: '1', crm: '2' }
    const { id } = await create({ email: 'same@example.com', metadata })
    const last = await lastAuditId(tradepost)
    await expectSuccess(tradepost.patch(`/customers/${id}`, { metadata }))
    expect(await auditEventsSince(tradepost, last)).toEqual([])
  })

  test.each<[string, Json, string]>([
    ['no address', { email: 'other' }, 'email'],
    ['a balance', { balance_cents: 5 }, 'balance_cents'],
    ['an unknown country', { country: 'XX' }, 'country'],
    ['51 tags', { tags: Array.from({ length: 51 }, (_, n) => `t${n}`) }, 'tags'],
    ['an empty tag', { tags: [''] }, 'tags[0]'],
    ['a name with a line break', { name: 'a\nb' }, 'name'],
  ])('refuses %s', async (_, patch, field) => {
    const { id } = await create({ email: `refused-${++customerCount}@example.com` })
    const { status, json } = await tradepost.patch(`/customers/${id}`, patch)
    expect([status, json.details.field]).toEqual([422, field])
  })

  test('changes the address, by which the customer is then found, and the trail does not have it (decision 183)', async () => {
    const { id } = await create({ email: 'typo@example.con' })
    const last = await lastAuditId(tradepost)
    const { customer } = await expectSuccess(
      tradepost.patch(`/customers/${id}`, { email: 'Right@Example.com' }),
    )
    expect(customer.email).toBe('right@example.com')
    const idsOf = async (query: string) =>
      (await tradepost.get(`/customers?${query}`)).json.customers.map((item: Json) => item.id)
    expect(await idsOf('search=right@')).toEqual([id])
    expect(await idsOf('search=typo@')).toEqual([])
    expect((await buy('right@example.com')).customer.id).toBe(id)
    expect((await auditEventsSince(tradepost, last))[0]?.changes).toEqual({
      email: { from: '••••', to: '••••' },
    })
  })

  test('refuses the address of another customer, and names this customer (decision 183)', async () => {
    const other = await create({ email: 'holder@example.com' })
    const { id } = await create({ email: 'seeker@example.com' })
    const patch = { email: 'Holder@example.com', name: 'Changed' }
    const { status, json } = await tradepost.patch(`/customers/${id}`, patch)
    expect([status, json.code]).toEqual([409, 'INVALID_STATE'])
    expect(json.details).toEqual({ status: 'taken', customer_id: other.id })
    expect(await get(id)).toMatchObject({ email: 'seeker@example.com', name: null })
  })

  test('blocks a customer whose new address is on the blocklist, and keeps the address of a blocked one', async () => {
    await expectSuccess(
      tradepost.post('/blocklist', { type: 'email', value: 'listed@example.com' }),
    )
    const { id } = await create({ email: 'free@example.com' })
    const path = `/customers/${id}`
    const { customer } = await expectSuccess(tradepost.patch(path, { email: 'listed@example.com' }))
    expect(customer.blocked).toBe(true)
    const { status, json } = await tradepost.patch(path, { email: 'free@example.com' })
    expect([status, json.details.status]).toEqual([409, 'blocked'])
  })

  test('refuses a customer that was erased', async () => {
    const { id } = await create({ email: 'gone@example.com' })
    await expectSuccess(tradepost.post(`/customers/${id}/erase`))
    for (const [method, path, body] of [
      ['PATCH', '', { name: 'Back' }],
      ['POST', '/balance', { amount_cents: 5, reason: 'x' }],
      ['POST', '/block', {}],
    ] as const) {
      const { status, json } = await tradepost.call(method, `/customers/${id}${path}`, { body })
      expect([path, status, json.code]).toEqual([path, 409, 'INVALID_STATE'])
    }
    expect((await get(id)).name).toBe(null)
  })
})

describe('totals of a customer', () => {
  test('count paid orders, and their payments less refunds', async () => {
    const { customer, id } = await buy('totals@example.com', { mark_paid: true })
    const first_order_at = (await tradepost.get(`/orders/${id}`)).json.order.paid_at
    tradepost.forward(MINUTE_MS)
    const secondOrder = await buy('totals@example.com')
    expect(await get(customer.id)).toMatchObject({ orders_count: 1, total_spent_cents: 1_000 })
    await expectSuccess(
      tradepost.post(`/orders/${secondOrder.id}/manual-payments`, { amount_cents: 1_500 }),
    )
    const { paid_at } = (await tradepost.get(`/orders/${secondOrder.id}`)).json.order
    const totals = { orders_count: 2, first_order_at, last_order_at: paid_at }
    expect(await get(customer.id)).toMatchObject({
      ...totals,
      total_spent_cents: 2_500,
      average_order_cents: 1_250,
    })
    await expectSuccess(tradepost.post(`/orders/${secondOrder.id}/refund`, { amount_cents: 501 }))
    expect(await get(customer.id)).toMatchObject({
      ...totals,
      total_spent_cents: 1_999,
      average_order_cents: 1_000,
    })
    await expectSuccess(tradepost.post(`/orders/${id}/refund`))
    expect(await get(customer.id)).toMatchObject({ ...totals, total_spent_cents: 999 })
  })
})

describe('the list of customers', () => {
  let listTradepost: Tradepost
  let customers: Json[]

  /** Four customers a minute apart: Ada spent the most, Bob has a balance, Cyd is blocked, Dora is new. */
  beforeAll(async () => {
    listTradepost = await openTradepost()
    const { id } = await product(listTradepost, { type: 'service' })
    customers = []
    for (const fields of [
      { email: 'ada@example.com', name: 'Ada Lovelace', country: 'GB', tags: ['vip'] },
      { email: 'bob_1@example.com', name: 'Bob', country: 'DE', tags: ['VIP', 'late'] },
      { email: 'cyd@example.org', name: 'Ägidius Straße' },
      { email: 'dora@example.org', country: 'DE' },
    ]) {
      customers.push((await listTradepost.post('/customers', fields)).json.customer)
      listTradepost.forward(MINUTE_MS)
    }
    const sell = (email: string, quantity: number) =>
      order(listTradepost, id, {
        customer: { email },
        items: [{ product_id: id, quantity }],
        mark_paid: true,
      })
    await sell('ada@example.com', 5)
    listTradepost.forward(MINUTE_MS)
    await sell('bob_1@example.com', 1)
    await sell('bob_1@example.com', 1)
    const credit = { amount_cents: 70, reason: 'A gift.' }
    await expectSuccess(listTradepost.post(`/customers/${customers[1]?.id}/balance`, credit))
    await expectSuccess(listTradepost.post(`/customers/${customers[2]?.id}/block`))
    await expectSuccess(
      listTradepost.post('/customers', { email: 'next@example.com' }, { as: listTradepost.other }),
    )
  })
  afterAll(() => listTradepost.close())

  /** Returns the initials of the listed customers. */
  async function listInitials(query: string): Promise<string> {
    const { status, json } = await listTradepost.get(`/customers?${query}`)
    expect(status, JSON.stringify(json)).toBe(200)
    expect(json.pagination.total).toBe(json.customers.length)
    return json.customers.map(({ email }: Json) => email[0]).join('')
  }

  test.each([
    ['', 'dcba'],
    ['email=ADA@Example.com', 'a'],
    ['email=da@example.com', ''],
    ['country=DE', 'db'],
    ['country=DE,GB', 'dba'],
    ['blocked=true', 'c'],
    ['blocked=false', 'dba'],
    ['tag=vip', 'a'],
    ['tag=late', 'b'],
    ['tag=la', ''],
    ['search=LOVE', 'a'],
    ['search=example.org', 'dc'],
    ['search=_1', 'b'],
    ['search=%25', ''],
    ['search=%C3%84GIDIUS', 'c'],
    ['search=stra%C3%9Fe', 'c'],
    ['country=DE&tag=late&search=bob', 'b'],
    ['sort=created_at', 'abcd'],
    ['sort=-total_spent_cents', 'abdc'],
    ['sort=total_spent_cents', 'cdba'],
    ['sort=-orders_count', 'badc'],
    ['sort=orders_count', 'cdab'],
    ['sort=-last_order_at', 'badc'],
    ['sort=last_order_at', 'cdab'],
    ['sort=-balance_cents', 'bdca'],
    ['sort=balance_cents', 'acdb'],
    ['unknown=1', 'dcba'],
  ])('with the query "%s" has the customers with the initials "%s"', async (query, expected) => {
    expect(await listInitials(query)).toBe(expected)
  })

  test.each([
    ['sort=name', 'sort'],
    ['blocked=yes', 'blocked'],
    ['country=xx', 'country'],
    ['country=DE,', 'country'],
    ['email=nobody', 'email'],
    ['limit=0', 'limit'],
    ['tag=', 'tag'],
  ])('refuses %s', async (query, field) => {
    const { status, json } = await listTradepost.get(`/customers?${query}`)
    expect([status, json.details.field]).toEqual([422, field])
  })

  test('returns every customer once over all pages', async () => {
    const listedIds: number[] = []
    for (let offset = 0; offset < 4; offset++) {
      const { json } = await listTradepost.get(
        `/customers?limit=1&offset=${offset}&sort=-total_spent_cents`,
      )
      const next_cursor = offset < 3 ? expect.any(String) : null
      const page = { total: 4, limit: 1, offset, has_more: offset < 3, next_cursor }
      expect(json.pagination).toEqual(page)
      listedIds.push(json.customers[0].id)
    }
    expect(listedIds.toSorted()).toEqual(customers.map(({ id }) => id).toSorted())
  })

  test('search finds a customer by their new name, and not by a former one', async () => {
    const { id } = customers[3] as Json
    await expectSuccess(listTradepost.patch(`/customers/${id}`, { name: 'Theodora' }))
    expect(await listInitials('search=theodo')).toBe('d')
    await expectSuccess(listTradepost.patch(`/customers/${id}`, { name: null }))
    expect(await listInitials('search=theodo')).toBe('')
  })

  test('search finds the name that a later order set', async () => {
    const { id } = await product(listTradepost, { type: 'service' })
    await order(listTradepost, id, { customer: { email: 'dora@example.org', name: 'Dora Named' } })
    expect(await listInitials('search=dora%20named')).toBe('d')
  })

  test('GET /customers/{id}/orders lists the orders of one customer, newest first', async () => {
    const { id } = customers[1] as Json
    const { json } = await listTradepost.get(`/customers/${id}/orders?limit=1`)
    expect(json.pagination).toEqual({
      ...{ total: 2, limit: 1, offset: 0, has_more: true },
      next_cursor: expect.any(String),
    })
    expect(json.orders).toMatchObject([{ object: 'order', customer: { id }, total_cents: 1_000 }])
    expect(json.orders[0].payments).toBeUndefined()
  })
})

test('reading customers needs customers:read, and changes and exports need customers:write', async () => {
  const { id } = await create({ email: 'scopes@example.com' })
  const reader = await tradepost.key({ permissions: ['customers:read'] })
  const writer = await tradepost.key({ permissions: ['customers:write'] })
  const patch = (as: Json) => tradepost.patch(`/customers/${id}`, { name: 'x' }, { as })
  expect((await tradepost.get(`/customers/${id}`, { as: reader })).status).toBe(200)
  expect((await tradepost.get(`/customers/${id}`, { as: writer })).status).toBe(403)
  expect((await patch(writer)).status).toBe(200)
  expect((await patch(reader)).json.details.required).toBe('customers:write')
  const exportAnswer = await tradepost.get(`/customers/${id}/export`, { as: reader })
  expect(exportAnswer.json.details.required).toBe('customers:write')
})

test('an order runs at most 12 statements, and an entry of the blocklist adds none', async () => {
  const countStatements = async () =>
    (await tradepost.statements(() => buy('counted@example.com'))).length
  await countStatements()
  const before = await countStatements()
  await sql`insert into blocklist_entry (store_id, type, value, created_at, updated_at)
            select id, 'email', 'else@example.com', now(), now() from store`.execute(tradepost.db)
  expect(await countStatements()).toBe(before)
  expect(before).toBeLessThanOrEqual(12)
})
