import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { order, product } from '../../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

async function unpaid(): Promise<string> {
  const { id } = await product(tradepost, { type: 'service' })
  return (await order(tradepost, id)).id
}
const pay = (id: string, body: Json = {}) => tradepost.post(`/orders/${id}/manual-payments`, body)
const WAITING = { status: 'pending_review', amount_cents: 1 }

/** Records payments without the calls that make them, of which it takes too many. */
async function payments(id: string, status: string, count: number) {
  await sql`
    insert into payment (store_id, order_id, kind, status, amount_cents, currency, created_at)
    select o.store_id, o.id, 'manual', ${status}, 1, o.currency, o.created_at
      from "order" o, generate_series(1, ${count}::integer)
     where o.id = ${id}`.execute(tradepost.db)
}

test('100 payments that wait for review keep out the next one to review, and not the seller’s own (decision 220)', async () => {
  const id = await unpaid()
  await pay(id, WAITING)
  await payments(id, 'pending_review', 99)
  await tradepost.events()
  const more = await pay(id, WAITING)
  expect([more.status, more.json.code]).toEqual([422, 'VALIDATION_FAILED'])
  expect(more.json.details).toEqual({ field: 'status', limit: 100 })
  expect(more.json.error).toBe(
    '100 payments of this order wait for review already; approve or reject one of them first.',
  )
  expect(await tradepost.events()).toEqual([])

  const part = await pay(id, { amount_cents: 10 })
  expect([part.status, part.json.order.status]).toEqual([201, 'manual_review'])
  const rest = await pay(id)
  expect([rest.status, rest.json.order.status]).toEqual([201, 'paid'])
})

test('rejected payments do not count toward the limit (decision 220)', async () => {
  const id = await unpaid()
  await payments(id, 'rejected', 500)
  const { status, json } = await pay(id, WAITING)
  expect(status).toBe(201)
  await payments(id, 'pending_review', 99)
  expect((await pay(id, WAITING)).status).toBe(422)
  await tradepost.post(`/orders/${id}/manual-payments/${json.payment.id}/reject`)
  expect((await pay(id, WAITING)).status).toBe(201)
})

test('more than 1,000 rejected payments keep out only others to review (decision 220)', async () => {
  const id = await unpaid()
  await payments(id, 'rejected', 1_001)
  const { status, json } = await pay(id, WAITING)
  expect([status, json.details]).toEqual([422, { field: 'status', limit: 1_000 }])
  expect((await pay(id)).json.order.status).toBe('paid')
})

test('an order takes 100 part payments, and then the owed amount at once; as many refunds (decision 220)', async () => {
  const id = await unpaid()
  const statuses = async (call: string) => {
    const seen = []
    for (let n = 0; n < 101; n++) {
      const { status, json } = await tradepost.post(`/orders/${id}/${call}`, { amount_cents: 1 })
      seen.push(status === 201 ? status : json.details.field)
    }
    return seen
  }
  const hundredAndOne = [...Array(100).fill(201), 'amount_cents']
  expect(await statuses('manual-payments')).toEqual(hundredAndOne)
  expect((await pay(id)).json).toMatchObject({
    payment: { amount_cents: 900 },
    order: { status: 'paid', paid_cents: 1000 },
  })
  expect(await statuses('refund')).toEqual(hundredAndOne)
  expect((await tradepost.post(`/orders/${id}/refund`)).json.order).toMatchObject({
    status: 'refunded',
    refunded_cents: 1000,
  })
})
