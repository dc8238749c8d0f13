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

async function createUnpaidOrder(): Promise<string> {
  const { id } = await product(tradepost, { type: 'service' })
  return (await order(tradepost, id)).id
}
const pay = (id: string, body: Json = {}) => tradepost.post(`/orders/${id}/manual-payments`, body)
const PENDING_REVIEW = { status: 'pending_review', amount_cents: 1 }

/** Inserts payments into the database, because so many calls would take too long. */
async function insertPayments(id: string, status: string, count: number) {
  await sql`
    insert into payment (store_id, order_id, kind, status, amount_cents, currency, created_at)
    select store_id, id, 'manual', ${status}, 1, currency, created_at
      from "order", generate_series(1, ${count}::integer)
     where id = ${id}`.execute(tradepost.db)
}

test('after 100 payments under review, a further payment to review is refused, and an approved one is accepted', async () => {
  const id = await createUnpaidOrder()
  await expectSuccess(pay(id, PENDING_REVIEW))
  await insertPayments(id, 'pending_review', 99)
  await tradepost.events()
  const exceedingPayment = await pay(id, PENDING_REVIEW)
  expect([exceedingPayment.status, exceedingPayment.json.code]).toEqual([422, 'VALIDATION_FAILED'])
  expect(exceedingPayment.json.details).toMatchObject({ field: 'status', limit: 100 })
  expect(exceedingPayment.json.error).toBe(
    'status: 100 payments of this order wait for a review already. Approve or reject one of them first.',
  )
  expect(await tradepost.events()).toEqual([])

  const partPayment = await pay(id, { amount_cents: 10 })
  expect([partPayment.status, partPayment.json.order.status]).toEqual([201, 'manual_review'])
  const fullPayment = await pay(id)
  expect([fullPayment.status, fullPayment.json.order.status]).toEqual([201, 'paid'])
})

test('rejected payments do not count toward the limit of payments under review', async () => {
  const id = await createUnpaidOrder()
  await insertPayments(id, 'rejected', 500)
  const { status, json } = await pay(id, PENDING_REVIEW)
  expect(status).toBe(201)
  await insertPayments(id, 'pending_review', 99)
  expect((await pay(id, PENDING_REVIEW)).status).toBe(422)
  await expectSuccess(tradepost.post(`/orders/${id}/manual-payments/${json.payment.id}/reject`))
  expect((await pay(id, PENDING_REVIEW)).status).toBe(201)
})

test('after 1,000 rejected payments, a further payment to review is refused, and an approved one is accepted', async () => {
  const id = await createUnpaidOrder()
  await insertPayments(id, 'rejected', 1_001)
  const { status, json } = await pay(id, PENDING_REVIEW)
  expect([status, json.details]).toMatchObject([422, { field: 'status', limit: 1_000 }])
  expect((await pay(id)).json.order.status).toBe('paid')
})

test('after 100 part payments or partial refunds, only one of the whole remaining amount is accepted', async () => {
  const id = await createUnpaidOrder()
  const repeatCall = async (call: string) => {
    const results: (number | string)[] = []
    for (let n = 0; n < 101; n++) {
      const { status, json } = await tradepost.post(`/orders/${id}/${call}`, { amount_cents: 1 })
      results.push(status === 201 ? status : json.details.field)
    }
    return results
  }
  const hundredSuccesses = [...Array(100).fill(201), 'amount_cents']
  expect(await repeatCall('manual-payments')).toEqual(hundredSuccesses)
  expect((await pay(id)).json).toMatchObject({
    payment: { amount_cents: 900 },
    order: { status: 'paid', paid_cents: 1000 },
  })
  expect(await repeatCall('refund')).toEqual(hundredSuccesses)
  expect((await tradepost.post(`/orders/${id}/refund`)).json.order).toMatchObject({
    status: 'refunded',
    refunded_cents: 1000,
  })
})
