import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { keysNamed, order, product } from '../../../../test/build.ts'
import { createSeller } from '../../../../test/client-security/seller.ts'
import { expectSuccess, type Json } from '../../../../test/harness.ts'
import {
  paidThroughProvider,
  playIn,
  startedOrder,
  startPayment,
} from '../../../../test/provider-payments.ts'
import { openForEachTest, type StoreWithClock } from '../../../../test/store-with-clock.ts'
import { subscriptionOf, subscriptionProduct } from '../../../../test/subscribe.ts'

let store: StoreWithClock

openForEachTest((opened) => {
  store = opened
})

const play = (started: { payment: Json }, body: Json) => playIn(store, started, body)
const paidOrder = (fields: Json = {}) => paidThroughProvider(store, fields)
const refund = (id: string, body: Json = {}) =>
  store.tradepost.post(`/orders/${id}/refund`, body, store.as)

describe('a disputed payment', () => {
  test('puts its order on hold, and still counts as paid', async () => {
    const paid = await paidOrder()
    const { payment, order: after } = await play(paid, { do: 'dispute', callback: 'twice' })
    expect(payment).toMatchObject({
      status: 'disputed',
      dispute: {
        id: expect.any(String),
        status: 'open',
        reason: 'fraudulent',
        amount_cents: 1000,
        due_at: expect.any(String),
        fee_cents: null,
      },
    })
    expect(after).toMatchObject({
      status: 'completed',
      paid_cents: 1000,
      refunded_cents: 0,
      hold: { reason: 'dispute', since: expect.any(String) },
    })
    expect(await store.tradepost.events()).toEqual([])
    await store.expectNoFindings()
  })

  test('that is won counts as before, and its order is released', async () => {
    const paid = await paidOrder()
    await play(paid, { do: 'dispute' })
    const { payment, order: after } = await play(paid, { do: 'win' })
    expect(payment).toMatchObject({ status: 'succeeded', dispute: { status: 'won' } })
    expect(after).toMatchObject({ status: 'completed', hold: null })
    expect((await refund(after.id)).json.refund.status).toBe('succeeded')
    await store.expectNoFindings()
  })

  test('that is lost is refunded once, and its deliveries are revoked', async () => {
    const paid = await paidOrder()
    await play(paid, { do: 'dispute' })
    const { payment, order: after } = await play(paid, { do: 'lose', callback: 'twice' })
    expect(payment).toMatchObject({
      status: 'disputed',
      refunded_cents: 1000,
      dispute: { status: 'lost', fee_cents: 0 },
    })
    expect(after).toMatchObject({
      status: 'refunded',
      refund_status: 'full',
      refunds: [
        {
          source: 'dispute',
          status: 'succeeded',
          amount_cents: 1000,
          payment_id: payment.id,
          external_id: payment.dispute.id,
        },
      ],
    })
    expect(after.deliveries[0].status).toBe('revoked')
    expect(await store.tradepost.events()).toEqual(['order.refunded'])
    await store.expectNoFindings()
  })

  test('of a part that is lost refunds that part, and the order stays on hold', async () => {
    const paid = await paidOrder()
    await play(paid, { do: 'dispute', amount_cents: 400 })
    const { order: after } = await play(paid, { do: 'lose' })
    expect(after).toMatchObject({
      status: 'completed',
      refunded_cents: 400,
      hold: { reason: 'dispute' },
    })
    expect((await refund(after.id)).json.refund.amount_cents).toBe(600)
    await store.expectNoFindings()
  })

  test('whose opening was never reported is lost anyway', async () => {
    const paid = await paidOrder()
    await play(paid, { do: 'dispute', callback: 'never' })
    const { order: after } = await play(paid, { do: 'lose' })
    expect(after).toMatchObject({ status: 'refunded', refunded_cents: 1000 })
    await store.expectNoFindings()
  })

  test('after a refund of a part disputes the rest', async () => {
    const paid = await paidOrder()
    await refund(paid.order.id, { amount_cents: 300 })
    const { payment } = await play(paid, { do: 'dispute' })
    expect(payment.dispute.amount_cents).toBe(700)
    const { order: after } = await play(paid, { do: 'lose' })
    expect(after).toMatchObject({ status: 'refunded', refunded_cents: 1000 })
    await store.expectNoFindings()
  })

  test('after a refund of everything cannot be invented', async () => {
    const paid = await paidOrder()
    await refund(paid.order.id)
    expect((await play(paid, { do: 'dispute' })).code).toBe('INVALID_STATE')
  })

  test('is decided once, and only if it is open', async () => {
    const paid = await paidOrder()
    expect((await play(paid, { do: 'win' })).code).toBe('INVALID_STATE')
    await play(paid, { do: 'dispute' })
    expect((await play(paid, { do: 'win', amount_cents: 5 })).details.field).toBe('amount_cents')
    await play(paid, { do: 'lose' })
    expect((await play(paid, { do: 'win' })).code).toBe('INVALID_STATE')
    expect((await store.getOrder(paid.order.id)).status).toBe('refunded')
  })

  test('of an order that the seller has put on hold does not release it', async () => {
    const paid = await paidOrder()
    await store.tradepost.post(`/orders/${paid.order.id}/hold`, {}, store.as)
    await play(paid, { do: 'dispute' })
    const { order: after } = await play(paid, { do: 'win' })
    expect(after.hold).toMatchObject({ reason: 'manual' })
  })
})

