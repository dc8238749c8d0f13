import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addKeys, type CreatedProduct, keysNamed, order, product } from '../../../../test/build.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../kernel/time.ts'
import { clockCommands } from '../../installation/clock/index.ts'
import { expireOrdersJob } from '../payments/index.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
  tradepost.stopClock()
})
afterAll(() => tradepost.close())

const getOrder = async (id: string, as = tradepost.live): Promise<Json> =>
  (await tradepost.get(`/orders/${id}`, { as })).json.order
const stockOf = async ({ id }: CreatedProduct, as = tradepost.live): Promise<number> =>
  (await tradepost.get(`/products/${id}`, { as })).json.variants[0].stock_quantity
const pay = (id: string, body: Json = {}) => tradepost.post(`/orders/${id}/manual-payments`, body)
const expire = () => expireOrdersJob.run(tradepost.app)

async function advance(duration: string, side = tradepost.test): Promise<Json> {
  const [clock] = clockCommands
  return clock?.run(tradepost.app, { store: side.id, duration })
}

describe('an order that is not paid in time', () => {
  test('expires after its hour and not earlier, returns its stock, and emits one event', async () => {
    const game = await product(tradepost, {}, { keys: keysNamed('EXP', 2) })
    const newOrder = await order(tradepost, game.id, {
      items: [{ product_id: game.id, quantity: 2 }],
    })
    await tradepost.events()
    tradepost.forward(HOUR_MS - 5 * SECOND_MS)
    await expire()
    expect((await getOrder(newOrder.id)).status).toBe('pending')
    expect(await stockOf(game)).toBe(0)
    expect(await tradepost.events()).toEqual([])

    tradepost.forward(5 * SECOND_MS)
    await expire()
    await expire()
    const after = await getOrder(newOrder.id)
    expect(after).toMatchObject({ status: 'expired', paid_cents: 0, cancelled_at: null })
    expect(after.status_history.map((step: Json) => step.status)).toEqual(['pending', 'expired'])
    expect(await stockOf(game)).toBe(2)
    expect(await tradepost.events()).toEqual(['order.expired'])
    const eventObject = (await tradepost.payloads('order.expired')).at(-1).data.object
    expect(eventObject).toMatchObject({
      id: newOrder.id,
      status: 'expired',
      total: 20,
      paid_at: null,
    })
  })

  test('but fails to expire does not block the others, and expires a minute later', async () => {
    const { id } = await product(tradepost, { type: 'service' })
    const [first, failing, last] = [
      await order(tradepost, id),
      await order(tradepost, id),
      await order(tradepost, id),
    ]
    await sql`
      create function refuse() returns trigger language plpgsql
          as $$ begin raise exception 'this order cannot be changed'; end $$`.execute(tradepost.db)
    await sql`
      create trigger refuse before update on "order"
         for each row when (old.id = ${sql.lit(failing.id)}) execute function refuse()`.execute(
      tradepost.db,
    )
    await tradepost.events()
    tradepost.forward(HOUR_MS)
    expect(await expire()).toBe(false)
    const statuses = async () =>
      (await Promise.all([first, failing, last].map((item) => getOrder(item.id)))).map(
        (item) => item.status,
      )
    expect(await statuses()).toEqual(['expired', 'pending', 'expired'])
    expect(await tradepost.events()).toEqual(['order.expired', 'order.expired'])

    await sql`drop function refuse cascade`.execute(tradepost.db)
    tradepost.forward(MINUTE_MS)
    await expire()
    expect(await statuses()).toEqual(['expired', 'expired', 'expired'])
    expect(await tradepost.events()).toEqual(['order.expired'])
  })

  test('expires with its part payment, which stays recorded', async () => {
    const { id } = await product(tradepost, { type: 'service' })
    const newOrder = await order(tradepost, id)
    await expectSuccess(pay(newOrder.id, { amount_cents: 400 }))
    tradepost.forward(HOUR_MS)
    await expire()
    expect(await getOrder(newOrder.id)).toMatchObject({ status: 'expired', paid_cents: 400 })
  })

  test('does not expire while a payment is under review, and expires an hour after a rejection', async () => {
    const { id } = await product(tradepost, { type: 'service' })
    const newOrder = await order(tradepost, id)
    const { payment } = (await pay(newOrder.id, { status: 'pending_review' })).json
    tradepost.forward(5 * HOUR_MS)
    await expire()
    expect((await getOrder(newOrder.id)).status).toBe('manual_review')
    await expectSuccess(
      tradepost.post(`/orders/${newOrder.id}/manual-payments/${payment.id}/reject`),
    )
    tradepost.forward(59 * MINUTE_MS)
    await expire()
    expect((await getOrder(newOrder.id)).status).toBe('pending')
    tradepost.forward(2 * MINUTE_MS)
    await expire()
    expect((await getOrder(newOrder.id)).status).toBe('expired')
  })
})

