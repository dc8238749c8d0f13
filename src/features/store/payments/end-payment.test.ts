import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keysNamed } from '../../../../test/build.ts'
import type { Json } from '../../../../test/harness.ts'
import { simulate, startedOrder, startPayment } from '../../../../test/provider-payments.ts'
import {
  openNextClocked,
  openStoreWithClock,
  type StoreWithClock,
} from '../../../../test/store-with-clock.ts'
import { subscribe, subscriptionProduct } from '../../../../test/subscribe.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../kernel/time.ts'
import { checkPaymentsJob } from './index.ts'

let first: StoreWithClock

beforeAll(async () => {
  first = await openStoreWithClock()
})
afterAll(() => first.tradepost.close())

const KEYS = { keys: keysNamed('ENDED', 1) }

/** Opens an empty store with a started order of its only key. */
async function open(fields: Json = {}) {
  const store = await openNextClocked(first)
  const { tradepost, as } = store
  const { order, payment } = await startedOrder(tradepost, fields, { ...as, ...KEYS })
  const play = (body: Json, of = payment) => simulate(tradepost, of, body, as)
  const getPayment = async (of = payment): Promise<Json> =>
    (await store.getOrder(order.id)).payments.find(({ id }: Json) => id === of.id)
  const cancel = () => tradepost.post(`/orders/${order.id}/cancel`, undefined, as)
  return { ...store, order, payment, play, getPayment, cancel }
}

describe('cancelling an order', () => {
  test('ends its open payment at the provider', async () => {
    const { cancel, payment, play, expectNoFindings } = await open()
    const { status, json } = await cancel()
    expect(status).toBe(200)
    expect(json.order).toMatchObject({ status: 'cancelled', payments: [{ status: 'cancelled' }] })
    expect((await play({ do: 'decline' }, payment)).json.code).toBe('INVALID_STATE')
    await expectNoFindings()
  })

  test('is refused if the buyer has paid meanwhile, and the order is paid', async () => {
    const { cancel, play, getOrder, order, expectNoFindings } = await open()
    await play({ do: 'pay', callback: 'never' })
    const { status, json } = await cancel()
    expect(status).toBe(409)
    expect(json.code).toBe('INVOICE_PAID')
    expect(await getOrder(order.id)).toMatchObject({ status: 'completed', paid_cents: 1000 })
    await expectNoFindings()
  })

  test('waits for a payment that the provider is processing', async () => {
    const { cancel, play, getOrder, order } = await open()
    await play({ do: 'process' })
    expect((await cancel()).json).toMatchObject({
      code: 'INVALID_STATE',
      details: { status: 'processing' },
    })
    expect((await getOrder(order.id)).status).toBe('pending')
    await play({ do: 'decline' })
    expect((await cancel()).status).toBe(200)
  })
})

