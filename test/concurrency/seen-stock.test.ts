import { expect, type TestContext, test } from 'vitest'
import { orderOf } from '../build.ts'
import type { Json } from '../harness.ts'
import { call, postUntilAnswered } from '../process/client.ts'
import { holdTransaction, untilWaiting } from './lock-waits.ts'
import type { ServedStore } from './open-served-database.ts'
import { countersOf, eventCounts } from './put-on-sale.ts'
import { sharedDatabase } from './shared-database.ts'

// An order of a variant with plenty of stock changes counters that it has read without a lock (decision 518).

const database = sharedDatabase()
let tradepost: ServedStore

interface Goods {
  id: string
  variantId: number
  path: string
}

const send = (method: string, path: string, body: Json) =>
  call(tradepost.targets[0], method, path, { body })

async function openGoods(context: TestContext, stock_quantity: number): Promise<Goods> {
  tradepost = await database.openStore(context)
  const variants = [{ name: 'Box', stock_mode: 'manual', stock_quantity }]
  const goods = { name: 'Goods', type: 'service', price_cents: 100, variants }
  const { json } = await send('POST', '/products', goods)
  const variantId = json.variants[0].id
  const { id } = json.product
  return { id, variantId, path: `/products/${id}/variants/${variantId}` }
}

/** Makes `change` wait for the counters, then `call` behind it, and lets both go on in this sequence. */
async function callBehind<Change, Answer>(
  { variantId }: Goods,
  change: () => Promise<Change>,
  later: () => Promise<Answer>,
): Promise<[Change, Answer]> {
  const release = await holdTransaction(
    tradepost.app,
    `select from stock where variant_id = ${variantId} for update`,
  )
  const changed = change()
  await untilWaiting(tradepost.app, 1)
  const answer = later()
  await untilWaiting(tradepost.app, 2)
  await release()
  return Promise.all([changed, answer])
}

test('an order that saw plenty of stock is refused if none is left when it changes the counters', async (context) => {
  const goods = await openGoods(context, 200)
  const [change, order] = await callBehind(
    goods,
    () => send('PATCH', `${goods.path}/stock`, { quantity: 0 }),
    () => send('POST', '/orders', orderOf(goods.id)),
  )
  expect(change.status).toBe(200)
  expect(order.json).toMatchObject({ code: 'OUT_OF_STOCK', details: { available: 0 } })
  expect(await countersOf(tradepost, goods.variantId)).toEqual({ on_hand: 0, reserved: 0, sold: 0 })
  expect(await eventCounts(tradepost)).toEqual({ 'product.out_of_stock': 1 })
  await database.expectNoFaults()
})

test.for([false, true])(
  'an order that saw plenty of stock and takes the last unit reports it, paid at once: %s',
  async (mark_paid, context) => {
    const goods = await openGoods(context, 200)
    const [, order] = await callBehind(
      goods,
      () => send('PATCH', `${goods.path}/stock`, { quantity: 1 }),
      () => send('POST', '/orders', orderOf(goods.id, { mark_paid })),
    )
    expect(order.status).toBe(201)
    const counters = mark_paid
      ? { on_hand: 0, reserved: 0, sold: 1 }
      : { on_hand: 1, reserved: 1, sold: 0 }
    expect(await countersOf(tradepost, goods.variantId)).toEqual(counters)
    expect(await eventCounts(tradepost)).toMatchObject({
      'order.created': 1,
      'product.out_of_stock': 1,
    })
    await database.expectNoFaults()
  },
)

test('a payment during which the variant becomes unlimited takes nothing from its quantity', async (context) => {
  const goods = await openGoods(context, 200)
  const { json } = await send('POST', '/orders', orderOf(goods.id))
  const [change, payment] = await callBehind(
    goods,
    () => send('PATCH', goods.path, { stock_mode: 'unlimited' }),
    () => send('POST', `/orders/${json.order.id}/manual-payments`, {}),
  )
  expect([change.status, payment.status]).toEqual([200, 201])
  expect(payment.json.order).toMatchObject({ status: 'paid', paid_cents: 100 })
  expect(await countersOf(tradepost, goods.variantId)).toEqual({
    on_hand: 200,
    reserved: 0,
    sold: 1,
  })
  await database.expectNoFaults()
})

test('of 120 units exactly 120 are sold to 160 concurrent buyers, and running out is reported once', async (context) => {
  const goods = await openGoods(context, 120)
  const [target] = tradepost.targets
  const answers = await Promise.all(
    Array.from({ length: 160 }, (_, n) =>
      postUntilAnswered(
        target,
        '/orders',
        orderOf(goods.id, { mark_paid: n % 2 === 0, customer: { email: `b${n}@example.com` } }),
        `buyer-${n}`,
      ),
    ),
  )
  const sold = answers.filter(({ status }) => status === 201)
  expect(sold).toHaveLength(120)
  const paid = sold.filter(({ json }) => json.order.status !== 'pending').length
  expect(await countersOf(tradepost, goods.variantId)).toEqual({
    on_hand: 120 - paid,
    reserved: 120 - paid,
    sold: paid,
  })
  expect(await eventCounts(tradepost)).toMatchObject({
    'order.created': 120,
    'product.out_of_stock': 1,
  })
  await database.expectNoFaults()
})