describe('a late payment', () => {
  async function createExpiredOrder(keys: string[]) {
    const game = await product(tradepost, {}, { keys })
    const newOrder = await order(tradepost, game.id)
    tradepost.forward(HOUR_MS)
    await expire()
    await tradepost.events()
    return { game, newOrder }
  }

  test('is delivered immediately if the stock is available', async () => {
    const { newOrder, game } = await createExpiredOrder(keysNamed('LATE', 2))
    const { status, json } = await pay(newOrder.id)
    expect(status).toBe(201)
    expect(json.order).toMatchObject({ status: 'completed', expires_at: null, paid_cents: 1000 })
    expect(json.order.deliveries).toMatchObject([{ keys: ['LATE-000001'] }])
    expect(await stockOf(game)).toBe(1)
    expect(await tradepost.events()).toEqual(['order.completed'])
  })

  test('pays an order that waits for stock if another order reserved the stock meanwhile', async () => {
    const { newOrder, game } = await createExpiredOrder(['TAKEN-000001'])
    const otherOrder = await order(tradepost, game.id)
    await tradepost.events()
    const { json } = await pay(newOrder.id)
    expect(json.order).toMatchObject({
      status: 'paid',
      deliveries: [{ status: 'pending', keys: [] }],
    })
    expect(await tradepost.events()).toEqual([])
    expect((await pay(otherOrder.id)).json.order).toMatchObject({
      status: 'completed',
      deliveries: [{ keys: ['TAKEN-000001'] }],
    })
  })

  test('of a part leaves the order expired, and a payment of the remaining amount pays it', async () => {
    const { newOrder } = await createExpiredOrder(['PART-000001'])
    expect((await pay(newOrder.id, { amount_cents: 300 })).json.order).toMatchObject({
      status: 'expired',
      paid_cents: 300,
    })
    expect(await tradepost.events()).toEqual([])
    expect((await pay(newOrder.id)).json.order).toMatchObject({
      status: 'completed',
      paid_cents: 1000,
    })
  })

  test('of an expired order cannot be put under review, and an expired order cannot be cancelled', async () => {
    const { newOrder } = await createExpiredOrder(['REV-000001'])
    const review = await pay(newOrder.id, { status: 'pending_review' })
    const cancel = await tradepost.post(`/orders/${newOrder.id}/cancel`)
    for (const { status, json } of [review, cancel]) {
      expect([status, json.code, json.details.status]).toEqual([409, 'INVALID_STATE', 'expired'])
    }
  })
})