test('money that is disputed before it was noticed delivers nothing until the dispute is won', async () => {
  const keys = keysNamed('DISPUTED', 1)
  const started = await startedOrder(store.tradepost, {}, { ...store.as, keys })
  await play(started, { do: 'pay', callback: 'never' })
  await store.tradepost.events()
  const { order: held } = await play(started, { do: 'dispute' })
  expect(held).toMatchObject({ status: 'paid', hold: { reason: 'dispute' }, deliveries: [] })
  expect(await store.tradepost.events()).toEqual([])
  const { order: won } = await play(started, { do: 'win' })
  expect(won).toMatchObject({ status: 'completed', hold: null })
  expect(await store.tradepost.events()).toEqual(['order.completed'])
  await store.expectNoFindings()
})

test('an expired order with disputed money is not delivered when it is paid', async () => {
  const keys = keysNamed('LATE', 1)
  const started = await startedOrder(store.tradepost, {}, { ...store.as, keys })
  await store.advance('2d')
  await play(started, { do: 'pay_part' })
  await play(started, { do: 'dispute' })
  await store.pay(started.order.id)
  const after = await store.getOrder(started.order.id)
  expect(after).toMatchObject({ status: 'paid', hold: { reason: 'dispute' }, deliveries: [] })
  await store.expectNoFindings()
})

test('money that a lost dispute took cannot go back at the provider again', async () => {
  const paid = await paidOrder()
  await play(paid, { do: 'dispute', amount_cents: 400 })
  await play(paid, { do: 'lose' })
  const { details } = await play(paid, { do: 'refund_outside', amount_cents: 601 })
  expect(details).toMatchObject({ field: 'amount_cents' })
  const { order: after } = await play(paid, { do: 'refund_outside' })
  expect(after).toMatchObject({ status: 'refunded', refunded_cents: 1000 })
  await store.expectNoFindings()
})

test('a refund here under a dispute that is then lost is counted once', async () => {
  const paid = await paidOrder()
  await refund(paid.order.id, { amount_cents: 250 })
  await play(paid, { do: 'dispute' })
  await play(paid, { do: 'lose', callback: 'never' })
  await store.tradepost.post(
    `/orders/${paid.order.id}/payments/${paid.payment.id}/refresh`,
    undefined,
    store.as,
  )
  const after = await store.getOrder(paid.order.id)
  expect(after).toMatchObject({ status: 'refunded', refunded_cents: 1000, hold: null })
  await store.expectNoFindings()
})

