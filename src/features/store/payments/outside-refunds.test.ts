import { describe, expect, test } from 'vitest'
import { keysNamed } from '../../../../test/build.ts'
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

const play = (started: { payment: Json }, body: Json) => playIn(store, started, body)
const paidOrder = (fields: Json = {}) => paidThroughProvider(store, fields)
const refund = (id: string, body: Json = {}) =>
  store.tradepost.post(`/orders/${id}/refund`, body, store.as)
const refresh = ({ order_id, id }: Json) =>
  store.tradepost.post(`/orders/${order_id}/payments/${id}/refresh`, undefined, store.as)

describe('a refund that was made at the provider', () => {
  test('is recorded once, however often it is reported', async () => {
    const { order, payment } = await paidOrder()
    const { order: after } = await play({ payment }, { do: 'refund_outside', callback: 'twice' })
    expect(after).toMatchObject({ status: 'refunded', refunded_cents: 1000 })
    expect(after.refunds).toMatchObject([
      {
        status: 'succeeded',
        source: 'provider',
        reason: 'other',
        payment_id: payment.id,
        external_id: expect.stringMatching(/^tre_/),
        actor: { type: 'system' },
      },
    ])
    expect(after.deliveries[0].status).toBe('revoked')
    await refresh(payment)
    expect((await store.getOrder(order.id)).refunds).toHaveLength(1)
    expect(await store.tradepost.events()).toEqual(['order.refunded'])
    await store.expectNoFindings()
  })

  test('of a part can be refunded here up to the rest', async () => {
    const { order, payment } = await paidOrder()
    await play({ payment }, { do: 'refund_outside', amount_cents: 250 })
    const more = await play({ payment }, { do: 'refund_outside', amount_cents: 751 })
    expect(more).toMatchObject({ details: { field: 'amount_cents' } })
    const { json } = await refund(order.id)
    expect(json.refund.amount_cents).toBe(750)
    expect(json.order.status).toBe('refunded')
    await store.expectNoFindings()
  })

  test('of an order that is paid in part keeps its status, and the amount is owed again', async () => {
    const started = await startedOrder(store.tradepost, {}, store.as)
    await play(started, { do: 'pay_part' })
    await store.tradepost.events()
    const { order } = await play(started, { do: 'refund_outside' })
    expect(order).toMatchObject({ status: 'partially_paid', paid_cents: 500, refunded_cents: 500 })
    expect(await store.tradepost.events()).toEqual(['order.refunded'])
    const again = await startPayment(store.tradepost, order.id, store.as)
    expect(again.amount_cents).toBe(1000)
    const paid = await play({ payment: again }, { do: 'pay' })
    expect(paid.order).toMatchObject({ status: 'paid', paid_cents: 1500, refunded_cents: 500 })
    await store.expectNoFindings()
  })

  test('is not invented for a payment that nobody has paid', async () => {
    const started = await startedOrder(store.tradepost, {}, store.as)
    const { code } = await play(started, { do: 'refund_outside' })
    expect(code).toBe('INVALID_STATE')
  })
})

test('money that has gone back before it was noticed delivers nothing', async () => {
  const keys = keysNamed('GONE', 1)
  const started = await startedOrder(store.tradepost, {}, { ...store.as, keys })
  await play(started, { do: 'pay', callback: 'never' })
  await store.tradepost.events()
  const { order: after } = await play(started, { do: 'refund_outside' })
  expect(after).toMatchObject({
    status: 'partially_paid',
    paid_cents: 1000,
    refunded_cents: 1000,
    deliveries: [],
  })
  expect(await store.tradepost.events()).toEqual(['order.refunded'])
  await store.expectNoFindings()
})