describe('an order that is not paid in time', () => {
  test('ends its payment at the provider, then expires', async () => {
    const { advance, getOrder, order, getPayment, expectNoFindings } = await open()
    await advance('61m')
    expect(await getOrder(order.id)).toMatchObject({ status: 'expired' })
    expect((await getPayment()).status).toBe('expired')
    await expectNoFindings()
  })

  test('is paid instead if its provider says so, even if no callback came', async () => {
    const { advance, getOrder, order, play, expectNoFindings } = await open()
    await advance('59m')
    await play({ do: 'pay', callback: 'never' })
    await advance('2m')
    expect(await getOrder(order.id)).toMatchObject({ status: 'completed', paid_cents: 1000 })
    await expectNoFindings()
  })

  test('does not expire while a payment of all that is owed is processed, for seven days', async () => {
    const { advance, getOrder, order, play, getPayment, expectNoFindings } = await open()
    await play({ do: 'process' })
    const { expires_at } = await getOrder(order.id)
    expect(Date.parse(expires_at) - Date.parse(order.created_at)).toBe(7 * DAY_MS)
    await advance('6d')
    expect((await getOrder(order.id)).status).toBe('pending')
    await advance('25h')
    expect((await getOrder(order.id)).status).toBe('expired')
    expect((await getPayment()).status).toBe('processing')
    await expectNoFindings()
  })

  test('does not expire either if a review ends while its payment is processed', async () => {
    const { advance, getOrder, order, play, tradepost, as } = await open()
    await play({ do: 'process' })
    const review = { status: 'pending_review', amount_cents: 1 }
    const path = `/orders/${order.id}/manual-payments`
    const { json } = await tradepost.post(path, review, as)
    await tradepost.post(`${path}/${json.payment.id}/reject`, undefined, as)
    await advance('61m')
    const { status, expires_at } = await getOrder(order.id)
    expect(status).toBe('pending')
    expect(Date.parse(expires_at) - Date.parse(order.created_at)).toBe(7 * DAY_MS)
    await play({ do: 'pay' })
    expect((await getOrder(order.id)).status).toBe('completed')
  })

  test('gets a new page after the page of its payment has ended', async () => {
    const { advance, order, payment, tradepost, as } = await open()
    const path = `/orders/${order.id}/manual-payments`
    const { json } = await tradepost.post(path, { status: 'pending_review', amount_cents: 1 }, as)
    await advance('70m')
    await tradepost.post(`${path}/${json.payment.id}/reject`, undefined, as)
    const next = await startPayment(tradepost, order.id, as)
    expect(next.id).not.toBe(payment.id)
    expect(next.checkout_url).not.toBe(payment.checkout_url)
  })

  test('has an hour again after the provider could not process its payment', async () => {
    const { advance, getOrder, order, play } = await open()
    await play({ do: 'process' })
    const now = await advance('2d')
    await play({ do: 'decline' })
    const { expires_at, status } = await getOrder(order.id)
    expect(status).toBe('pending')
    expect(Date.parse(expires_at) - Date.parse(now)).toBe(HOUR_MS)
  })
})

describe('money that arrives late', () => {
  test.each([['cancelled'], ['expired']])(
    'for an order that is %s is recorded and can be refunded',
    async (status) => {
      const { advance, cancel, play, order, tradepost, as, expectNoFindings } = await open()
      await (status === 'cancelled' ? cancel() : advance('61m'))
      const late = await play({ do: 'pay' })
      expect(late.json.payment.status).toBe('succeeded')
      expect(late.json.order).toMatchObject({ status, paid_cents: 1000, deliveries: [] })
      const refunded = await tradepost.post(`/orders/${order.id}/refund`, {}, as)
      expect(refunded.json.order).toMatchObject({ status, refunded_cents: 1000 })
      await expectNoFindings()
    },
  )

  test('for a refunded order is recorded, and is refunded without a second end', async () => {
    const { play, order, tradepost, as, expectNoFindings } = await open()
    await tradepost.post(`/orders/${order.id}/manual-payments`, {}, as)
    await tradepost.post(`/orders/${order.id}/refund`, {}, as)
    const late = await play({ do: 'pay' })
    expect(late.json.order).toMatchObject({
      status: 'refunded',
      refund_status: 'partial',
      paid_cents: 2000,
      refunded_cents: 1000,
    })
    await expectNoFindings()
    const refunded = await tradepost.post(`/orders/${order.id}/refund`, {}, as)
    expect(refunded.json.order).toMatchObject({ refund_status: 'full', refunded_cents: 2000 })
    const ends = refunded.json.order.status_history.filter(
      ({ status }: Json) => status === 'refunded',
    )
    expect(ends).toHaveLength(1)
    await expectNoFindings()
  })

  test('for an order that was paid in another way is kept and can be refunded', async () => {
    const { play, order, tradepost, as, getOrder, expectNoFindings } = await open()
    await tradepost.post(`/orders/${order.id}/manual-payments`, {}, as)
    expect((await play({ do: 'pay' })).json.order).toMatchObject({
      status: 'completed',
      paid_cents: 2000,
    })
    await tradepost.post(`/orders/${order.id}/refund`, { amount_cents: 1000 }, as)
    expect(await getOrder(order.id)).toMatchObject({ status: 'completed', refunded_cents: 1000 })
    await expectNoFindings()
  })
})

