import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { expireOrdersJob } from '../../src/features/store/payments/index.ts'
import { keysNamed, orderOf } from '../build.ts'
import { call, postUntilAnswered } from '../process/client.ts'
import { countersOf, eventCounts, putOnSale } from './put-on-sale.ts'
import { sharedDatabase } from './shared-database.ts'

const database = sharedDatabase()

test('of 20 concurrent refunds of 300 cents, an order of 1,000 cents accepts three, each with its event', async (context) => {
  const tradepost = await database.openStore(context)
  const [target] = tradepost.targets
  const game = await putOnSale(tradepost, keysNamed('REFUND-ABCDEFGH', 1))
  const created = await postUntilAnswered(
    target,
    '/orders',
    orderOf(game.id, { mark_paid: true }),
    'order',
  )
  const { id } = created.json.order
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      postUntilAnswered(target, `/orders/${id}/refund`, { amount_cents: 300 }, `refund-${n}`),
    ),
  )
  const codes = replies.map(({ status, json }) => json.code ?? status)
  expect(codes.filter((code) => code === 201)).toHaveLength(3)
  expect(codes.filter((code) => code === 'REFUND_EXCEEDS_PAID')).toHaveLength(17)
  const { json } = await call(target, 'GET', `/orders/${id}`)
  expect(json.order).toMatchObject({ status: 'completed', refunded_cents: 900 })
  expect(await eventCounts(tradepost)).toMatchObject({ 'order.refunded': 3 })
  await database.expectNoFaults()
})

test('concurrent refunds of a cancelled order and of a free order return no more than was paid (decision 123)', async (context) => {
  const tradepost = await database.openStore(context)
  const [target] = tradepost.targets
  const game = await putOnSale(tradepost, keysNamed('ENDED-ABCDEFGH', 2))
  const { json: unpaid } = await postUntilAnswered(
    target,
    '/orders',
    orderOf(game.id),
    'ended-order',
  )
  const { id } = unpaid.order
  await postUntilAnswered(
    target,
    `/orders/${id}/manual-payments`,
    { amount_cents: 400 },
    'ended-payment',
  )
  await postUntilAnswered(target, `/orders/${id}/cancel`, {}, 'ended-cancel')
  const coupon = { type: 'percentage', discount_percent: 100, code: 'NOTHING' }
  await postUntilAnswered(target, '/coupons', coupon, 'ended-coupon')
  const body = orderOf(game.id, { coupon_code: 'NOTHING' })
  const { json: free } = await postUntilAnswered(target, '/orders', body, 'ended-free')

  const refundConcurrently = (orderId: string, amount_cents: number) =>
    Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        const path = `/orders/${orderId}/refund`
        const { status, json } = await postUntilAnswered(
          target,
          path,
          { amount_cents },
          `${orderId}-${n}`,
        )
        return json.code ?? status
      }),
    )
  const [cancelledCodes, freeCodes] = await Promise.all([
    refundConcurrently(id, 150),
    refundConcurrently(free.order.id, 0),
  ])
  expect(cancelledCodes.filter((code) => code === 201)).toHaveLength(2)
  expect(freeCodes.filter((code) => code === 201)).toHaveLength(1)
  expect(new Set([...cancelledCodes, ...freeCodes])).toEqual(new Set([201, 'REFUND_EXCEEDS_PAID']))
  const { json } = await call(target, 'GET', `/orders/${id}`)
  expect(json.order).toMatchObject({ status: 'cancelled', refunded_cents: 300 })
  expect(await eventCounts(tradepost)).toMatchObject({ 'order.refunded': 3 })
  await database.expectNoFaults()
})

