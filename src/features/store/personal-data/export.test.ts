import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditEventsSince, lastAuditId } from '../../../../test/audited.ts'
import { keysNamed, order, product } from '../../../../test/build.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'

let tradepost: Tradepost
let customer: Json
let mergedCustomer: Json
let soldOrder: Json

beforeAll(async () => {
  tradepost = await openTradepost()
  const create = async (body: Json) => (await tradepost.post('/customers', body)).json.customer
  customer = await create({ email: 'ada@example.com', name: 'Ada', note: 'Rang twice.' })
  mergedCustomer = await create({ email: 'former@example.com', name: 'Former' })
  const game = await product(tradepost, {}, { keys: keysNamed('EXPORT-KEY', 3) })
  const service = await product(tradepost, { type: 'service' })
  const address = { name: 'Ada', line1: 'Street 1', city: 'Berlin', country: 'DE' }
  await order(tradepost, service.id, {
    customer: { email: mergedCustomer.email },
    shipping_address: address,
    ip: '192.0.2.1',
  })
  soldOrder = await order(tradepost, game.id, { mark_paid: true })
  await expectSuccess(tradepost.post(`/orders/${soldOrder.id}/deliveries/resend`))
  for (const amount_cents of [100, 200, 300]) {
    const reason = 'A gift.'
    await expectSuccess(
      tradepost.post(`/customers/${customer.id}/balance`, { amount_cents, reason }),
    )
  }
  await expectSuccess(
    tradepost.post(`/products/${game.id}/stock-alerts`, { email: 'ada@example.com' }),
  )
  await expectSuccess(tradepost.post(`/customers/${mergedCustomer.id}/block`, { note: 'Fraud.' }))
  await expectSuccess(
    tradepost.post(`/customers/${mergedCustomer.id}/merge`, { into: customer.id }),
  )
  await order(tradepost, service.id, { customer: { email: 'else@example.com' } })
})
afterAll(() => tradepost.close())

const exportCustomer = async (query = ''): Promise<Json> => {
  const { status, json } = await tradepost.get(`/customers/${customer.id}/export${query}`)
  expect(status, JSON.stringify(json)).toBe(200)
  return json
}

test('an export contains all data of the store about a person (decision 140)', async () => {
  const { page, ...exported } = await exportCustomer()
  expect(exported.customer).toEqual(
    (await tradepost.get(`/customers/${customer.id}`)).json.customer,
  )
  expect(exported.merged_customers).toMatchObject([
    { id: mergedCustomer.id, email: mergedCustomer.email, name: 'Former' },
  ])
  expect(exported.orders).toHaveLength(2)
  expect(exported.orders[0]).toEqual((await tradepost.get(`/orders/${soldOrder.id}`)).json.order)
  expect(exported.orders[0].deliveries[0].keys).toEqual(['EXPORT-KEY-000001'])
  expect(exported.orders[1]).toMatchObject({
    ip: '192.0.2.1',
    shipping_address: { city: 'Berlin' },
  })
  expect(exported.balance_entries.map(({ amount_cents }: Json) => amount_cents)).toEqual([
    300, 200, 100,
  ])
  expect(exported.blocklist_entries.map(({ value, reason }: Json) => [value, reason])).toEqual([
    [mergedCustomer.email, 'Fraud.'],
    [customer.email, null],
  ])
  expect(exported.stock_alerts).toMatchObject([{ email: 'ada@example.com', status: 'pending' }])
  expect(exported.messages).toMatchObject([{ recipient: 'ada@example.com' }])
  expect(exported.licenses).toEqual([])
  expect(page).toEqual({ total: 3, limit: 25, offset: 0, has_more: false })
  expect(JSON.stringify(exported)).not.toContain('else@example.com')
})

test('orders and balance entries of an export are paged together (decision 140)', async () => {
  const first = await exportCustomer('?limit=2')
  expect([first.orders.length, first.balance_entries.length]).toEqual([2, 2])
  expect(first.page).toEqual({ total: 3, limit: 2, offset: 0, has_more: true })
  const second = await exportCustomer('?limit=2&offset=2')
  expect([second.orders.length, second.balance_entries.length]).toEqual([0, 1])
  expect(second.page.has_more).toBe(false)
})

test('an export is audited, and is not found from another store (decision 124)', async () => {
  const before = await lastAuditId(tradepost)
  await exportCustomer()
  expect(await auditEventsSince(tradepost, before)).toMatchObject([
    { action: 'customer.export', object: 'customer', object_id: String(customer.id) },
  ])
  const { status } = await tradepost.get(`/customers/${customer.id}/export`, {
    as: tradepost.other,
  })
  expect(status).toBe(404)
})
