import { randomUUID } from 'node:crypto'
import { beforeEach, expect, type TestContext, test } from 'vitest'
import { storeContextOf } from '../../src/app.ts'
import { inTransaction } from '../../src/db/database.ts'
import { selectStoreById } from '../../src/features/installation/stores/index.ts'
import { createOrder } from '../../src/features/store/orders/create-order.ts'
import { NewOrder } from '../../src/features/store/orders/schema.ts'
import { sendAlertsJob } from '../../src/features/store/stock/index.ts'
import { keysNamed, orderOf } from '../build.ts'
import type { Json } from '../harness.ts'
import { call, postUntilAnswered } from '../process/client.ts'
import { untilWaiting } from './lock-waits.ts'
import type { ServedStore } from './open-served-database.ts'
import { addStockKeys, countersOf, eventCounts, putOnSale } from './put-on-sale.ts'
import { sharedDatabase } from './shared-database.ts'

let tradepost: ServedStore

const database = sharedDatabase()
beforeEach(async (context) => {
  tradepost = await database.openStore(context as TestContext)
})

// A 503 for a long queue of connections has nothing to do with locks, so the call is repeated.
const post = (path: string, body: unknown = {}) =>
  postUntilAnswered(tradepost.targets[0], path, body, randomUUID())

test("a buyer who waits for the last unit gets it if the first buyer's transaction rolls back", async () => {
  const game = await putOnSale(tradepost, keysNamed('LAST-ABCDEFGH', 1))
  const { ordered, release, rolledBack } = orderInOpenTransaction(game.id)
  await ordered

  let isAnswered = false
  const waitingOrder = post('/orders', orderOf(game.id, { mark_paid: true })).finally(() => {
    isAnswered = true
  })
  await untilWaiting({ db: tradepost.app.db }, 1)
  expect(isAnswered).toBe(false)
  release()
  const { status, json } = await waitingOrder
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
  await database.expectNoFaults()
})

/** Orders the last unit in a transaction that stays open until it is released, and then rolls back. */
function orderInOpenTransaction(productId: string) {
  let reportOrdered = () => {}
  const ordered = new Promise<void>((resolve) => {
    reportOrdered = resolve
  })
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const { app, storeId } = tradepost
  const rolledBack = inTransaction(app.db, async (tx) => {
    const storeRow = await selectStoreById(tx, storeId)
    if (!storeRow) throw new Error('No such store.')
    await createOrder(storeContextOf(app, storeRow, tx), NewOrder.parse(orderOf(productId)))
    reportOrdered()
    await released
    throw new Error('Rolled back by the test.')
  }).catch((error: Error) => expect(error.message).toBe('Rolled back by the test.'))
  return { ordered, release, rolledBack }
}

test('two buyers who concurrently buy the last units of two variants cause one event product.out_of_stock', async () => {
  for (let round = 1; round <= 20; round++) {
    const product = await createProductWithTwoVariants(round)
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
  await database.expectNoFaults()
})

async function createProductWithTwoVariants(round: number): Promise<Json> {
  const variants = [
    { name: 'One', price_cents: 100 },
    { name: 'Two', price_cents: 200 },
  ]
  const created = await post('/products', { name: `Pair ${round}`, variants })
  if (created.status !== 201) throw new Error(created.text)
  const { id } = created.json.product
  for (const variant of created.json.variants) {
    await addStockKeys(tradepost, { id, variantId: variant.id }, [
      `PAIR-ABCDEFGH-${round}-${variant.id}`,
    ])
  }
  return { id, variants: created.json.variants }
}

test('a stock alert of a product that is concurrently published and restocked is sent', async () => {
  for (let round = 1; round <= 20; round++) {
    const { json } = await post('/products', { name: 'Soon', price_cents: 100, status: 'draft' })
    const { id } = json.product
    const game = { id, variantId: json.variants[0].id }
    await post(`/products/${id}/stock-alerts`, { email: `subscriber-${round}@example.com` })
    const [published] = await Promise.all([
      call(tradepost.targets[0], 'PATCH', `/products/${id}`, { body: { status: 'active' } }),
      addStockKeys(tradepost, game, [`SOON-ABCDEFGH-${round}`]),
    ])
    expect(published.status).toBe(200)
    while (await sendAlertsJob.run(tradepost.app));
    const { json: alerts } = await call(tradepost.targets[0], 'GET', `/products/${id}/stock-alerts`)
    expect(alerts.stock_alerts).toMatchObject([{ status: 'notified' }])
  }
  await database.expectNoFaults()
})

test('twenty concurrent payments of one order complete it once', async () => {
  const game = await putOnSale(tradepost, keysNamed('PAID-ABCDEFGH', 100))
  for (let round = 1; round <= 5; round++) {
    const { json } = await post('/orders', orderOf(game.id))
    const path = `/orders/${json.order.id}/manual-payments`
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(path)))

    expect(answers.filter(({ status }) => status === 201).length).toBe(1)
    const refusals = answers.filter(({ status }) => status !== 201)
    expect(new Set(refusals.map((item) => item.json.code))).toEqual(new Set(['INVALID_STATE']))
    const shown = await call(tradepost.targets[0], 'GET', `/orders/${json.order.id}`)
    expect(shown.json.order).toMatchObject({ status: 'completed', paid_cents: 1_000 })
    expect(shown.json.order.payments.length).toBe(1)
    expect(shown.json.order.deliveries.map((item: Json) => item.keys.length)).toEqual([1])
    expect(await eventCounts(tradepost)).toMatchObject({ 'order.completed': round })
  }
  expect(await countersOf(tradepost, game.variantId)).toEqual({ on_hand: 95, reserved: 0, sold: 5 })
  await database.expectNoFaults()
})

test('thirty concurrent products with the same name get different slugs', async () => {
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => post('/products', { name: 'Same name', price_cents: 100 })),
  )
  expect(answers.map(({ status }) => status)).toEqual(new Array(30).fill(201))
  const slugs = answers.map(({ json }) => json.product.slug)
  expect(new Set(slugs).size).toBe(30)
  expect(slugs.every((slug) => /^same-name(-[0-9a-z]{6})?$/.test(slug))).toBe(true)
})

test('a hundred concurrent orders with two products in opposite sequence do not deadlock', async () => {
  const firstGame = await putOnSale(tradepost, keysNamed('ONE-ABCDEFGH', 100))
  const secondGame = await putOnSale(tradepost, keysNamed('TWO-ABCDEFGH', 100))
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, n) => {
      const items = [firstGame.id, secondGame.id].map((product_id) => ({ product_id, quantity: 1 }))
      return post('/orders', {
        items: n % 2 === 0 ? items : items.reverse(),
        customer: { email: `crossing-${n % 10}@example.com` },
        mark_paid: n % 3 > 0,
      })
    }),
  )
  expect(answers.filter(({ status }) => status !== 201).map(({ text }) => text)).toEqual([])
  await database.expectNoFaults()
})
