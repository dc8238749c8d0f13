import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { order, product } from '../../../../test/build.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const listEntries = (id: number, query = '', options = {}) =>
  tradepost.get(`/customers/${id}/balance-entries${query}`, options)

/** Refunds these amounts of a new order to the balance of its customer. Returns the order. */
async function refundToBalance(email: string, amounts: number[]): Promise<Json> {
  const { id } = await product(tradepost, { type: 'service' })
  const newOrder = await order(tradepost, id, { customer: { email }, mark_paid: true })
  for (const amount_cents of amounts) {
    await expectSuccess(
      tradepost.post(`/orders/${newOrder.id}/refund`, { amount_cents, to_balance: true }),
    )
  }
  return newOrder
}

test('refunds to a balance are listed, the newest first', async () => {
  const newOrder = await refundToBalance('ada@example.com', [100, 250])
  const { status, json } = await listEntries(newOrder.customer.id)
  expect(status).toBe(200)
  expect(json.balance_entries).toEqual([
    {
      id: expect.any(Number),
      object: 'balance_entry',
      customer_id: newOrder.customer.id,
      amount_cents: 250,
      balance_cents: 350,
      reason: 'refund',
      order_id: newOrder.id,
      created_at: expect.any(String),
    },
    expect.objectContaining({ amount_cents: 100, balance_cents: 100 }),
  ])
  expect(json.pagination).toEqual({ total: 2, limit: 25, offset: 0, has_more: false })
  const secondPage = (await listEntries(newOrder.customer.id, '?limit=1&offset=1')).json
  expect(secondPage.balance_entries).toEqual([json.balance_entries[1]])
})

test('a refund that is not credited to the balance creates no balance entry', async () => {
  const { id } = await product(tradepost, { type: 'service' })
  const newOrder = await order(tradepost, id, {
    customer: { email: 'out@example.com' },
    mark_paid: true,
  })
  await expectSuccess(tradepost.post(`/orders/${newOrder.id}/refund`))
  expect((await listEntries(newOrder.customer.id)).json.balance_entries).toEqual([])
})

test('the balance entries of a customer of another store answer 404', async () => {
  const { customer } = await refundToBalance('mine@example.com', [100])
  for (const as of [tradepost.other, tradepost.test]) {
    const { status, json } = await listEntries(customer.id, '', { as })
    expect([status, json.code]).toEqual([404, 'NOT_FOUND'])
  }
  expect((await listEntries(9_999_999)).status).toBe(404)
})

test('a refund that raises the balance beyond the largest exact number is refused, and nothing is refunded', async () => {
  const { id } = await product(tradepost, { type: 'service' })
  const newOrder = await order(tradepost, id, {
    customer: { email: 'rich@example.com' },
    mark_paid: true,
  })
  await sql`
    update customer set balance_cents = ${Number.MAX_SAFE_INTEGER - 5}
     where id = ${newOrder.customer.id}`.execute(tradepost.db)
  const refund = (amount_cents: number) =>
    tradepost.post(`/orders/${newOrder.id}/refund`, { amount_cents, to_balance: true })
  const { status, json } = await refund(6)
  expect([status, json.details.field]).toEqual([422, 'to_balance'])
  expect((await tradepost.get(`/orders/${newOrder.id}`)).json.order.refunded_cents).toBe(0)
  expect((await refund(5)).status).toBe(201)
  expect((await listEntries(newOrder.customer.id)).json.balance_entries[0]).toMatchObject({
    balance_cents: Number.MAX_SAFE_INTEGER,
  })
})

test('a refund to the balance of an erased customer is refused, and nothing is refunded', async () => {
  const { id } = await product(tradepost, { type: 'service' })
  const customer = { email: 'erased@example.com' }
  const newOrder = await order(tradepost, id, { customer, mark_paid: true })
  await expectSuccess(tradepost.post(`/customers/${newOrder.customer.id}/erase`))
  await tradepost.events()
  const refund = (to_balance: boolean) =>
    tradepost.post(`/orders/${newOrder.id}/refund`, { to_balance })
  const { status, json } = await refund(true)
  expect([status, json.code, json.details.status]).toEqual([409, 'INVALID_STATE', 'erased'])
  expect((await tradepost.get(`/orders/${newOrder.id}`)).json.order.refunded_cents).toBe(0)
  expect(await tradepost.events()).toEqual([])
  expect((await refund(false)).status).toBe(201)
})