test('concurrent purchases and refunds with restock leave every stock key either sold once or available', async (context) => {
  const tradepost = await database.openStore(context)
  const [target] = tradepost.targets
  const firstGame = await putOnSale(tradepost, keysNamed('ROUND-AAAAAAAA', 10))
  const secondGame = await putOnSale(tradepost, keysNamed('ROUND-BBBBBBBB', 10))
  const outcomes = await Promise.all(
    Array.from({ length: 40 }, async (_, n) => {
      const items = (n % 2 === 0 ? [firstGame, secondGame] : [secondGame, firstGame]).map(
        ({ id }) => ({
          product_id: id,
          quantity: 1,
        }),
      )
      const customer = { email: `buyer-${n % 5}@example.com` }
      const body = { items, customer, mark_paid: true }
      const created = await postUntilAnswered(target, '/orders', body, `order-${n}`)
      if (created.status !== 201 || n % 3 !== 0) return created.json.code ?? 'completed'
      const { id } = created.json.order
      const refunded = await postUntilAnswered(
        target,
        `/orders/${id}/refund`,
        { restock: true },
        `refund-${n}`,
      )
      return refunded.json.order?.status ?? refunded.text
    }),
  )
  expect(new Set(outcomes)).toEqual(new Set(['completed', 'refunded', 'OUT_OF_STOCK']))
  const completedCount = outcomes.filter((outcome) => outcome === 'completed').length
  for (const { variantId } of [firstGame, secondGame]) {
    expect(await countersOf(tradepost, variantId)).toMatchObject({
      on_hand: 10 - completedCount,
      reserved: 0,
    })
  }
  await database.expectNoFaults()
})

test('concurrent cancellations and the expiry of part-paid orders return their store credit once (decision 180)', async (context) => {
  const tradepost = await database.openStore(context)
  const [target] = tradepost.targets
  const games = [
    await putOnSale(tradepost, keysNamed('CREDIT-AAAAAAAA', 12)),
    await putOnSale(tradepost, keysNamed('CREDIT-BBBBBBBB', 12)),
  ]
  const customers = await Promise.all(
    ['ada', 'grace', 'alan'].map(async (name) => {
      const email = `${name}@example.com`
      const { json } = await postUntilAnswered(target, '/customers', { email }, name)
      const path = `/customers/${json.customer.id}/balance`
      await postUntilAnswered(
        target,
        path,
        { amount_cents: 400, reason: 'A gift.' },
        `${name}-gift`,
      )
      return { id: json.customer.id, email }
    }),
  )
  const orderIds: string[] = []
  for (const customer of customers) {
    for (const sequence of [games, games.toReversed(), games, games.toReversed()]) {
      const items = sequence.map(({ id }) => ({ product_id: id, quantity: 1 }))
      const key = `credit-${orderIds.length}`
      const { json } = await postUntilAnswered(
        target,
        '/orders',
        { items, customer: { email: customer.email } },
        key,
      )
      const { id } = json.order
      await postUntilAnswered(
        target,
        `/orders/${id}/balance-payments`,
        { amount_cents: 100 },
        `${key}-payment`,
      )
      orderIds.push(id)
    }
  }
  await sql`update "order" set expires_at = created_at where store_id = ${tradepost.storeId}`.execute(
    tradepost.app.db,
  )
  const cancellations = orderIds.flatMap((id, index) =>
    Array.from({ length: 3 }, (_, n) =>
      postUntilAnswered(target, `/orders/${id}/cancel`, {}, `cancel-${index}-${n}`),
    ),
  )
  const [replies] = await Promise.all([
    Promise.all(cancellations),
    expireOrdersJob.run(tradepost.app),
    expireOrdersJob.run(tradepost.app),
  ])
  expect(new Set(replies.map(({ status, json }) => json.code ?? status))).toEqual(
    new Set([200, 'INVALID_STATE']),
  )
  for (const { id } of customers) {
    const { json } = await call(target, 'GET', `/customers/${id}/balance-entries?limit=100`)
    const returned = json.balance_entries.filter(
      ({ reason }: { reason: string }) => reason === 'order_ended',
    )
    expect([returned.length, json.balance_entries[0].balance_cents]).toEqual([4, 400])
  }
  for (const id of orderIds) {
    const { json } = await call(target, 'GET', `/orders/${id}`)
    expect([json.order.refunds.length, json.order.refund_status]).toEqual([1, 'full'])
  }
  const counts = await eventCounts(tradepost)
  expect(counts['order.refunded']).toBe(orderIds.length)
  expect((counts['order.cancelled'] ?? 0) + (counts['order.expired'] ?? 0)).toBe(orderIds.length)
  await database.expectNoFaults()
})
