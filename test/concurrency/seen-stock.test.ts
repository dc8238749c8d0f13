import { describe, expect, type TestContext, test } from 'vitest'
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

/** Creates a bundle that contains three units of a product, and returns an order of two bundles. */
async function orderOfBundles({ variantId }: Goods): Promise<Json> {
  const fields = { name: 'Crate', type: 'service', product_kind: 'bundle', price_cents: 250 }
  const { json } = await send('POST', '/products', fields)
  const { id } = json.product
  const items = [{ variant_id: variantId, quantity: 3 }]
  const { status } = await send('PUT', `/products/${id}/bundle`, { items })
  expect(status).toBe(200)
  return orderOf(id, { items: [{ product_id: id, quantity: 2 }] })
}

const orderOfTwoLines = async ({ id }: Goods): Promise<Json> =>
  orderOf(id, { items: [2, 4].map((quantity) => ({ product_id: id, quantity })) })

describe.each([
  ['of a bundle of one variant', orderOfBundles],
  ['with two lines of one variant', orderOfTwoLines],
])('an order of six units %s', (_, createOrder) => {
  for (const mark_paid of [false, true]) {
    test(`that saw plenty of stock takes the last six, paid at once: ${mark_paid}`, async (context) => {
      const goods = await openGoods(context, 200)
      const body = { ...(await createOrder(goods)), mark_paid }
      const [, order] = await callBehind(
        goods,
        () => send('PATCH', `${goods.path}/stock`, { quantity: 6 }),
        () => send('POST', '/orders', body),
      )
      expect(order.status).toBe(201)
      const counters = mark_paid
        ? { on_hand: 0, reserved: 0, sold: 6 }
        : { on_hand: 6, reserved: 6, sold: 0 }
      expect(await countersOf(tradepost, goods.variantId)).toEqual(counters)
      expect(await eventCounts(tradepost)).toMatchObject({
        'order.created': 1,
        'product.out_of_stock': 1,
      })
      await database.expectNoFaults()
    })
  }

  test('that saw plenty of stock is refused if five are left', async (context) => {
    const goods = await openGoods(context, 200)
    const body = await createOrder(goods)
    const [, order] = await callBehind(
      goods,
      () => send('PATCH', `${goods.path}/stock`, { quantity: 5 }),
      () => send('POST', '/orders', body),
    )
    expect(order.json).toMatchObject({ code: 'OUT_OF_STOCK', details: { available: 5 } })
    expect(await countersOf(tradepost, goods.variantId)).toEqual({
      on_hand: 5,
      reserved: 0,
      sold: 0,
    })
    await database.expectNoFaults()
  })
})

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