describe('a payment that is no longer needed', () => {
  test('is ended by the job after the order was paid in another way', async () => {
    const { order, tradepost, as, getPayment } = await open()
    await tradepost.post(`/orders/${order.id}/manual-payments`, {}, as)
    expect((await getPayment()).status).toBe('pending')
    await checkPaymentsJob.run(tradepost.app)
    expect((await getPayment()).status).toBe('cancelled')
  })

  test('is ended by its seller, once', async () => {
    const { order, payment, tradepost, as, play } = await open()
    const path = `/orders/${order.id}/payments/${payment.id}/cancel`
    const { status, json } = await tradepost.post(path, undefined, as)
    expect(status).toBe(200)
    expect(json.payment.status).toBe('cancelled')
    expect(json.order.status).toBe('pending')
    expect((await tradepost.post(path, undefined, as)).json).toMatchObject({
      code: 'INVALID_STATE',
      details: { status: 'cancelled' },
    })
    const next = await startPayment(tradepost, order.id, as)
    expect((await play({ do: 'pay' }, next)).json.order.status).toBe('completed')
  })

  test('is not ended if the buyer has paid meanwhile', async () => {
    const { order, payment, tradepost, as, play, getOrder } = await open()
    await play({ do: 'pay', callback: 'never' })
    const path = `/orders/${order.id}/payments/${payment.id}/cancel`
    expect((await tradepost.post(path, undefined, as)).json.code).toBe('INVOICE_PAID')
    expect((await getOrder(order.id)).status).toBe('completed')
    expect((await tradepost.post(path, undefined, as)).json).toMatchObject({
      code: 'INVALID_STATE',
      error: 'This payment is paid already.',
    })
  })
})

test('a renewal does not expire while its payment is processed', async () => {
  const store = await openNextClocked(first)
  const { tradepost, as, advanceTo, getOrder, getSubscription } = store
  const id = await subscriptionProduct(tradepost, {}, {}, as)
  const { id: subscriptionId, next_billing_date } = await subscribe(
    tradepost,
    id,
    { payment_method: 'test' },
    as,
  )
  await advanceTo(next_billing_date)
  const due = (await getSubscription(subscriptionId)).payments.at(-1)
  await store.advance('6d')
  const payment = await startPayment(tradepost, due.invoice_id, as)
  expect((await simulate(tradepost, payment, { do: 'process' }, as)).status).toBe(200)
  await store.advance('6d')
  expect((await getOrder(due.invoice_id)).status).toBe('pending')
  await simulate(tradepost, payment, { do: 'pay' }, as)
  expect((await getOrder(due.invoice_id)).status).toMatch(/^(paid|completed)$/)
  expect((await getSubscription(subscriptionId)).status).toBe('active')
  await store.expectNoFindings()
})

test('a clock that is moved by days does not stop at every hourly question', async () => {
  const { tradepost, as, play } = await open()
  await play({ do: 'process' })
  const statements = await tradepost.statements(() =>
    tradepost.post('/account/test-clock', { advance: '5d' }, as),
  )
  const claims = statements.filter((text) => text.includes('set checks = p.checks + 1'))
  expect(claims.length).toBeLessThan(20)
})

test('a provider is asked after 1, 2, 5, 15 and 30 minutes, then every hour (decision 453)', async () => {
  const { tradepost, as, play, payment } = await open()
  const checksAfter = async (minutes: number) => {
    const row = await tradepost.db
      .selectFrom('payment')
      .select(['check_at', 'created_at'])
      .where('id', '=', payment.id)
      .executeTakeFirstOrThrow()
    const wait_ms = Date.parse(row.check_at ?? '') - Date.parse(row.created_at)
    expect(wait_ms / MINUTE_MS).toBe(minutes)
  }
  await tradepost.patch('/account/settings', { order_expiry_minutes: 10_080 }, as)
  await play({ do: 'process' })
  await checksAfter(1)
  for (const [advance, next] of [
    ['60s', 2],
    ['60s', 5],
    ['180s', 15],
    ['600s', 30],
    ['900s', 90],
    ['3600s', 150],
  ] as const) {
    await tradepost.post('/account/test-clock', { advance }, as)
    await checksAfter(next)
  }
})
