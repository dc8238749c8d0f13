import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { order, product } from '../../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const entries = (id: number, query = '', options = {}) =>
  tradepost.get(`/customers/${id}/balance-entries${query}`, options)

/** A customer to whose balance these amounts were refunded, and the order they are of. */
async function credited(email: string, amounts: number[]): Promise<Json> {
  const { id } = await product(tradepost, { type: 'service' })
  const made = await order(tradepost, id, { customer: { email }, mark_paid: true })
  for (const amount_cents of amounts) {
    await tradepost.post(`/orders/${made.id}/refund`, { amount_cents, to_balance: true })
  }
  return made
}

test('refunds to a balance are listed, the newest first', async () => {
  const made = await credited('ada@example.com', [100, 250])
  const { status, json } = await entries(made.customer.id)
  expect(status).toBe(200)
  expect(json.balance_entries).toEqual([
    {
      id: expect.any(Number),
      object: 'balance_entry',
      customer_id: made.customer.id,
      amount_cents: 250,
      balance_cents: 350,
      reason: 'refund',
      order_id: made.id,
      created_at: expect.any(String),
    },
    expect.objectContaining({ amount_cents: 100, balance_cents: 100 }),
  ])
  expect(json.pagination).toEqual({ total: 2, limit: 25, offset: 0, has_more: false })
  const second = (await entries(made.customer.id, '?limit=1&offset=1')).json
  expect(second.balance_entries).toEqual([json.balance_entries[1]])
})

test('money that was paid out leaves no entry, and an empty balance is an empty list', async () => {
  const { id } = await product(tradepost, { type: 'service' })
  const made = await order(tradepost, id, {
    customer: { email: 'out@example.com' },
    mark_paid: true,
  })
  await tradepost.post(`/orders/${made.id}/refund`)
  expect((await entries(made.customer.id)).json.balance_entries).toEqual([])
})

test('a customer of another store is not there', async () => {
  const { customer } = await credited('mine@example.com', [100])
  for (const as of [tradepost.other, tradepost.test]) {
    const { status, json } = await entries(customer.id, '', { as })
    expect([status, json.code]).toEqual([404, 'NOT_FOUND'])
  }
  expect((await entries(9_999_999)).status).toBe(404)
})

test('a balance that would be no number any more is refused, and nothing is refunded', async () => {
  const { id } = await product(tradepost, { type: 'service' })
  const made = await order(tradepost, id, {
    customer: { email: 'rich@example.com' },
    mark_paid: true,
  })
  await sql`
    update customer set balance_cents = ${Number.MAX_SAFE_INTEGER - 5}
     where id = ${made.customer.id}`.execute(tradepost.db)
  const refund = (amount_cents: number) =>
    tradepost.post(`/orders/${made.id}/refund`, { amount_cents, to_balance: true })
  const { status, json } = await refund(6)
  expect([status, json.details.field]).toEqual([422, 'to_balance'])
  expect((await tradepost.get(`/orders/${made.id}`)).json.order.refunded_cents).toBe(0)
  expect((await refund(5)).status).toBe(201)
  expect((await entries(made.customer.id)).json.balance_entries[0]).toMatchObject({
    balance_cents: Number.MAX_SAFE_INTEGER,
  })
})
