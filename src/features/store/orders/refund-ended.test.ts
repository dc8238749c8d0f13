import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keysNamed, order, product } from '../../../../test/build.ts'
import { expectNoFindings } from '../../../../test/findings.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'
import { HOUR_MS } from '../../../kernel/time.ts'
import { expireOrdersJob } from '../payments/index.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(async () => {
  await expectNoFindings(tradepost)
  await tradepost.close()
})

const refund = (id: string, body: Json = {}) => tradepost.post(`/orders/${id}/refund`, body)
const pay = async (id: string, body: Json = {}): Promise<Json> =>
  (await tradepost.post(`/orders/${id}/manual-payments`, body)).json
const spentBy = async (email: string): Promise<number | undefined> =>
  (
    await sql<{ total_spent_cents: number }>`
      select total_spent_cents from customer where email = ${email}`.execute(tradepost.db)
  ).rows[0]?.total_spent_cents

/** Creates an order of 1000, pays a part of it, and cancels or expires it. */
async function createEndedOrder(
  end: 'cancelled' | 'expired',
  amount_cents: number,
  fields: Json = {},
) {
  const { id } = await product(tradepost, { type: 'service' })
  const newOrder = await order(tradepost, id, fields)
  if (amount_cents > 0) await pay(newOrder.id, { amount_cents })
  if (end === 'cancelled') await expectSuccess(tradepost.post(`/orders/${newOrder.id}/cancel`))
  else {
    tradepost.forward(HOUR_MS)
    await expireOrdersJob.run(tradepost.app)
  }
  await tradepost.events()
  return newOrder.id as string
}

describe.each(['cancelled', 'expired'] as const)('an order that is %s', (end) => {
  test('can be refunded up to the paid amount, and keeps its status (decision 123)', async () => {
    const email = `${end}@example.com`
    const id = await createEndedOrder(end, 400, { customer: { email } })
    const partialRefund = await refund(id, { amount_cents: 150, reason: 'requested_by_customer' })
    expect(partialRefund.status).toBe(201)
    expect(partialRefund.json.order).toMatchObject({
      status: end,
      refund_status: 'partial',
      paid_cents: 400,
      refunded_cents: 150,
    })
    const lastRefund = await refund(id, { to_balance: true })
    expect(lastRefund.json.refund).toMatchObject({ amount_cents: 250 })
    expect(lastRefund.json.order).toMatchObject({
      status: end,
      refund_status: 'full',
      refunded_cents: 400,
    })
    expect(lastRefund.json.order.status_history).toEqual(partialRefund.json.order.status_history)
    expect((await tradepost.get(`/orders/${id}`)).json.order).toEqual(lastRefund.json.order)
    expect(await tradepost.events()).toEqual(['order.refunded', 'order.refunded'])
    const eventObject = (await tradepost.payloads('order.refunded')).at(-1).data.object
    expect(eventObject).toMatchObject({
      id,
      status: end,
      refunded_amount: 4,
      refund: { amount: 2.5 },
    })
    expect(await spentBy(email)).toBe(0)
    const exceedingRefund = await refund(id)
    expect([exceedingRefund.status, exceedingRefund.json.code]).toEqual([
      422,
      'REFUND_EXCEEDS_PAID',
    ])
    expect(await tradepost.events()).toEqual([])
  })

  test('cannot be refunded beyond the paid amount, and restocks nothing (decision 123)', async () => {
    const id = await createEndedOrder(end, 400)
    const exceedingRefund = await refund(id, { amount_cents: 401 })
    expect([exceedingRefund.status, exceedingRefund.json.code]).toEqual([
      422,
      'REFUND_EXCEEDS_PAID',
    ])
    expect(exceedingRefund.json.details).toMatchObject({ field: 'amount_cents', available: 400 })
    const zeroRefund = await refund(id, { amount_cents: 0 })
    expect([zeroRefund.json.code, zeroRefund.json.details.field]).toEqual([
      'VALIDATION_FAILED',
      'amount_cents',
    ])
    const refundWithRestock = await refund(id, { restock: true })
    expect([refundWithRestock.json.code, refundWithRestock.json.details.field]).toEqual([
      'VALIDATION_FAILED',
      'restock',
    ])
    const unpaidRefund = await refund(await createEndedOrder(end, 0))
    expect([unpaidRefund.status, unpaidRefund.json.code]).toEqual([409, 'INVALID_STATE'])
    expect(unpaidRefund.json.details.status).toBe(end)
    expect(await tradepost.events()).toEqual([])
  })
})

