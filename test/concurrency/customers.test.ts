import { beforeEach, expect, type TestContext, test } from 'vitest'
import { orderOf } from '../build.ts'
import type { Json } from '../harness.ts'
import { call, postUntilAnswered, type Reply } from '../process/client.ts'
import type { ServedStore } from './open-served-database.ts'
import { eventCounts } from './put-on-sale.ts'
import { sharedDatabase } from './shared-database.ts'

let tradepost: ServedStore
let serviceId: string

const database = sharedDatabase()
beforeEach(async (context) => {
  tradepost = await database.openStore(context as TestContext)
  const body = { name: 'Advice', type: 'service', price_cents: 100 }
  serviceId = (await send('POST', '/products', body)).json.product.id
})

const send = (method: string, path: string, body?: Json): Promise<Reply> =>
  call(tradepost.targets[0], method, path, { body })

const runTwenty = <T>(work: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: 20 }, (_, n) => work(n)))

const countCreated = (replies: Reply[]): number =>
  replies.filter(({ status }) => status === 201).length

/** Creates a customer with this balance. */
async function createCustomer(amount_cents: number, email = 'ada@example.com'): Promise<Json> {
  const { customer } = (await send('POST', '/customers', { email })).json
  await send('POST', `/customers/${customer.id}/balance`, { amount_cents, reason: 'A gift.' })
  return customer
}

const getCustomer = async ({ id }: Json): Promise<Json> =>
  (await send('GET', `/customers/${id}`)).json.customer

test('three of 20 concurrent debits of 300 cents from a balance of 1,000 cents succeed', async () => {
  const customer = await createCustomer(1_000)
  const debit = { amount_cents: -300, reason: 'Spent.' }
  const path = `/customers/${customer.id}/balance`
  const replies = await runTwenty((n) =>
    postUntilAnswered(tradepost.targets[0], path, debit, `debit-${n}`),
  )
  expect(countCreated(replies)).toBe(3)
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201, 422]))
  expect((await getCustomer(customer)).balance_cents).toBe(100)
  await database.expectNoFaults()
})

test('seven of 20 concurrent orders of 1.00 are paid from a balance of 7.50, and the concurrentCalls are refused', async () => {
  const customer = await createCustomer(750)
  const body = orderOf(serviceId, { payment_method: 'balance' })
  const replies = await runTwenty((n) =>
    postUntilAnswered(tradepost.targets[0], '/orders', body, `order-${n}`),
  )
  expect(countCreated(replies)).toBe(7)
  expect(await getCustomer(customer)).toMatchObject({
    balance_cents: 50,
    orders_count: 7,
    total_spent_cents: 700,
  })
  await database.expectNoFaults()
})

test('20 concurrent payments from a balance take no more than the unpaid amount of the order', async () => {
  const customer = await createCustomer(1_000)
  const { order } = (await send('POST', '/orders', orderOf(serviceId))).json
  const path = `/orders/${order.id}/balance-payments`
  const body = { amount_cents: 30 }
  const replies = await runTwenty((n) =>
    postUntilAnswered(tradepost.targets[0], path, body, `pay-${n}`),
  )
  expect(countCreated(replies)).toBe(3)
  const lastPayment = await send('POST', path, {})
  expect(lastPayment.json.order).toMatchObject({ status: 'paid', paid_cents: 100 })
  expect((await getCustomer(customer)).balance_cents).toBe(900)
  await database.expectNoFaults()
})

test('20 concurrent first orders of a customer create one customer and one event customer.created', async () => {
  const replies = await runTwenty((n) =>
    postUntilAnswered(tradepost.targets[0], '/orders', orderOf(serviceId), `first-${n}`),
  )
  expect(new Set(replies.map(({ json }) => json.order.customer.id)).size).toBe(1)
  const { customers, pagination } = (await send('GET', '/customers?search=ada')).json
  expect(pagination.total).toBe(1)
  expect((await getCustomer(customers[0])).orders_count).toBe(0)
  expect(await eventCounts(tradepost)).toMatchObject({ 'customer.created': 1, 'order.created': 20 })
  await database.expectNoFaults()
})

