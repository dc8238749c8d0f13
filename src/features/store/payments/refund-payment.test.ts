import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { order, product, zone } from '../../../../test/build.ts'
import type { Json } from '../../../../test/harness.ts'
import {
  paidThroughProvider,
  playIn,
  startedOrder,
  startPayment,
} from '../../../../test/provider-payments.ts'
import { openForEachTest, type StoreWithClock } from '../../../../test/store-with-clock.ts'

let store: StoreWithClock

openForEachTest((opened) => {
  store = opened
})

const ADDRESS = { name: 'Ada', line1: 'Street 1', city: 'Berlin', country: 'DE' }

const play = (started: { payment: Json }, body: Json) => playIn(store, started, body)
const paidOrder = (fields: Json = {}) => paidThroughProvider(store, fields)
const refund = (id: string, body: Json = {}, options: Json = {}) =>
  store.tradepost.post(`/orders/${id}/refund`, body, { ...store.as, ...options })
const refresh = async ({ order_id, id }: Json): Promise<Json> =>
  (await store.tradepost.post(`/orders/${order_id}/payments/${id}/refresh`, undefined, store.as))
    .json
const amountsOf = (refunds: Json[]) =>
  refunds.map(({ payment_id, amount_cents, status }) => [payment_id, amount_cents, status])

/** Creates an order of 1000 that two payments of the provider have paid in halves. */
async function paidInHalves(): Promise<{ order: Json; payments: Json[] }> {
  const started = await startedOrder(store.tradepost, {}, store.as)
  await play(started, { do: 'pay_part' })
  const second = await startPayment(store.tradepost, started.order.id, store.as)
  const { order } = await play({ payment: second }, { do: 'pay' })
  await store.tradepost.events()
  return { order, payments: [started.payment, second] }
}

/** Sells a physical product through the provider, and receives its return. */
async function receivedReturn(): Promise<{ order: Json; payment: Json; id: number }> {
  const { tradepost, as } = store
  const { id, variantId } = await product(tradepost, { type: 'physical' }, as)
  await tradepost.patch(`/products/${id}/variants/${variantId}/stock`, { quantity: 1 }, as)
  const { rates } = await zone(tradepost, {}, as)
  const shipping = { shipping_address: ADDRESS, shipping_rate_id: rates[0].id }
  const unpaid = await order(tradepost, id, shipping, as)
  const payment = await startPayment(tradepost, unpaid.id, as)
  await play({ payment }, { do: 'pay' })
  const [item] = unpaid.items
  const items = [{ order_item_id: item.id, quantity: 1 }]
  const { json } = await tradepost.post('/returns', { order_id: unpaid.id, items }, as)
  await tradepost.post(`/returns/${json.return.id}/approve`, undefined, as)
  const received = { items: [{ order_item_id: item.id, received_quantity: 1 }] }
  await tradepost.post(`/returns/${json.return.id}/receive`, received, as)
  return { order: unpaid, payment, id: json.return.id }
}

/** Runs an act while each refund fails at the provider. */
async function whileProviderIsAway<T>(act: () => Promise<T>): Promise<T> {
  const { db } = store.tradepost
  await sql`alter table test_refund rename to test_refund_away`.execute(db)
  try {
    return await act()
  } finally {
    await sql`alter table test_refund_away rename to test_refund`.execute(db)
  }
}

