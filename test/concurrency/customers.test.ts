import { beforeEach, expect, type TestContext, test } from 'vitest'
import { orderOf } from '../build.ts'
import type { Json } from '../harness.ts'
import { call, insist, type Reply } from '../process/client.ts'
import { sharedRaceStore } from './market-for-all.ts'
import type { RealServer } from './open-market.ts'

let tradepost: RealServer
let service: string

const raceStore = sharedRaceStore()
beforeEach(async (context) => {
  tradepost = await raceStore.openStoreFixture(context as TestContext)
  const body = { name: 'Advice', type: 'service', price_cents: 100 }
  service = (await send('POST', '/products', body)).json.product.id
})

const send = (method: string, path: string, body?: Json): Promise<Reply> =>
  call(tradepost.targets[0], method, path, { body })

const twenty = <T>(work: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: 20 }, (_, n) => work(n)))

const created = (replies: Reply[]): number => replies.filter(({ status }) => status === 201).length

/** A customer with this balance. */
async function customerWith(amount_cents: number, email = 'ada@example.com'): Promise<Json> {
  const { customer } = (await send('POST', '/customers', { email })).json
  await send('POST', `/customers/${customer.id}/balance`, { amount_cents, reason: 'A gift.' })
  return customer
}

const get = async ({ id }: Json): Promise<Json> =>
  (await send('GET', `/customers/${id}`)).json.customer

test('of 20 debits of 300 at once on a balance of 1000 three are made', async () => {
  const customer = await customerWith(1_000)
  const debit = { amount_cents: -300, reason: 'Spent.' }
  const path = `/customers/${customer.id}/balance`
  const replies = await twenty((n) => insist(tradepost.targets[0], path, debit, `debit-${n}`))
  expect(created(replies)).toBe(3)
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201, 422]))
  expect((await get(customer)).balance_cents).toBe(100)
  await raceStore.expectSweepClean()
})

test('of 20 orders at once that are paid from a balance, it pays those that it covers', async () => {
  const customer = await customerWith(750)
  const body = orderOf(service, { payment_method: 'balance' })
  const replies = await twenty((n) => insist(tradepost.targets[0], '/orders', body, `order-${n}`))
  expect(created(replies)).toBe(7)
  expect(await get(customer)).toMatchObject({
    balance_cents: 50,
    orders_count: 7,
    total_spent_cents: 700,
  })
  await raceStore.expectSweepClean()
})

test('20 payments at once take the owed amount from a balance, and no more', async () => {
  const customer = await customerWith(1_000)
  const { order } = (await send('POST', '/orders', orderOf(service))).json
  const path = `/orders/${order.id}/balance-payments`
  const body = { amount_cents: 30 }
  const replies = await twenty((n) => insist(tradepost.targets[0], path, body, `pay-${n}`))
  expect(created(replies)).toBe(3)
  const rest = await send('POST', path, {})
  expect(rest.json.order).toMatchObject({ status: 'paid', paid_cents: 100 })
  expect((await get(customer)).balance_cents).toBe(900)
  await raceStore.expectSweepClean()
})

test('a customer that is created by 20 first orders at once is one, and reported once', async () => {
  const replies = await twenty((n) =>
    insist(tradepost.targets[0], '/orders', orderOf(service), `first-${n}`),
  )
  expect(new Set(replies.map(({ json }) => json.order.customer.id)).size).toBe(1)
  const { customers, pagination } = (await send('GET', '/customers?search=ada')).json
  expect(pagination.total).toBe(1)
  expect((await get(customers[0])).orders_count).toBe(0)
  await raceStore.expectSweepClean()
})

test('every order that a blocklist entry refuses counts as a hit, all at once', async () => {
  const entries = []
  for (const [type, value] of [
    ['email', '*@example.com'],
    ['ip', '192.0.2.0/24'],
  ]) {
    entries.push((await send('POST', '/blocklist', { type, value })).json.blocklist_entry)
  }
  const body = orderOf(service, { ip: '192.0.2.9' })
  const keyed = twenty((n) => insist(tradepost.targets[0], '/orders', body, `blocked-${n}`))
  const plain = twenty(() => send('POST', '/orders', body))
  const statuses = [...(await keyed), ...(await plain)].map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([403]))
  for (const { id } of entries) {
    expect((await send('GET', `/blocklist/${id}`)).json.blocklist_entry.hits).toBe(40)
  }
  await raceStore.expectSweepClean()
})

test('a merge while the customer orders and pays loses no order, no money and no total', async () => {
  const from = await customerWith(2_000, 'ada@example.com')
  const into = await customerWith(500, 'grace@example.com')
  const orders = twenty(async (n) => {
    const { json, status } = await insist(
      tradepost.targets[0],
      '/orders',
      orderOf(service),
      `merge-${n}`,
    )
    expect(status).toBe(201)
    const path = `/orders/${json.order.id}/manual-payments`
    expect((await insist(tradepost.targets[0], path, {}, `merge-pay-${n}`)).status).toBe(201)
  })
  const path = `/customers/${from.id}/merge`
  const merged = await insist(tradepost.targets[0], path, { into: into.id }, 'merge')
  expect(merged.status, merged.text).toBe(200)
  await orders
  const { customers } = (await send('GET', '/customers')).json
  const sum = (field: string) =>
    customers.reduce((total: number, item: Json) => total + item[field], 0)
  expect([sum('orders_count'), sum('total_spent_cents'), sum('balance_cents')]).toEqual([
    20, 2_000, 2_500,
  ])
})