test('40 concurrent orders that two blocklist entries match are counted as 40 hits of each', async () => {
  const entries = []
  for (const [type, value] of [
    ['email', '*@example.com'],
    ['ip', '192.0.2.0/24'],
  ]) {
    entries.push((await send('POST', '/blocklist', { type, value })).json.blocklist_entry)
  }
  const body = orderOf(serviceId, { ip: '192.0.2.9' })
  const withIdempotencyKey = runTwenty((n) =>
    postUntilAnswered(tradepost.targets[0], '/orders', body, `blocked-${n}`),
  )
  const withoutIdempotencyKey = runTwenty(() => send('POST', '/orders', body))
  const statuses = [...(await withIdempotencyKey), ...(await withoutIdempotencyKey)].map(
    ({ status }) => status,
  )
  expect(new Set(statuses)).toEqual(new Set([403]))
  for (const { id } of entries) {
    expect((await send('GET', `/blocklist/${id}`)).json.blocklist_entry.hits).toBe(40)
  }
  await database.expectNoFaults()
})

test('a merge of a customer during orders and payments loses no order, payment or balance', async () => {
  const from = await createCustomer(2_000, 'ada@example.com')
  const into = await createCustomer(500, 'grace@example.com')
  const orders = runTwenty(async (n) => {
    const { json, status } = await postUntilAnswered(
      tradepost.targets[0],
      '/orders',
      orderOf(serviceId),
      `merge-${n}`,
    )
    expect(status).toBe(201)
    const path = `/orders/${json.order.id}/manual-payments`
    expect((await postUntilAnswered(tradepost.targets[0], path, {}, `merge-pay-${n}`)).status).toBe(
      201,
    )
  })
  const path = `/customers/${from.id}/merge`
  const merged = await postUntilAnswered(tradepost.targets[0], path, { into: into.id }, 'merge')
  expect(merged.status, merged.text).toBe(200)
  await orders
  const { customers } = (await send('GET', '/customers')).json
  const sum = (field: string) =>
    customers.reduce((total: number, item: Json) => total + item[field], 0)
  expect([sum('orders_count'), sum('total_spent_cents'), sum('balance_cents')]).toEqual([
    20, 2_000, 2_500,
  ])
  await database.expectNoFaults()
})

test.each<[string, (from: Json, into: Json) => [string, Json]]>([
  ['merges', (from, into) => [`/customers/${from.id}/merge`, { into: into.id }]],
  ['erasures', (from) => [`/customers/${from.id}/erase`, {}]],
])(
  '%s of customers during orders, payments and refunds cause no deadlock (decision 400)',
  async (name, callOf) => {
    for (let round = 0; round < 4; round++) {
      const from = await createCustomer(5_000, `from-${name}-${round}@example.com`)
      const into = await createCustomer(500, `into-${name}-${round}@example.com`)
      const body = orderOf(serviceId, { customer: { email: from.email } })
      const post = (path: string, input: Json, key: string) =>
        postUntilAnswered(tradepost.targets[0], path, input, `${name}-${round}-${key}`)
      const placePaidOrder = async (n: number, path = 'manual-payments') => {
        const { json } = await post('/orders', body, `order-${n}`)
        await post(`/orders/${json.order.id}/${path}`, {}, `pay-${n}`)
        return json.order
      }
      const paidBefore = await placePaidOrder(100)
      const unpaid = await runTwenty(
        async (n) => (await post('/orders', body, `unpaid-${n}`)).json.order,
      )
      const concurrentCalls = [
        ...unpaid.map(({ id }, n) => post(`/orders/${id}/manual-payments`, {}, `pay-unpaid-${n}`)),
        ...[1, 2, 3, 4].map((n) => placePaidOrder(n, 'balance-payments')),
        post(`/orders/${paidBefore.id}/refund`, { amount_cents: 50 }, 'refund'),
      ]
      const [path, input] = callOf(from, into)
      const answer = await post(path, input, 'change')
      expect(answer.status, answer.text).toBe(200)
      const refund = (await Promise.all(concurrentCalls)).at(-1)
      expect(refund.status, refund.text).toBe(201)
    }
    await database.expectNoFaults()
  },
)