test.each([
  ['pending', undefined],
  ['partially_paid', { amount_cents: 400 }],
  ['manual_review', { amount_cents: 400, status: 'pending_review' }],
])(
  'an order that is %s must be cancelled before a refund (decision 123)',
  async (status, payment) => {
    const { id } = await product(tradepost, { type: 'service' })
    const newOrder = await order(tradepost, id)
    if (payment) await pay(newOrder.id, payment)
    await tradepost.events()
    const { json, ...answer } = await refund(newOrder.id, { amount_cents: 1 })
    expect([answer.status, json.code, json.details.status]).toEqual([409, 'INVALID_STATE', status])
    expect(json.error).toContain('Cancel it')
    expect(await tradepost.events()).toEqual([])
  },
)

test('an expired order with a refund is paid by late payments of its total, not counting the refunded amount (decision 123)', async () => {
  const email = 'late@example.com'
  const id = await createEndedOrder('expired', 400, { customer: { email } })
  await expectSuccess(refund(id))
  const partPayment = await pay(id, { amount_cents: 600 })
  expect(partPayment.order).toMatchObject({
    status: 'expired',
    refund_status: 'partial',
    paid_cents: 1000,
  })
  const { payment, order: after } = await pay(id)
  expect(payment.amount_cents).toBe(400)
  expect(after).toMatchObject({
    status: 'paid',
    refund_status: 'partial',
    paid_cents: 1400,
    refunded_cents: 400,
  })
  expect(await spentBy(email)).toBe(1000)
  const { json } = await refund(id)
  expect(json.refund.amount_cents).toBe(1000)
  expect(json.order).toMatchObject({ status: 'refunded', refund_status: 'full' })
  expect(await spentBy(email)).toBe(0)
})

describe('an order whose total is 0', () => {
  async function createFreeOrder() {
    const game = await product(tradepost, { price_cents: 0 }, { keys: keysNamed('FREE', 1) })
    const newOrder = await order(tradepost, game.id)
    await tradepost.events()
    return { game, newOrder }
  }

  test.each([{ amount_cents: 0 }, {}])(
    'is refunded once with %j, and its deliveries are revoked (decision 123)',
    async (body) => {
      const { game, newOrder } = await createFreeOrder()
      expect(newOrder.status).toBe('completed')
      const { status, json } = await refund(newOrder.id, body)
      expect([status, json.refund?.amount_cents]).toEqual([201, 0])
      expect(json.order).toMatchObject({
        status: 'refunded',
        refund_status: 'full',
        refunded_cents: 0,
        refunds: [json.refund],
        deliveries: [{ status: 'revoked' }],
      })
      const { keys } = (await tradepost.get(`/products/${game.id}/variants/${game.variantId}/keys`))
        .json
      expect(keys).toMatchObject([{ status: 'revoked' }])
      expect(await tradepost.events()).toEqual(['order.refunded'])
      const eventObject = (await tradepost.payloads('order.refunded')).at(-1).data.object
      expect(eventObject).toMatchObject({ status: 'refunded', refund: { amount: 0 } })
      for (const repeat of [{ amount_cents: 0 }, {}]) {
        const secondRefund = await refund(newOrder.id, repeat)
        expect([secondRefund.status, secondRefund.json.code]).toEqual([422, 'REFUND_EXCEEDS_PAID'])
      }
      expect(await tradepost.events()).toEqual([])
    },
  )

  test('returns its keys to stock with restock, credits no balance, and never refunds more than 0 (decision 123)', async () => {
    const { game, newOrder } = await createFreeOrder()
    const exceedingRefund = await refund(newOrder.id, { amount_cents: 1 })
    expect([exceedingRefund.status, exceedingRefund.json.code]).toEqual([
      422,
      'REFUND_EXCEEDS_PAID',
    ])
    const { status } = await refund(newOrder.id, {
      amount_cents: 0,
      restock: true,
      to_balance: true,
    })
    expect(status).toBe(201)
    expect((await tradepost.get(`/products/${game.id}`)).json.variants[0].stock_quantity).toBe(1)
    expect(await tradepost.events()).toEqual(['order.refunded', 'product.restocked'])
  })
})
