import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keysNamed } from '../../../../test/build.ts'
import {
  type CallOptions,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'
import { simulate, startedOrder, startPayment } from '../../../../test/provider-payments.ts'
import { MINUTE_MS } from '../../../kernel/time.ts'
import { createStoreWithKeys } from '../account/index.ts'
import { sendLateCallbacksJob } from './index.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const asTest = () => ({ as: tradepost.test })
const started = async (fields: Json = {}) => {
  const created = await startedOrder(tradepost, fields, {
    ...asTest(),
    keys: keysNamed('SIMULATED', 1),
  })
  await tradepost.events()
  return created
}
const play = (payment: Json, body: Json) => simulate(tradepost, payment, body)
const callbacksOf = async ({ order_id }: Json): Promise<Json[]> =>
  (await tradepost.get(`/account/payment-callbacks?order_id=${order_id}`, asTest())).json
    .payment_callbacks

describe('a simulated payment', () => {
  test('that is paid delivers the order', async () => {
    const { payment } = await started()
    const { status, json } = await play(payment, { do: 'pay' })
    expect(status).toBe(200)
    expect(json.payment).toMatchObject({ id: payment.id, status: 'succeeded', amount_cents: 1000 })
    expect(json.order).toMatchObject({
      status: 'completed',
      paid_cents: 1000,
      payment_method: 'test',
      expires_at: null,
    })
    expect(json.order.deliveries[0].keys).toEqual(['SIMULATED-000001'])
    expect(await tradepost.events()).toEqual(['order.completed'])
  })

  test('of a half leaves the order partially paid with an event, and the rest completes it', async () => {
    const { order, payment } = await started()
    const part = await play(payment, { do: 'pay_part' })
    expect(part.json.payment).toMatchObject({ status: 'succeeded', amount_cents: 500 })
    expect(part.json.order).toMatchObject({ status: 'partially_paid', paid_cents: 500 })
    expect(await tradepost.events()).toEqual(['order.partially_paid'])
    const [event] = (await tradepost.payloads('order.partially_paid')).slice(-1)
    expect(event.data.object).toMatchObject({ id: order.id, paid_amount: 5, remaining_amount: 5 })
    const rest = await startPayment(tradepost, order.id)
    expect(rest.amount_cents).toBe(500)
    expect((await play(rest, { do: 'pay' })).json.order.status).toBe('completed')
  })

  test('of a part during a review has an event too', async () => {
    const { order, payment } = await started()
    const review = { status: 'pending_review', amount_cents: 100 }
    await tradepost.post(`/orders/${order.id}/manual-payments`, review, asTest())
    const { json } = await play(payment, { do: 'pay_part' })
    expect(json.order).toMatchObject({ status: 'manual_review', paid_cents: 500 })
    expect(await tradepost.events()).toEqual(['order.manual_review', 'order.partially_paid'])
  })

  test('of more than an order can record fails, and the order can be paid in another way', async () => {
    const { order, payment } = await started()
    const most = 999_999_999_999_999
    await tradepost.post(`/orders/${order.id}/manual-payments`, { amount_cents: 1 }, asTest())
    const { json } = await play(payment, { do: 'overpay', amount_cents: most })
    expect(json.payment).toMatchObject({ status: 'failed', failure: { code: 'amount_too_large' } })
    expect(json.order).toMatchObject({ status: 'partially_paid', paid_cents: 1 })
    const next = await startPayment(tradepost, order.id)
    expect((await play(next, { do: 'pay' })).json.order.status).toBe('completed')
  })

  test('has the time at which its money arrived', async () => {
    const { payment } = await started()
    await play(payment, { do: 'process' })
    await tradepost.post('/account/test-clock', { advance: '10m' }, asTest())
    const { json } = await play(payment, { do: 'pay' })
    expect(json.payment.reviewed_at).toBe(json.order.paid_at)
    const { json: ledger } = await tradepost.get('/account/ledger?limit=1', asTest())
    expect(ledger.entries[0].at).toBe(json.order.paid_at)
  })

  test('of too much is kept and can be refunded', async () => {
    const { order, payment } = await started()
    const { json } = await play(payment, { do: 'overpay', amount_cents: 1500 })
    expect(json.order).toMatchObject({ status: 'completed', total_cents: 1000, paid_cents: 1500 })
    const body = { amount_cents: 500 }
    const refunded = await tradepost.post(`/orders/${order.id}/refund`, body, asTest())
    expect(refunded.json.order).toMatchObject({ refunded_cents: 500, refund_status: 'partial' })
  })

  test('that is declined fails with its reason, and another one can be started', async () => {
    const { order, payment } = await started()
    const { json } = await play(payment, { do: 'decline' })
    expect(json.payment).toMatchObject({
      status: 'failed',
      failure: { code: 'declined', message: 'The test provider declined the payment.' },
    })
    expect(json.order).toMatchObject({ status: 'pending', paid_cents: 0 })
    const next = await startPayment(tradepost, order.id)
    expect(next.id).not.toBe(payment.id)
    expect((await play(next, { do: 'pay' })).json.order.status).toBe('completed')
  })

  test('that is processed waits, and is paid afterwards', async () => {
    const { payment } = await started()
    const { json } = await play(payment, { do: 'process' })
    expect(json.payment.status).toBe('processing')
    expect(json.order.status).toBe('pending')
    expect((await play(payment, { do: 'pay' })).json.order.status).toBe('completed')
  })

  test('that expires at the provider leaves the order unpaid', async () => {
    const { payment } = await started()
    const { json } = await play(payment, { do: 'expire' })
    expect(json.payment.status).toBe('expired')
    expect(json.order.status).toBe('pending')
  })
})

describe('the callbacks of a simulated payment', () => {
  test.each([
    ['once', 1],
    ['twice', 1],
    ['reordered', 2],
  ])('that are sent %s settle it once', async (callback, count) => {
    const { payment } = await started()
    const { json } = await play(payment, { do: 'pay', callback })
    expect(json.order).toMatchObject({ status: 'completed', paid_cents: 1000 })
    expect(await tradepost.events()).toEqual(['order.completed'])
    const callbacks = await callbacksOf(payment)
    expect(callbacks).toHaveLength(count)
    expect(callbacks.at(-1)).toEqual({
      id: expect.any(Number),
      object: 'payment_callback',
      provider: 'test',
      external_id: expect.stringMatching(/^tev_\w+$/),
      type: 'payment.paid',
      status: 'applied',
      order_id: payment.order_id,
      payment_id: payment.id,
      attempts: 1,
      error: null,
      received_at: expect.any(String),
      applied_at: expect.any(String),
    })
  })

  test('that never come leave the payment pending until its provider is asked', async () => {
    const { payment } = await started()
    const { json } = await play(payment, { do: 'pay', callback: 'never' })
    expect(json.payment.status).toBe('pending')
    expect(await callbacksOf(payment)).toEqual([])
    const path = `/orders/${payment.order_id}/payments/${payment.id}/refresh`
    const refreshed = await tradepost.post(path, undefined, asTest())
    expect(refreshed.status).toBe(200)
    expect(refreshed.json.payment.status).toBe('succeeded')
    expect(refreshed.json.order.status).toBe('completed')
  })

  test('that never come are not needed: the provider is asked after a minute', async () => {
    const { payment } = await started()
    await play(payment, { do: 'pay', callback: 'never' })
    await tradepost.post('/account/test-clock', { advance: '59s' }, asTest())
    const orderNow = async () =>
      (await tradepost.get(`/orders/${payment.order_id}`, asTest())).json.order
    expect((await orderNow()).status).toBe('pending')
    await tradepost.post('/account/test-clock', { advance: '2s' }, asTest())
    expect((await orderNow()).status).toBe('completed')
  })

  test('that are late arrive after five minutes of the store', async () => {
    const { payment } = await started()
    await sql`update payment set check_at = null where id = ${payment.id}`.execute(tradepost.db)
    const { json } = await play(payment, { do: 'pay', callback: 'late' })
    expect(json.payment.status).toBe('pending')
    await tradepost.post('/account/test-clock', { advance: '299s' }, asTest())
    expect(await callbacksOf(payment)).toEqual([])
    await tradepost.post('/account/test-clock', { advance: '2s' }, asTest())
    expect(await callbacksOf(payment)).toMatchObject([{ status: 'applied' }])
    const { json: after } = await tradepost.get(`/orders/${payment.order_id}`, asTest())
    expect(after.order.status).toBe('completed')
  })

  test('that are late and fail do not stop those of another store', async () => {
    const { payment: broken } = await started()
    await play(broken, { do: 'pay', callback: 'late' })
    await sql`update test_payment set callback = 'broken' where payment_id = ${broken.id}`.execute(
      tradepost.db,
    )
    const { test } = await createStoreWithKeys(tradepost.app, {
      name: 'There',
      currency: 'EUR',
      plan: 'self_hosted',
    })
    const { payment } = await startedOrder(tradepost, {}, { as: test })
    await simulate(tradepost, payment, { do: 'pay', callback: 'late' }, { as: test })
    tradepost.forward(6 * MINUTE_MS)
    await sendLateCallbacksJob.run(tradepost.app)
    const statusOf = async ({ order_id }: Json, options: CallOptions) =>
      (await tradepost.get(`/orders/${order_id}`, options)).json.order.status
    expect(await statusOf(payment, { as: test })).toBe('paid')
    expect(await statusOf(broken, asTest())).toBe('pending')
  })

  test('are sent by another simulation if they never came', async () => {
    const { payment } = await started()
    await play(payment, { do: 'pay', callback: 'never' })
    const { status, json } = await play(payment, { do: 'pay' })
    expect(status).toBe(200)
    expect(json.order).toMatchObject({ status: 'completed', paid_cents: 1000 })
  })

  test('that are forged change nothing', async () => {
    const { payment } = await started()
    const { status, json } = await play(payment, { do: 'pay', callback: 'forged' })
    expect(status).toBe(200)
    expect(json.payment).toEqual(payment)
    expect(json.order.status).toBe('pending')
    expect(await callbacksOf(payment)).toEqual([])
    const path = `/orders/${payment.order_id}/payments/${payment.id}/refresh`
    expect((await tradepost.post(path, undefined, asTest())).json.payment).toEqual(payment)
  })
})

describe('a simulation is refused', () => {
  test('with a live key', async () => {
    const { payment } = await started()
    const live = await simulate(tradepost, payment, { do: 'pay' }, { as: tradepost.live })
    expect(live.status).toBe(403)
    expect(live.json.code).toBe('STORE_NOT_ALLOWED')
  })

  test.each([
    [{ do: 'pay', amount_cents: 999 }, 'amount_cents'],
    [{ do: 'pay_part', amount_cents: 1000 }, 'amount_cents'],
    [{ do: 'overpay', amount_cents: 1000 }, 'amount_cents'],
    [{ do: 'decline', amount_cents: 1 }, 'amount_cents'],
    [{ do: 'steal' }, 'do'],
    [{ do: 'pay', callback: 'often' }, 'callback'],
    [{}, 'do'],
  ])('with %j', async (body, field) => {
    const { payment } = await started()
    const { status, json } = await play(payment, body)
    expect(status).toBe(422)
    expect(json.details.field).toBe(field)
  })

  test('of a payment that is paid, and of an ended one that cannot be declined', async () => {
    const { payment } = await started()
    await play(payment, { do: 'pay' })
    expect((await play(payment, { do: 'pay' })).json.code).toBe('INVALID_STATE')
    expect((await play(payment, { do: 'decline' })).json.code).toBe('INVALID_STATE')
  })

  test('of a manual payment, and of a payment of another order', async () => {
    const { order, payment } = await started()
    const manual = await tradepost.post(
      `/orders/${order.id}/manual-payments`,
      { amount_cents: 1 },
      asTest(),
    )
    expect((await play(manual.json.payment, { do: 'pay' })).status).toBe(404)
    const other = await started()
    expect((await play({ ...payment, order_id: other.order.id }, { do: 'pay' })).status).toBe(404)
  })
})
