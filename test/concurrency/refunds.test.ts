import { expect, test } from 'vitest'
import { keysNamed, orderOf } from '../build.ts'
import { call, insist } from '../process/client.ts'
import { sharedRaceStore } from './market-for-all.ts'
import { countersOf, eventCounts, putOnSale } from './put-on-sale.ts'

const raceStore = sharedRaceStore()

test('of 20 refunds of 300 at once on 1000 paid three are recorded, each with its event', async (context) => {
  const tradepost = await raceStore.openStoreFixture(context)
  const [target] = tradepost.targets
  const game = await putOnSale(tradepost, keysNamed('REFUND-ABCDEFGH', 1))
  const made = await insist(target, '/orders', orderOf(game.id, { mark_paid: true }), 'order')
  const { id } = made.json.order
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      insist(target, `/orders/${id}/refund`, { amount_cents: 300 }, `refund-${n}`),
    ),
  )
  const codes = replies.map(({ status, json }) => json.code ?? status)
  expect(codes.filter((code) => code === 201)).toHaveLength(3)
  expect(codes.filter((code) => code === 'REFUND_EXCEEDS_PAID')).toHaveLength(17)
  const { json } = await call(target, 'GET', `/orders/${id}`)
  expect(json.order).toMatchObject({ status: 'completed', refunded_cents: 900 })
  expect(await eventCounts(tradepost)).toMatchObject({ 'order.refunded': 3 })
})

test('refunds of a cancelled order and of a free one, all at once, give back the paid amount and no more (decision 123)', async (context) => {
  const tradepost = await raceStore.openStoreFixture(context)
  const [target] = tradepost.targets
  const game = await putOnSale(tradepost, keysNamed('ENDED-ABCDEFGH', 2))
  const { json: unpaid } = await insist(target, '/orders', orderOf(game.id), 'ended-order')
  const { id } = unpaid.order
  await insist(target, `/orders/${id}/manual-payments`, { amount_cents: 400 }, 'ended-payment')
  await insist(target, `/orders/${id}/cancel`, {}, 'ended-cancel')
  const coupon = { type: 'percentage', discount_percent: 100, code: 'NOTHING' }
  await insist(target, '/coupons', coupon, 'ended-coupon')
  const body = orderOf(game.id, { coupon_code: 'NOTHING' })
  const { json: free } = await insist(target, '/orders', body, 'ended-free')

  const codesOf = (order: string, amount_cents: number) =>
    Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        const path = `/orders/${order}/refund`
        const { status, json } = await insist(target, path, { amount_cents }, `${order}-${n}`)
        return json.code ?? status
      }),
    )
  const [ended, nothing] = await Promise.all([codesOf(id, 150), codesOf(free.order.id, 0)])
  expect(ended.filter((code) => code === 201)).toHaveLength(2)
  expect(nothing.filter((code) => code === 201)).toHaveLength(1)
  expect(new Set([...ended, ...nothing])).toEqual(new Set([201, 'REFUND_EXCEEDS_PAID']))
  const { json } = await call(target, 'GET', `/orders/${id}`)
  expect(json.order).toMatchObject({ status: 'cancelled', refunded_cents: 300 })
  expect(await eventCounts(tradepost)).toMatchObject({ 'order.refunded': 3 })
  await raceStore.expectSweepClean()
})

test('orders that are bought and refunded into stock at once leave every key sold once or there', async (context) => {
  const tradepost = await raceStore.openStoreFixture(context)
  const [target] = tradepost.targets
  const a = await putOnSale(tradepost, keysNamed('ROUND-AAAAAAAA', 10))
  const b = await putOnSale(tradepost, keysNamed('ROUND-BBBBBBBB', 10))
  const visits = await Promise.all(
    Array.from({ length: 40 }, async (_, n) => {
      const items = (n % 2 === 0 ? [a, b] : [b, a]).map(({ id }) => ({
        product_id: id,
        quantity: 1,
      }))
      const customer = { email: `buyer-${n % 5}@example.com` }
      const body = { items, customer, mark_paid: true }
      const made = await insist(target, '/orders', body, `order-${n}`)
      if (made.status !== 201 || n % 3 !== 0) return made.json.code ?? 'kept'
      const { id } = made.json.order
      const back = await insist(target, `/orders/${id}/refund`, { restock: true }, `refund-${n}`)
      return back.json.order?.status ?? back.text
    }),
  )
  expect(new Set(visits)).toEqual(new Set(['kept', 'refunded', 'OUT_OF_STOCK']))
  const kept = visits.filter((visit) => visit === 'kept').length
  for (const { variantId } of [a, b]) {
    expect(await countersOf(tradepost, variantId)).toMatchObject({
      on_hand: 10 - kept,
      reserved: 0,
    })
  }
  await raceStore.expectSweepClean()
})