describe('while an order is on hold', () => {
  test('its license keys are banned with the reason, and no other ban is lifted after it', async () => {
    const { tradepost, as } = store
    const { id } = await product(tradepost, { type: 'license' }, as)
    const items = [{ product_id: id, quantity: 3 }]
    const unpaid = await order(tradepost, id, { items }, as)
    const payment = await startPayment(tradepost, unpaid.id, as)
    await play({ payment }, { do: 'pay' })
    const keysOf = async (): Promise<Json[]> => {
      const { rows } = await sql<Json>`
        select id, ban_reason, ban_expires_at, banned_at is not null as is_banned
          from license_key
         where order_id = ${unpaid.id}
         order by id`.execute(tradepost.db)
      return rows
    }
    const [, second, third] = await keysOf()
    const ban = (id: number, body: Json) =>
      sql`update license_key set banned_at = now(), ban_reason = ${body.reason}, ban_expires_at = ${body.until}
           where id = ${id}`.execute(tradepost.db)
    await ban(second?.id, { reason: 'Shared', until: null })
    await ban(third?.id, { reason: 'Pause', until: '2099-01-01T00:00:00.000Z' })
    await play({ payment }, { do: 'dispute' })
    expect(await keysOf()).toMatchObject([
      { ban_reason: 'dispute', is_banned: true, ban_expires_at: null },
      { ban_reason: 'Shared', is_banned: true },
      { ban_reason: 'dispute', is_banned: true, ban_expires_at: null },
    ])
    await play({ payment }, { do: 'win' })
    expect(await keysOf()).toMatchObject([
      { ban_reason: null, is_banned: false },
      { ban_reason: 'Shared', is_banned: true },
      { ban_reason: 'Pause', is_banned: true, ban_expires_at: expect.anything() },
    ])
    await store.expectNoFindings()
  })

  test('a ban that the seller gives a license during the hold stays', async () => {
    const { tradepost, as } = store
    const { id } = await product(tradepost, { type: 'license' }, as)
    const unpaid = await order(tradepost, id, {}, as)
    const payment = await startPayment(tradepost, unpaid.id, as)
    await play({ payment }, { do: 'pay' })
    await play({ payment }, { do: 'dispute' })
    const keysOf = async (): Promise<Json[]> =>
      (
        await sql<Json>`select id, ban_reason from license_key where order_id = ${unpaid.id}`.execute(
          tradepost.db,
        )
      ).rows
    const [key] = await keysOf()
    const seller = await createSeller(tradepost, as.as?.id)
    await expectSuccess(seller.post(`/keys/${key?.id}/unban`))
    await expectSuccess(seller.post(`/keys/${key?.id}/ban`, { reason: 'Shared' }))
    await play({ payment }, { do: 'win' })
    expect(await keysOf()).toMatchObject([{ ban_reason: 'Shared' }])
    await store.expectNoFindings()
  })

  test('its subscription is not renewed, and is renewed when it is released', async () => {
    const { tradepost, as } = store
    const id = await subscriptionProduct(tradepost, {}, {}, as)
    const unpaid = await order(tradepost, id, {}, as)
    const payment = await startPayment(tradepost, unpaid.id, as)
    await play({ payment }, { do: 'pay' })
    await play({ payment }, { do: 'dispute' })
    await store.advance('40d')
    const invoices = async () =>
      (await tradepost.get('/orders?limit=50', as)).json.orders.length as number
    expect(await invoices()).toBe(1)
    await play({ payment }, { do: 'win' })
    await store.advance('1m')
    expect(await invoices()).toBe(2)
    await store.expectNoFindings()
  })

  test('its subscription still ends if it is cancelled', async () => {
    const { tradepost, as } = store
    const id = await subscriptionProduct(tradepost, {}, {}, as)
    const paid = await order(tradepost, id, { mark_paid: true }, as)
    const { id: subscriptionId } = await subscriptionOf(tradepost, paid, as)
    await tradepost.post(`/orders/${paid.id}/hold`, {}, as)
    await tradepost.post(`/subscriptions/${subscriptionId}/cancel`, undefined, as)
    await store.advance('40d')
    expect((await store.getSubscription(subscriptionId)).status).not.toBe('active')
    await store.expectNoFindings()
  })

  test('a license of a subscription that is paid gets its period when it is released', async () => {
    const { tradepost, as } = store
    const id = await subscriptionProduct(tradepost, {}, { type: 'license' }, as)
    const unpaid = await order(tradepost, id, {}, as)
    await tradepost.post(`/orders/${unpaid.id}/hold`, {}, as)
    await store.pay(unpaid.id)
    await tradepost.post(`/orders/${unpaid.id}/release`, undefined, as)
    const { current_period_end } = await subscriptionOf(tradepost, unpaid, as)
    const { rows } = await sql<Json>`
      select expires_at, subscription_id from license_key where order_id = ${unpaid.id}`.execute(
      tradepost.db,
    )
    expect(rows).toEqual([{ expires_at: current_period_end, subscription_id: expect.any(Number) }])
    await store.expectNoFindings()
  })

  test('the license that a disputed renewal extends is banned, until no order of it is on hold', async () => {
    const { tradepost, as } = store
    const id = await subscriptionProduct(tradepost, {}, { type: 'license' }, as)
    const unpaid = await order(tradepost, id, {}, as)
    await play({ payment: await startPayment(tradepost, unpaid.id, as) }, { do: 'pay' })
    await store.advance('32d')
    const { json } = await tradepost.get('/orders?limit=1', as)
    const [renewal] = json.orders
    expect(renewal.id).not.toBe(unpaid.id)
    // The saved method of the first order was charged.
    const [payment] = (await store.getOrder(renewal.id)).payments
    const reasons = async (): Promise<unknown[]> => {
      const { rows } = await sql<Json>`
        select ban_reason from license_key where order_id = ${unpaid.id}`.execute(tradepost.db)
      return rows.map(({ ban_reason }) => ban_reason)
    }
    await play({ payment }, { do: 'dispute' })
    expect(await reasons()).toEqual(['dispute'])
    await tradepost.post(`/orders/${unpaid.id}/hold`, {}, as)
    await play({ payment }, { do: 'win' })
    expect(await reasons()).toEqual(['dispute'])
    await tradepost.post(`/orders/${unpaid.id}/release`, undefined, as)
    expect(await reasons()).toEqual([null])
    await store.expectNoFindings()
  })

  test('a disputed renewal that is lost ends its hold, and its license stays banned', async () => {
    const { tradepost, as } = store
    const id = await subscriptionProduct(tradepost, {}, { type: 'license' }, as)
    const unpaid = await order(tradepost, id, {}, as)
    await play({ payment: await startPayment(tradepost, unpaid.id, as) }, { do: 'pay' })
    await store.advance('32d')
    const [renewal] = (await tradepost.get('/orders?limit=1', as)).json.orders
    // The saved method of the first order was charged.
    const [payment] = (await store.getOrder(renewal.id)).payments
    await play({ payment }, { do: 'dispute' })
    expect((await play({ payment }, { do: 'lose' })).order).toMatchObject({
      status: 'refunded',
      hold: null,
    })
    const { rows } = await sql<Json>`
      select ban_reason, ban_before_hold from license_key where order_id = ${unpaid.id}`.execute(
      tradepost.db,
    )
    expect(rows).toEqual([{ ban_reason: 'dispute', ban_before_hold: null }])
    await store.expectNoFindings()
  })
})
