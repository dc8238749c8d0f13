import { expect, test } from 'vitest'
import { orderOf } from '../build.ts'
import { call } from '../process/client.ts'
import { sharedRaceStore } from './market-for-all.ts'
import { areWaiting, meanwhile } from './meanwhile.ts'
import type { RealServer } from './open-market.ts'
import { countersOf, eventCounts } from './put-on-sale.ts'

let tradepost: RealServer

const raceStore = sharedRaceStore()

const send = (method: string, path: string, body: unknown = {}) =>
  call(tradepost.targets[0], method, path, method === 'GET' ? {} : { body })

async function goods(stock_quantity: number) {
  const variants = [{ name: 'Box', stock_mode: 'manual', stock_quantity }]
  const { json } = await send('POST', '/products', {
    name: 'Goods',
    type: 'service',
    price_cents: 1,
    variants,
  })
  const { id } = json.product
  const variantId = json.variants[0].id
  return { id, variantId, path: `/products/${id}/variants/${variantId}` }
}

/** A 503 for a busy server is no fault of the locks: the call is made again. */
async function insist(method: string, path: string, body: unknown) {
  for (;;) {
    const answer = await send(method, path, body)
    if (answer.status !== 503) return answer
  }
}

test('a hundred deltas at once are all counted, and none of them twice', async (context) => {
  tradepost = await raceStore.openStoreFixture(context)
  const { variantId, path } = await goods(0)
  const deltas = Array.from({ length: 100 }, (_, n) => (n % 4 === 3 ? -1 : 2))
  const answers = await Promise.all(
    deltas.map(async (delta) => ({
      delta,
      ...(await insist('PATCH', `${path}/stock`, { delta })),
    })),
  )
  const taken = answers.filter(({ status }) => status === 200)
  expect(answers.every(({ status }) => status === 200 || status === 422)).toBe(true)
  const sum = taken.reduce((all, { delta }) => all + delta, 0)
  expect(await countersOf(tradepost, variantId)).toEqual({ on_hand: sum, reserved: 0, sold: 0 })
  const added = taken.filter(({ delta }) => delta > 0).length
  expect(await eventCounts(tradepost)).toMatchObject({ 'product.restocked': added })
  await raceStore.expectSweepClean()
})

test('sellers who count stock again while buyers buy leave consistent counters', async (context) => {
  tradepost = await raceStore.openStoreFixture(context)
  const { id, variantId, path } = await goods(30)
  const orders = Array.from({ length: 40 }, () => insist('POST', '/orders', orderOf(id)))
  const counts = Array.from({ length: 20 }, (_, n) =>
    n % 2 === 0
      ? insist('PATCH', `${path}/stock`, { quantity: n })
      : insist('PATCH', path, { price_cents: n, stock_quantity: n }),
  )
  const [bought] = await Promise.all([Promise.all(orders), Promise.all(counts)])
  const held = bought.filter(({ status }) => status === 201).length
  expect(bought.every(({ status }) => status === 201 || status === 409)).toBe(true)
  const { on_hand, reserved } = await countersOf(tradepost, variantId)
  expect(reserved).toBe(held)
  expect(on_hand).toBeGreaterThanOrEqual(reserved)
  const last = await insist('PATCH', `${path}/stock`, { quantity: 7 })
  expect(last.json.stock).toMatchObject({ available: 7, reserved: held, on_hand: held + 7 })
  await raceStore.expectSweepClean()
})

test('one product copied, changed and deleted by many at once stays whole', async (context) => {
  tradepost = await raceStore.openStoreFixture(context)
  const { id, path } = await goods(5)
  const work = Array.from({ length: 60 }, (_, n) => {
    if (n % 3 === 0) return insist('POST', `/products/${id}/duplicate`, {})
    if (n % 3 === 1) return insist('POST', `/products/${id}/variants`, { name: `V${n}` })
    return insist('PATCH', path, { is_default: true, price_cents: n })
  })
  const answers = await Promise.all(work)
  expect(answers.filter(({ status }) => status > 201)).toEqual([])
  const { json } = await send('GET', `/products/${id}`)
  expect(json.variants).toHaveLength(21)
  expect(json.variants.filter((item: { is_default: boolean }) => item.is_default)).toHaveLength(1)
  const [, gone] = await Promise.all([
    insist('POST', `/products/${id}/duplicate`, {}),
    insist('DELETE', `/products/${id}`, undefined),
  ])
  expect(gone.status).toBe(200)
  expect((await send('GET', '/products')).json.pagination.total).toBeGreaterThanOrEqual(20)
  await raceStore.expectSweepClean()
})

test('a buyer who waits while a variant becomes counted takes no more than there is', async (context) => {
  tradepost = await raceStore.openStoreFixture(context)
  const { id, variantId, path } = await goods(0)
  await send('PATCH', path, { stock_mode: 'unlimited' })
  const letGo = await meanwhile(
    tradepost.app,
    `select from stock where variant_id = ${variantId} for update`,
  )
  const counted = send('PATCH', path, { stock_mode: 'manual', stock_quantity: 2 })
  await areWaiting(tradepost.app, 1)
  const items = [{ product_id: id, quantity: 3 }]
  const order = send('POST', '/orders', { ...orderOf(id), items })
  await areWaiting(tradepost.app, 2)
  await letGo()
  expect((await counted).status).toBe(200)
  expect((await order).json.code).toBe('OUT_OF_STOCK')
  expect(await countersOf(tradepost, variantId)).toEqual({ on_hand: 2, reserved: 0, sold: 0 })
  await raceStore.expectSweepClean()
})

test('keys that come while a variant comes to count them are counted', async (context) => {
  tradepost = await raceStore.openStoreFixture(context)
  const variants = [{ name: 'Key', stock_mode: 'manual' }]
  const game = { name: 'Game', type: 'serial', price_cents: 1, variants }
  const { json } = await send('POST', '/products', game)
  const [{ id }] = json.variants
  const path = `/products/${json.product.id}/variants/${id}`
  const letGo = await meanwhile(
    tradepost.app,
    `select from stock where variant_id = ${id} for update`,
  )
  const counted = send('PATCH', path, { stock_mode: 'calculated' })
  await areWaiting(tradepost.app, 1)
  const added = send('POST', `${path}/keys`, { keys: ['ONE-KEY', 'TWO-KEY'] })
  await areWaiting(tradepost.app, 2)
  await letGo()
  expect([(await counted).status, (await added).status]).toEqual([200, 201])
  expect(await countersOf(tradepost, id)).toEqual({ on_hand: 2, reserved: 0, sold: 0 })
  await raceStore.expectSweepClean()
})
