import { randomUUID } from 'node:crypto'
import { beforeEach, expect, type TestContext, test } from 'vitest'
import { storeContextOf } from '../../src/app.ts'
import { inTransaction } from '../../src/db/database.ts'
import { asStore, selectStoreById } from '../../src/features/installation/stores/index.ts'
import { createOrder } from '../../src/features/store/orders/create-order.ts'
import { NewOrder } from '../../src/features/store/orders/schema.ts'
import { sendAlertsJob } from '../../src/features/store/stock/index.ts'
import { keysNamed, orderOf } from '../build.ts'
import type { Json } from '../harness.ts'
import { call, insist } from '../process/client.ts'
import { sharedRaceStore } from './market-for-all.ts'
import { areWaiting } from './meanwhile.ts'
import type { RealServer } from './open-market.ts'
import { countersOf, eventCounts, putOnSale, stock } from './put-on-sale.ts'

let tradepost: RealServer

const raceStore = sharedRaceStore()
beforeEach(async (context) => {
  tradepost = await raceStore.openStoreFixture(context as TestContext)
})

// A 503 for a long queue of connections is no fault of the locks.
const post = (path: string, body: unknown = {}) =>
  insist(tradepost.targets[0], path, body, randomUUID())

test('a buyer who waits for the last unit gets it when its holder rolls back', async () => {
  const game = await putOnSale(tradepost, keysNamed('LAST-ABCDEFGH', 1))
  const { holds, letGo, rolledBack } = holdUntilReleased(game.id)
  await holds

  let answered = false
  const ordered = post('/orders', orderOf(game.id, { mark_paid: true })).finally(() => {
    answered = true
  })
  await areWaiting({ db: tradepost.app.db }, 1)
  expect(answered).toBe(false)
  letGo()
  const { status, json } = await ordered
  expect(status).toBe(201)
  expect(json.order.deliveries[0].keys).toEqual(['LAST-ABCDEFGH-000001'])
  await rolledBack
  expect(await eventCounts(tradepost)).toEqual({
    'customer.created': 1,
    'order.created': 1,
    'order.completed': 1,
    'product.restocked': 1,
    'product.out_of_stock': 1,
  })
  await raceStore.expectSweepClean()
})

/** An order that takes all there is, keeps its transaction open, and then thinks better of it. */
function holdUntilReleased(productId: string) {
  let holding = () => {}
  const holds = new Promise<void>((resolve) => {
    holding = resolve
  })
  let letGo = () => {}
  const released = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const { app, storeId } = tradepost
  const rolledBack = inTransaction(app.db, async (tx) => {
    const row = await selectStoreById(tx, storeId)
    if (!row) throw new Error('No store.')
    await createOrder(storeContextOf(app, asStore(row), tx), NewOrder.parse(orderOf(productId)))
    holding()
    await released
    throw new Error('Changed my mind.')
  }).catch((error: Error) => expect(error.message).toBe('Changed my mind.'))
  return { holds, letGo, rolledBack }
}

test('two buyers who empty the two variants of a product at once emit one out-of-stock event', async () => {
  for (let round = 1; round <= 20; round++) {
    const product = await productOfTwo(round)
    const orders = await Promise.all(
      product.variants.map(({ id }: Json) =>
        post('/orders', {
          ...orderOf(product.id, { mark_paid: round % 2 === 0 }),
          items: [{ product_id: product.id, variant_id: id, quantity: 1 }],
          customer: { email: `variant-${id}@example.com` },
        }),
      ),
    )
    expect(orders.map(({ status }) => status)).toEqual([201, 201])
    expect(await eventCounts(tradepost)).toMatchObject({ 'product.out_of_stock': round })
  }
  await raceStore.expectSweepClean()
})

async function productOfTwo(round: number): Promise<Json> {
  const variants = [
    { name: 'One', price_cents: 100 },
    { name: 'Two', price_cents: 200 },
  ]
  const made = await post('/products', { name: `Pair ${round}`, variants })
  if (made.status !== 201) throw new Error(made.text)
  const { id } = made.json.product
  for (const variant of made.json.variants) {
    await stock(tradepost, { id, variantId: variant.id }, [`PAIR-ABCDEFGH-${round}-${variant.id}`])
  }
  return { id, variants: made.json.variants }
}

test('a person who waits for a product that is put on sale and restocked at once gets one mail', async () => {
  for (let round = 1; round <= 20; round++) {
    const { json } = await post('/products', { name: 'Soon', price_cents: 100, status: 'draft' })
    const { id } = json.product
    const game = { id, variantId: json.variants[0].id }
    await post(`/products/${id}/stock-alerts`, { email: `waits-${round}@example.com` })
    const [sold] = await Promise.all([
      call(tradepost.targets[0], 'PATCH', `/products/${id}`, { body: { status: 'active' } }),
      stock(tradepost, game, [`SOON-ABCDEFGH-${round}`]),
    ])
    expect(sold.status).toBe(200)
    while (await sendAlertsJob.run(tradepost.app));
    const { json: released } = await call(
      tradepost.targets[0],
      'GET',
      `/products/${id}/stock-alerts`,
    )
    expect(released.stock_alerts).toMatchObject([{ status: 'notified' }])
  }
  await raceStore.expectSweepClean()
})

test('twenty payments of one order at once complete it once', async () => {
  const game = await putOnSale(tradepost, keysNamed('PAID-ABCDEFGH', 100))
  for (let round = 1; round <= 5; round++) {
    const { json } = await post('/orders', orderOf(game.id))
    const path = `/orders/${json.order.id}/manual-payments`
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(path)))

    expect(answers.filter(({ status }) => status === 201).length).toBe(1)
    const refusals = answers.filter(({ status }) => status !== 201)
    expect(new Set(refusals.map((item) => item.json.code))).toEqual(new Set(['INVALID_STATE']))
    const after = await call(tradepost.targets[0], 'GET', `/orders/${json.order.id}`)
    expect(after.json.order).toMatchObject({ status: 'completed', paid_cents: 1_000 })
    expect(after.json.order.payments.length).toBe(1)
    expect(after.json.order.deliveries.map((item: Json) => item.keys.length)).toEqual([1])
    expect(await eventCounts(tradepost)).toMatchObject({ 'order.completed': round })
  }
  expect(await countersOf(tradepost, game.variantId)).toEqual({ on_hand: 95, reserved: 0, sold: 5 })
  await raceStore.expectSweepClean()
})

test('thirty products of one name made at once all get slugs of their own', async () => {
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => post('/products', { name: 'Same name', price_cents: 100 })),
  )
  expect(answers.map(({ status }) => status)).toEqual(new Array(30).fill(201))
  const slugs = answers.map(({ json }) => json.product.slug)
  expect(new Set(slugs).size).toBe(30)
  expect(slugs.every((slug) => /^same-name(-[0-9a-z]{6})?$/.test(slug))).toBe(true)
})

test('a hundred orders of the same two products in opposite order never block each other', async () => {
  const one = await putOnSale(tradepost, keysNamed('ONE-ABCDEFGH', 100))
  const two = await putOnSale(tradepost, keysNamed('TWO-ABCDEFGH', 100))
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, n) => {
      const items = [one.id, two.id].map((product_id) => ({ product_id, quantity: 1 }))
      return post('/orders', {
        items: n % 2 === 0 ? items : items.reverse(),
        customer: { email: `crossing-${n % 10}@example.com` },
        mark_paid: n % 3 > 0,
      })
    }),
  )
  expect(answers.filter(({ status }) => status !== 201).map(({ text }) => text)).toEqual([])
  await raceStore.expectSweepClean()
})