describe('a cancellation of', () => {
  test('an unpaid order returns its stock, and its event has the reason', async () => {
    const game = await product(tradepost, {}, { keys: keysNamed('CAN', 1) })
    const newOrder = await order(tradepost, game.id)
    await tradepost.events()
    const { status, json } = await tradepost.post(`/orders/${newOrder.id}/cancel`, {
      reason: 'Changed mind',
    })
    expect(status).toBe(200)
    const { order: after } = json
    expect(after).toMatchObject({ status: 'cancelled', expires_at: null })
    expect(after.cancelled_at).toBe(after.updated_at)
    expect(after.status_history.at(-1)).toEqual({
      status: 'cancelled',
      at: after.cancelled_at,
      reason: 'Changed mind',
    })
    expect(await stockOf(game)).toBe(1)
    expect(await tradepost.events()).toEqual(['order.cancelled'])
    const eventObject = (await tradepost.payloads('order.cancelled')).at(-1).data.object
    expect(eventObject).toMatchObject({
      id: newOrder.id,
      status: 'cancelled',
      reason: 'Changed mind',
    })
  })

  test('a partially paid order or one under review needs no body, and the event has no reason', async () => {
    const { id } = await product(tradepost, { type: 'service' })
    const partiallyPaidOrder = await order(tradepost, id)
    await expectSuccess(pay(partiallyPaidOrder.id, { amount_cents: 1 }))
    const orderUnderReview = await order(tradepost, id)
    await expectSuccess(pay(orderUnderReview.id, { status: 'pending_review' }))
    await tradepost.events()
    for (const created of [partiallyPaidOrder, orderUnderReview]) {
      const { json } = await tradepost.post(`/orders/${created.id}/cancel`)
      expect(json.order).toMatchObject({ status: 'cancelled' })
      expect((await tradepost.payloads('order.cancelled')).at(-1).data.object.reason).toBeNull()
    }
    expect(await tradepost.events()).toEqual(['order.cancelled', 'order.cancelled'])
  })

  test.each([
    ['paid', 'INVOICE_PAID', { type: 'service' }],
    ['completed', 'INVOICE_PAID', {}],
  ])('an order that is %s is refused with %s', async (state, code, fields) => {
    const game = await product(tradepost, fields, {
      keys: state === 'completed' ? ['DONE-0001'] : [],
    })
    const newOrder = await order(tradepost, game.id, { mark_paid: true })
    expect(newOrder.status).toBe(state)
    await tradepost.events()
    const { status, json } = await tradepost.post(`/orders/${newOrder.id}/cancel`)
    expect([status, json.code]).toEqual([409, code])
    expect(await getOrder(newOrder.id)).toEqual(newOrder)
    expect(await tradepost.events()).toEqual([])
  })

  test('a cancelled order is refused, and does not return its stock again', async () => {
    const game = await product(tradepost, {}, { keys: keysNamed('TWICE', 3) })
    const newOrder = await order(tradepost, game.id)
    await order(tradepost, game.id)
    await expectSuccess(tradepost.post(`/orders/${newOrder.id}/cancel`))
    const secondCancel = await tradepost.post(`/orders/${newOrder.id}/cancel`)
    expect(secondCancel.status).toBe(409)
    expect(secondCancel.json).toMatchObject({
      code: 'INVALID_STATE',
      details: { status: 'cancelled' },
    })
    expect(await stockOf(game)).toBe(2)
  })

  test('another store’s order answers 404, and one with an unknown field is refused', async () => {
    const { id } = await product(tradepost, { type: 'service' })
    const newOrder = await order(tradepost, id)
    const path = `/orders/${newOrder.id}/cancel`
    expect((await tradepost.post(path, {}, { as: tradepost.other })).status).toBe(404)
    expect((await tradepost.post(path, {}, { as: tradepost.test })).status).toBe(404)
    expect((await tradepost.post(path, { refund: true })).json.details.field).toBe('refund')
    expect((await getOrder(newOrder.id)).status).toBe('pending')
  })
})

