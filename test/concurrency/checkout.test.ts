import { expect, test } from 'vitest'
import { keysNamed, orderOf } from '../build.ts'
import { call, postUntilAnswered } from '../process/client.ts'
import { countOf, faultsOf, keysOf, runBuyers } from './buyers.ts'
import { holdTransaction } from './lock-waits.ts'
import { countersOf, eventCounts, putOnSale } from './put-on-sale.ts'
import { sharedDatabase } from './shared-database.ts'

const BUYERS = 200

/** Two processes serve one database. Half of the buyers repeat each call at the same process. */
const database = sharedDatabase({ furtherProcesses: 1 })

test('200 concurrent buyers of 50 stock keys get each key once', async (context) => {
  const tradepost = await database.openStore(context)
  const game = await putOnSale(tradepost, keysNamed('RUSH-ABCDEFGH', 50))
  const purchases = await runBuyers(tradepost, game, new Array(BUYERS).fill(1))

  expect(faultsOf(purchases)).toEqual([])
  expect(countOf(purchases, 'completed')).toBe(50)
  expect(countOf(purchases, 'refused')).toBe(150)
  expect(keysOf(purchases).sort()).toEqual(keysNamed('RUSH-ABCDEFGH', 50))
  expect(await countersOf(tradepost, game.variantId)).toEqual({ on_hand: 0, reserved: 0, sold: 50 })
  expect(await eventCounts(tradepost)).toEqual({
    'customer.created': 50,
    'order.created': 50,
    'order.completed': 50,
    'product.restocked': 1,
    'product.out_of_stock': 1,
  })
  await database.expectNoFaults()
})

test('a buyer of a sold-out product does not wait for an order that locks the row of stock (decision 518)', async (context) => {
  const tradepost = await database.openStore(context)
  const game = await putOnSale(tradepost, keysNamed('GONE-ABCDEFGH', 1))
  const [target] = tradepost.targets
  expect((await call(target, 'POST', '/orders', { body: orderOf(game.id) })).status).toBe(201)
  const release = await holdTransaction(tradepost.app, 'select from stock for update')
  try {
    const signal = AbortSignal.timeout(120_000)
    const { status, json } = await call(target, 'POST', '/orders', {
      body: orderOf(game.id),
      signal,
    })
    expect([status, json.code, json.details.available]).toEqual([409, 'OUT_OF_STOCK', 0])
  } finally {
    await release()
  }
  expect(await eventCounts(tradepost)).toMatchObject({ 'customer.created': 1, 'order.created': 1 })
})

test('of 200 concurrent buyers of 1 to 3 of 300 stock keys, only those are refused for whom too few remain', async (context) => {
  const tradepost = await database.openStore(context)
  const game = await putOnSale(tradepost, keysNamed('MANY-ABCDEFGH', 300))
  const quantities = Array.from({ length: BUYERS }, (_, n) => (n % 3) + 1)
  const purchases = await runBuyers(tradepost, game, quantities)

  expect(faultsOf(purchases)).toEqual([])
  const soldKeys = keysOf(purchases)
  const remainingUnits = 300 - soldKeys.length
  expect(new Set(soldKeys).size).toBe(soldKeys.length)
  for (const { quantity, keys, outcome } of purchases) {
    expect(keys.length).toBe(outcome === 'completed' ? quantity : 0)
  }
  // No units are returned in this test, so a refused buyer could not have been served later.
  const refused = purchases.filter(({ outcome }) => outcome === 'refused')
  expect(refused.length).toBeGreaterThan(0)
  expect(remainingUnits).toBeLessThan(Math.min(...refused.map(({ quantity }) => quantity)))
  const counters = { on_hand: remainingUnits, reserved: 0, sold: soldKeys.length }
  expect(await countersOf(tradepost, game.variantId)).toEqual(counters)
  const completed = countOf(purchases, 'completed')
  expect(await eventCounts(tradepost)).toMatchObject({
    'order.created': completed,
    'order.completed': completed,
  })
  await database.expectNoFaults()
})

test('20 concurrent calls with the same idempotency key create one order, and get the same answer', async (context) => {
  const tradepost = await database.openStore(context)
  const { id } = await putOnSale(tradepost, keysNamed('ONCE-ABCDEFGH', 30))
  const body = orderOf(id)
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, n) => {
      const target = tradepost.targets[n % tradepost.targets.length] ?? tradepost.targets[0]
      return postUntilAnswered(target, '/orders', body, 'one-key')
    }),
  )

  expect(replies.map(({ status }) => status)).toEqual(new Array(20).fill(201))
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
  const list = await call(tradepost.targets[0], 'GET', '/orders')
  expect(list.json.orders.map((order: { id: string }) => order.id)).toEqual([
    replies[0]?.json.order.id,
  ])
  expect(await eventCounts(tradepost)).toMatchObject({ 'customer.created': 1, 'order.created': 1 })

  const otherCall = await postUntilAnswered(
    tradepost.targets[0],
    '/orders',
    orderOf(id, { note: 1 }),
    'one-key',
  )
  expect(otherCall).toMatchObject({ status: 422, json: { code: 'IDEMPOTENCY_KEY_REUSED' } })
  await database.expectNoFaults()
})
