import { expect, test } from 'vitest'
import { keysNamed, orderOf } from '../build.ts'
import { call, insist } from '../process/client.ts'
import { marketForAll } from './market-for-all.ts'
import { countersOf, eventCounts, putOnSale } from './shelf.ts'

const market = marketForAll()

test('of 20 refunds of 300 at once on 1000 paid three are recorded, each with its event', async (context) => {
  const shop = await market.openShop(context)
  const [door] = shop.doors
  const game = await putOnSale(shop, keysNamed('REFUND-ABCDEFGH', 1))
  const made = await insist(door, '/orders', orderOf(game.id, { mark_paid: true }), 'order')
  const { id } = made.json.order
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      insist(door, `/orders/${id}/refund`, { amount_cents: 300 }, `refund-${n}`),
    ),
  )
  const codes = replies.map(({ status, json }) => json.code ?? status)
  expect(codes.filter((code) => code === 201)).toHaveLength(3)
  expect(codes.filter((code) => code === 'REFUND_EXCEEDS_PAID')).toHaveLength(17)
  const { json } = await call(door, 'GET', `/orders/${id}`)
  expect(json.order).toMatchObject({ status: 'completed', refunded_cents: 900 })
  expect(await eventCounts(shop)).toMatchObject({ 'order.refunded': 3 })
}, 60_000)

test('orders that are bought and refunded into stock at once leave every key sold once or there', async (context) => {
  const shop = await market.openShop(context)
  const [door] = shop.doors
  const a = await putOnSale(shop, keysNamed('ROUND-AAAAAAAA', 10))
  const b = await putOnSale(shop, keysNamed('ROUND-BBBBBBBB', 10))
  const visits = await Promise.all(
    Array.from({ length: 40 }, async (_, n) => {
      const items = (n % 2 === 0 ? [a, b] : [b, a]).map(({ id }) => ({
        product_id: id,
        quantity: 1,
      }))
      const customer = { email: `buyer-${n % 5}@example.com` }
      const body = { items, customer, mark_paid: true }
      const made = await insist(door, '/orders', body, `order-${n}`)
      if (made.status !== 201 || n % 3 !== 0) return made.json.code ?? 'kept'
      const { id } = made.json.order
      const back = await insist(door, `/orders/${id}/refund`, { restock: true }, `refund-${n}`)
      return back.json.order?.status ?? back.text
    }),
  )
  expect(new Set(visits)).toEqual(new Set(['kept', 'refunded', 'OUT_OF_STOCK']))
  const kept = visits.filter((visit) => visit === 'kept').length
  for (const { variantId } of [a, b]) {
    expect(await countersOf(shop, variantId)).toMatchObject({ on_hand: 10 - kept, reserved: 0 })
  }
  await market.expectSweepClean()
}, 60_000)