describe('the clock of the test side', () => {
  test('expires the due orders when it is advanced, each at its own time', async () => {
    const as = tradepost.test
    const game = await product(tradepost, {}, { keys: keysNamed('CLOCK', 2), as })
    const first = await order(tradepost, game.id, {}, { as })
    await advance('30m')
    const second = await order(tradepost, game.id, {}, { as })
    const liveProduct = await product(tradepost, { type: 'service' })
    const liveOrder = await order(tradepost, liveProduct.id)
    expect(Date.parse(second.created_at) - Date.parse(first.created_at)).toBeGreaterThanOrEqual(
      30 * MINUTE_MS,
    )
    await tradepost.events()
    const { now } = await advance('3h')
    expect(await tradepost.events()).toEqual(['order.expired', 'order.expired'])
    for (const created of [first, second]) {
      const after = await getOrder(created.id, as)
      expect(after.status).toBe('expired')
      const late_ms = Date.parse(after.updated_at) - Date.parse(created.expires_at)
      expect(late_ms).toBeGreaterThanOrEqual(0)
      expect(late_ms).toBeLessThan(20 * SECOND_MS)
    }
    expect(await stockOf(game, as)).toBe(2)
    expect((await getOrder(liveOrder.id)).status).toBe('pending')
    await addKeys(tradepost, game, ['CLOCK-AFTER-1'], { as })
    const payload = (await tradepost.payloads('product.restocked')).at(-1)
    expect(payload.livemode).toBe(false)
    expect(payload.created * 1000).toBeGreaterThanOrEqual(Date.parse(now) - SECOND_MS)
  })

  test('cannot be advanced on a live side, or by an invalid duration', async () => {
    await expect(advance('1h', tradepost.live)).rejects.toThrow('live store')
    await expect(advance('soon')).rejects.toThrow('45s, 90m, 12h or 3d')
    await expect(advance('0m')).rejects.toThrow('45s, 90m, 12h or 3d')
  })
})

describe('a payment under review', () => {
  const review = (order: string, payment: number, verdict: string) =>
    tradepost.post(`/orders/${order}/manual-payments/${payment}/${verdict}`, {})

  test('is rejected when its order is cancelled, and cannot be reviewed later', async () => {
    const { id } = await product(tradepost, { type: 'service' })
    const newOrder = await order(tradepost, id)
    await expectSuccess(pay(newOrder.id, { amount_cents: 100 }))
    const pendingReview = { status: 'pending_review', amount_cents: 300, note: 'Seen?' }
    const { payment } = (await pay(newOrder.id, pendingReview)).json
    await expectSuccess(pay(newOrder.id, pendingReview))
    await tradepost.events()
    tradepost.forward(MINUTE_MS)
    const { status, json } = await tradepost.post(`/orders/${newOrder.id}/cancel`)
    expect(status).toBe(200)
    expect(json.order).toMatchObject({ status: 'cancelled', paid_cents: 100 })
    const rejectedPayment = {
      status: 'rejected',
      reviewed_at: json.order.cancelled_at,
      note: 'Seen?',
    }
    expect(json.order.payments).toMatchObject([
      { status: 'approved' },
      rejectedPayment,
      rejectedPayment,
    ])
    expect(await tradepost.events()).toEqual(['order.cancelled'])
    for (const verdict of ['approve', 'reject']) {
      const lateReview = await review(newOrder.id, payment.id, verdict)
      expect([lateReview.status, lateReview.json.code]).toEqual([409, 'INVALID_STATE'])
      expect(lateReview.json.details.status).toBe('rejected')
    }
  })

  test('cannot be recorded for an expired order', async () => {
    const { id } = await product(tradepost, { type: 'service' })
    const newOrder = await order(tradepost, id)
    const { payment } = (await pay(newOrder.id, { status: 'pending_review' })).json
    tradepost.forward(2 * HOUR_MS)
    await expire()
    expect((await getOrder(newOrder.id)).status).toBe('manual_review')
    await expectSuccess(review(newOrder.id, payment.id, 'reject'))
    tradepost.forward(2 * HOUR_MS)
    await expire()
    expect((await getOrder(newOrder.id)).status).toBe('expired')
    const refusal = await pay(newOrder.id, { status: 'pending_review' })
    expect([refusal.status, refusal.json.code]).toEqual([409, 'INVALID_STATE'])
  })
})