describe('a refund of a payment through a provider', () => {
  test('goes back through the provider, and ends the order', async () => {
    const { order, payment } = await paidOrder()
    const { status, json } = await refund(order.id, { reason: 'duplicate', note: 'Paid twice.' })
    expect(status).toBe(201)
    expect(json.refund).toMatchObject({
      status: 'succeeded',
      source: 'seller',
      amount_cents: 1000,
      payment_id: payment.id,
      external_id: expect.stringMatching(/^tre_/),
      failure: null,
      reason: 'duplicate',
      note: 'Paid twice.',
      actor: { type: 'api_key' },
    })
    expect(json.refunds).toEqual([json.refund])
    expect(json.order).toMatchObject({
      status: 'refunded',
      refund_status: 'full',
      refunded_cents: 1000,
      refunds: [json.refund],
      payments: [{ id: payment.id, status: 'succeeded', refunded_cents: 1000 }],
    })
    expect(json.order.deliveries[0].status).toBe('revoked')
    expect(await store.tradepost.events()).toEqual(['order.refunded'])
    const [event] = (await store.tradepost.payloads('order.refunded')).slice(-1)
    expect(event.data.object.refund).toMatchObject({ id: json.refund.id, amount: 10 })
    await store.expectNoFindings()
  })

  test('of a part leaves the rest at the provider, and restocks with the last part', async () => {
    const { order, payment } = await paidOrder()
    const part = await refund(order.id, { amount_cents: 300 })
    expect(part.json.order).toMatchObject({ status: 'completed', refund_status: 'partial' })
    expect(part.json.order.payments[0].refunded_cents).toBe(300)
    const tooMuch = await refund(order.id, { amount_cents: 701 })
    expect([tooMuch.status, tooMuch.json.code]).toEqual([422, 'REFUND_EXCEEDS_PAID'])
    const rest = await refund(order.id, { restock: true })
    expect(rest.json.order).toMatchObject({ status: 'refunded', refunded_cents: 1000 })
    expect(rest.json.refund).toMatchObject({ restock: true, payment_id: payment.id })
    expect(await store.tradepost.events()).toEqual([
      'order.refunded',
      'order.refunded',
      'product.restocked',
    ])
    await store.expectNoFindings()
  })

  test('is split over payments, the newest first', async () => {
    const { order, payments } = await paidInHalves()
    const [older, newer] = payments
    const { json } = await refund(order.id, { amount_cents: 700 })
    expect(amountsOf(json.refunds)).toEqual([
      [newer?.id, 500, 'succeeded'],
      [older?.id, 200, 'succeeded'],
    ])
    expect(json.refund).toEqual(json.refunds[0])
    expect(json.order).toMatchObject({ refunded_cents: 700, refund_status: 'partial' })
    expect(await store.tradepost.events()).toEqual(['order.refunded', 'order.refunded'])
    expect(amountsOf((await refund(order.id)).json.refunds)).toEqual([
      [older?.id, 300, 'succeeded'],
    ])
    expect((await store.getOrder(order.id)).status).toBe('refunded')
    await store.expectNoFindings()
  })

  test('records the parts that were paid in other ways, and returns credit to the balance', async () => {
    const { tradepost, as } = store
    const started = await startedOrder(tradepost, {}, as)
    const { id, customer } = started.order
    await store.setBalance(customer.email, 200)
    await tradepost.post(`/orders/${id}/balance-payments`, {}, as)
    await tradepost.post(`/orders/${id}/manual-payments`, { amount_cents: 300 }, as)
    const payment = await startPayment(tradepost, id, as)
    await play({ payment }, { do: 'pay' })
    const { json } = await refund(id)
    expect(amountsOf(json.refunds)).toEqual([
      [payment.id, 500, 'succeeded'],
      [null, 500, 'succeeded'],
    ])
    expect(json.order).toMatchObject({ status: 'refunded', refunded_cents: 1000 })
    const { json: shown } = await tradepost.get(`/customers/${customer.id}`, as)
    expect(shown.customer.balance_cents).toBe(200)
    await store.expectNoFindings()
  })

  test('by line names the units of each payment once', async () => {
    const { order } = await paidInHalves()
    const [item] = order.items
    const lines = [{ order_item_id: item.id, quantity: 1 }]
    const { json } = await refund(order.id, { items: lines })
    expect(json.refunds.map(({ items }: Json) => items)).toEqual([
      [{ order_item_id: item.id, quantity: 1, amount_cents: 500 }],
      [{ order_item_id: item.id, quantity: 0, amount_cents: 500 }],
    ])
    const again = await refund(order.id, { items: lines })
    expect([again.status, again.json.details.field]).toEqual([422, 'items[0].quantity'])
  })

  test('to the balance asks no provider', async () => {
    const { order, payment } = await paidOrder()
    const { json } = await refund(order.id, { to_balance: true })
    expect(json.refund).toMatchObject({ status: 'succeeded', payment_id: null, external_id: null })
    expect((await refresh(payment)).payment.refunded_cents).toBe(0)
    await store.expectNoFindings()
  })

  test('is only recorded if the provider is not connected any more', async () => {
    const { order, payment } = await paidOrder()
    await store.tradepost.delete('/account/payment-providers/test?force=true', store.as)
    const { json } = await refund(order.id)
    expect(json.refund).toMatchObject({
      status: 'succeeded',
      payment_id: payment.id,
      external_id: null,
    })
    expect(json.order.status).toBe('refunded')
    await store.expectNoFindings()
  })

  test('is repeated with an Idempotency-Key with the bytes of the finished answer', async () => {
    const { order } = await paidOrder()
    const key = { headers: { 'idempotency-key': 'refund-once' } }
    const answer = await refund(order.id, { amount_cents: 400 }, key)
    expect(answer.json.refund.status).toBe('succeeded')
    const repeated = await refund(order.id, { amount_cents: 400 }, key)
    expect(repeated.text).toBe(answer.text)
    expect((await store.getOrder(order.id)).refunded_cents).toBe(400)
    expect(await store.tradepost.events()).toEqual(['order.refunded'])
  })

  test('of a return goes back through the provider', async () => {
    const { order: sold, payment, id } = await receivedReturn()
    const { json: refunded } = await store.tradepost.post(`/returns/${id}/refund`, {}, store.as)
    const after = await store.getOrder(sold.id)
    expect(after.refunds).toMatchObject([
      { id: refunded.return.refund_id, payment_id: payment.id, status: 'succeeded' },
    ])
    await store.expectNoFindings()
  })

  test('of a return that the provider refuses leaves the return received', async () => {
    const { payment, id } = await receivedReturn()
    const outside = { do: 'refund_outside', amount_cents: 1_000, callback: 'never' }
    await play({ payment }, outside)
    const { status, json } = await store.tradepost.post(`/returns/${id}/refund`, {}, store.as)
    expect(status).toBe(200)
    expect(json.return).toMatchObject({
      status: 'received',
      refund_id: null,
      refund_amount_cents: null,
      closed_at: null,
    })
    await store.expectNoFindings()
  })

  test('that was made at the provider while it was not connected is not counted again', async () => {
    const { order, payment } = await paidOrder()
    const path = '/account/payment-providers/test'
    await store.tradepost.delete(path, store.as)
    await refund(order.id, { amount_cents: 300 })
    await store.tradepost.put(path, {}, store.as)
    const { order: after } = await play({ payment }, { do: 'refund_outside', amount_cents: 300 })
    expect(after).toMatchObject({
      refunded_cents: 300,
      refunds: [{ source: 'seller', external_id: expect.stringMatching(/^tre_/) }],
    })
    await store.expectNoFindings()
  })
})

