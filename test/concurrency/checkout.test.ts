import { expect, test } from 'vitest'
import { keysNamed, orderOf } from '../build.ts'
import { call, insist } from '../process/client.ts'
import { countOf, faultsOf, keysOf, sendBuyers } from './buyers.ts'
import { sharedRaceStore } from './market-for-all.ts'
import { meanwhile } from './meanwhile.ts'
import { countersOf, eventCounts, putOnSale } from './put-on-sale.ts'

const BUYERS = 200

/** Two processes on one database; half of the buyers repeat a call where they made it. */
const raceStore = sharedRaceStore({ beside: 1 })

test('200 buyers at once empty 50 keys: all 50 sell, each once', async (context) => {
  const tradepost = await raceStore.openStoreFixture(context)
  const game = await putOnSale(tradepost, keysNamed('RUSH-ABCDEFGH', 50))
  const visits = await sendBuyers(tradepost, game, new Array(BUYERS).fill(1))

  expect(faultsOf(visits)).toEqual([])
  expect(countOf(visits, 'completed')).toBe(50)
  expect(countOf(visits, 'refused')).toBe(150)
  expect(keysOf(visits).sort()).toEqual(keysNamed('RUSH-ABCDEFGH', 50))
  expect(await countersOf(tradepost, game.variantId)).toEqual({ on_hand: 0, reserved: 0, sold: 50 })
  expect(await eventCounts(tradepost)).toEqual({
    'customer.created': 50,
    'order.created': 50,
    'order.completed': 50,
    'product.restocked': 1,
    'product.out_of_stock': 1,
  })
  await raceStore.expectSweepClean()
})

test('a buyer of a sold-out product does not wait for an order that locks the row of stock (decision 246)', async (context) => {
  const tradepost = await raceStore.openStoreFixture(context)
  const game = await putOnSale(tradepost, keysNamed('GONE-ABCDEFGH', 1))
  const [target] = tradepost.targets
  expect((await call(target, 'POST', '/orders', { body: orderOf(game.id) })).status).toBe(201)
  const release = await meanwhile(tradepost.app, 'select from stock for update')
  try {
    const signal = AbortSignal.timeout(20_000)
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

test('of 200 buyers of 1 to 3 of 300 keys none is refused while there are enough', async (context) => {
  const tradepost = await raceStore.openStoreFixture(context)
  const game = await putOnSale(tradepost, keysNamed('MANY-ABCDEFGH', 300))
  const quantities = Array.from({ length: BUYERS }, (_, n) => (n % 3) + 1)
  const visits = await sendBuyers(tradepost, game, quantities)

  expect(faultsOf(visits)).toEqual([])
  const sold = keysOf(visits)
  const left = 300 - sold.length
  expect(new Set(sold).size).toBe(sold.length)
  for (const { quantity, keys, outcome } of visits) {
    expect(keys.length).toBe(outcome === 'completed' ? quantity : 0)
  }
  // Nothing is returned here, so units that a refused buyer missed are missing to the end.
  const refused = visits.filter(({ outcome }) => outcome === 'refused')
  expect(refused.length).toBeGreaterThan(0)
  expect(left).toBeLessThan(Math.min(...refused.map(({ quantity }) => quantity)))
  const counters = { on_hand: left, reserved: 0, sold: sold.length }
  expect(await countersOf(tradepost, game.variantId)).toEqual(counters)
  const completed = countOf(visits, 'completed')
  expect(await eventCounts(tradepost)).toMatchObject({
    'order.created': completed,
    'order.completed': completed,
  })
  await raceStore.expectSweepClean()
})

test('20 calls at once with one Idempotency-Key make one order, and all get its bytes', async (context) => {
  const tradepost = await raceStore.openStoreFixture(context)
  const { id } = await putOnSale(tradepost, keysNamed('ONCE-ABCDEFGH', 30))
  const body = orderOf(id)
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, n) => {
      const target = tradepost.targets[n % tradepost.targets.length] ?? tradepost.targets[0]
      return insist(target, '/orders', body, 'one-key')
    }),
  )

  expect(replies.map(({ status }) => status)).toEqual(new Array(20).fill(201))
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
  const list = await call(tradepost.targets[0], 'GET', '/orders')
  expect(list.json.orders.map((order: { id: string }) => order.id)).toEqual([
    replies[0]?.json.order.id,
  ])
  expect(await eventCounts(tradepost)).toMatchObject({ 'customer.created': 1, 'order.created': 1 })

  const other = await insist(tradepost.targets[0], '/orders', orderOf(id, { note: 1 }), 'one-key')
  expect(other).toMatchObject({ status: 422, json: { code: 'IDEMPOTENCY_KEY_REUSED' } })
  await raceStore.expectSweepClean()
})