describe('a provider that cannot be asked', () => {
  test('leaves the refund pending, holds its amount, and is asked again until it has made it once', async () => {
    const { order, payment } = await paidOrder()
    const { status, json } = await whileProviderIsAway(() =>
      refund(order.id, { amount_cents: 600 }),
    )
    expect(status).toBe(201)
    expect(json.refund).toMatchObject({
      status: 'pending',
      payment_id: payment.id,
      external_id: null,
    })
    expect(json.order).toMatchObject({
      status: 'completed',
      refund_status: 'none',
      refunded_cents: 0,
      refunds: [json.refund],
    })
    expect(await store.tradepost.events()).toEqual([])
    const tooMuch = await refund(order.id, { amount_cents: 401 })
    expect(tooMuch.json).toMatchObject({
      code: 'REFUND_EXCEEDS_PAID',
      details: { available: 400 },
    })
    await store.advance('2m')
    const after = await store.getOrder(order.id)
    expect(after).toMatchObject({ refund_status: 'partial', refunded_cents: 600 })
    expect(after.refunds).toEqual([
      {
        ...json.refund,
        status: 'succeeded',
        external_id: expect.stringMatching(/^tre_/),
        created_at: expect.any(String),
      },
    ])
    await store.advance('3d')
    expect((await store.getOrder(order.id)).refunded_cents).toBe(600)
    expect(await store.tradepost.events()).toEqual(['order.refunded'])
    await store.expectNoFindings()
  })

  test('ends the order when the last pending part has gone back', async () => {
    const { order } = await paidOrder()
    await whileProviderIsAway(async () => {
      await refund(order.id, { amount_cents: 600 })
      await refund(order.id)
    })
    await store.advance('2m')
    const after = await store.getOrder(order.id)
    expect(after).toMatchObject({ status: 'refunded', refunded_cents: 1000 })
    expect(after.deliveries[0].status).toBe('revoked')
    expect(await store.tradepost.events()).toEqual(['order.refunded', 'order.refunded'])
    await store.expectNoFindings()
  })

  test('that is away lets units be delivered until it confirms their refund (decision 185)', async () => {
    const { tradepost, as } = store
    const { id: product_id } = await product(tradepost, { type: 'service' }, as)
    const unpaid = await order(tradepost, product_id, { items: [{ product_id, quantity: 2 }] }, as)
    await play({ payment: await startPayment(tradepost, unpaid.id, as) }, { do: 'pay' })
    const items = [{ order_item_id: unpaid.items[0].id, quantity: 1 }]
    const { json } = await whileProviderIsAway(() => refund(unpaid.id, { items }))
    expect(json.order.items[0].cancelled_quantity).toBe(0)
    await store.advance('2m')
    expect((await store.getOrder(unpaid.id)).items[0].cancelled_quantity).toBe(1)
    await store.expectNoFindings()
  })

  test('that refuses a refund is asked about the payment, whose money may have gone back already', async () => {
    const { order, payment } = await paidOrder()
    await play({ payment }, { do: 'refund_outside', callback: 'never' })
    const { status, json } = await refund(order.id)
    expect(status).toBe(201)
    expect(json.refund).toMatchObject({
      status: 'failed',
      failure: { code: 'amount_too_large', message: expect.any(String) },
    })
    expect(json.order).toMatchObject({
      status: 'refunded',
      refunded_cents: 1000,
      refunds: [{ status: 'failed' }, { status: 'succeeded', source: 'provider' }],
    })
    expect(await store.tradepost.events()).toEqual(['order.refunded'])
    await store.expectNoFindings()
  })

  test('keeps room for a pending refund, even if more goes back there than the order can record', async () => {
    const { order, payment } = await paidOrder()
    await refund(order.id, { amount_cents: 400, to_balance: true })
    await whileProviderIsAway(() => refund(order.id, { amount_cents: 600 }))
    const nothing = await refund(order.id)
    expect(nothing.json).toMatchObject({
      error: expect.stringContaining('Wait for the provider.'),
      details: { available: 0 },
    })
    await play({ payment }, { do: 'refund_outside', amount_cents: 400 })
    expect((await store.getOrder(order.id)).refunded_cents).toBe(400)
    await store.advance('2m')
    const after = await store.getOrder(order.id)
    expect(after).toMatchObject({ status: 'refunded', refunded_cents: 1000 })
    expect(amountsOf(after.refunds)).toEqual([
      [null, 400, 'succeeded'],
      [payment.id, 600, 'succeeded'],
    ])
    await store.expectNoFindings()
  })

  test('does not keep store credit from going back to the balance', async () => {
    const { tradepost, as } = store
    const started = await startedOrder(tradepost, {}, as)
    const { id, customer } = started.order
    await store.setBalance(customer.email, 400)
    await tradepost.post(`/orders/${id}/balance-payments`, {}, as)
    const payment = await startPayment(tradepost, id, as)
    await play({ payment }, { do: 'pay' })
    await whileProviderIsAway(async () => {
      await refund(id, { amount_cents: 600 })
      await refund(id, { amount_cents: 400 })
    })
    const { json } = await tradepost.get(`/customers/${customer.id}`, as)
    expect(json.customer.balance_cents).toBe(400)
  })

  test('adds the items to stock with the refund that it confirms last', async () => {
    const { order, payment } = await paidOrder()
    await whileProviderIsAway(async () => {
      await refund(order.id, { amount_cents: 600 })
      await refund(order.id, { restock: true })
    })
    await store.advance('2m')
    const after = await store.getOrder(order.id)
    expect(after).toMatchObject({ status: 'refunded', payments: [{ id: payment.id }] })
    expect(after.refunds.at(-1).restock).toBe(true)
    expect(await store.tradepost.events()).toContain('product.restocked')
    await store.expectNoFindings()
  })
})
