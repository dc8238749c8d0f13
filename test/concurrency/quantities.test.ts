import { expect, test } from 'vitest'
import { orderOf } from '../build.ts'
import { call } from '../process/client.ts'
import { holdTransaction, untilWaiting } from './lock-waits.ts'
import type { ServedStore } from './open-served-database.ts'
import { countersOf, eventCounts } from './put-on-sale.ts'
import { sharedDatabase } from './shared-database.ts'

let tradepost: ServedStore

const database = sharedDatabase()

const send = (method: string, path: string, body: unknown = {}) =>
  call(tradepost.targets[0], method, path, method === 'GET' ? {} : { body })

async function createProduct(stock_quantity: number) {
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

/** Repeats a call that gets 503. A busy server is no fault here, because the tests are about locks. */
async function sendUntilAnswered(method: string, path: string, body: unknown) {
  for (;;) {
    const answer = await send(method, path, body)
    if (answer.status !== 503) return answer
  }
}

test('a hundred concurrent changes of a quantity by a delta are each counted once', async (context) => {
  tradepost = await database.openStore(context)
  const { variantId, path } = await createProduct(0)
  const deltas = Array.from({ length: 100 }, (_, n) => (n % 4 === 3 ? -1 : 2))
  const answers = await Promise.all(
    deltas.map(async (delta) => ({
      delta,
      ...(await sendUntilAnswered('PATCH', `${path}/stock`, { delta })),
    })),
  )
  const accepted = answers.filter(({ status }) => status === 200)
  expect(answers.every(({ status }) => status === 200 || status === 422)).toBe(true)
  const sum = accepted.reduce((total, { delta }) => total + delta, 0)
  expect(await countersOf(tradepost, variantId)).toEqual({ on_hand: sum, reserved: 0, sold: 0 })
  const restocks = accepted.filter(({ delta }) => delta > 0).length
  expect(await eventCounts(tradepost)).toMatchObject({ 'product.restocked': restocks })
  await database.expectNoFaults()
})

test('quantities that are set during purchases leave consistent counters', async (context) => {
  tradepost = await database.openStore(context)
  const { id, variantId, path } = await createProduct(30)
  const orders = Array.from({ length: 40 }, () => sendUntilAnswered('POST', '/orders', orderOf(id)))
  const changes = Array.from({ length: 20 }, (_, n) =>
    n % 2 === 0
      ? sendUntilAnswered('PATCH', `${path}/stock`, { quantity: n })
      : sendUntilAnswered('PATCH', path, { price_cents: n, stock_quantity: n }),
  )
  const [orderAnswers] = await Promise.all([Promise.all(orders), Promise.all(changes)])
  const acceptedCount = orderAnswers.filter(({ status }) => status === 201).length
  expect(orderAnswers.every(({ status }) => status === 201 || status === 409)).toBe(true)
  const { on_hand, reserved } = await countersOf(tradepost, variantId)
  expect(reserved).toBe(acceptedCount)
  expect(on_hand).toBeGreaterThanOrEqual(reserved)
  const lastChange = await sendUntilAnswered('PATCH', `${path}/stock`, { quantity: 7 })
  expect(lastChange.json.stock).toMatchObject({
    available: 7,
    reserved: acceptedCount,
    on_hand: acceptedCount + 7,
  })
  await database.expectNoFaults()
})

test('a product that is concurrently duplicated and changed has one default variant, and can be deleted during a duplication', async (context) => {
  tradepost = await database.openStore(context)
  const { id, path } = await createProduct(5)
  const calls = Array.from({ length: 60 }, (_, n) => {
    if (n % 3 === 0) return sendUntilAnswered('POST', `/products/${id}/duplicate`, {})
    if (n % 3 === 1) return sendUntilAnswered('POST', `/products/${id}/variants`, { name: `V${n}` })
    return sendUntilAnswered('PATCH', path, { is_default: true, price_cents: n })
  })
  const answers = await Promise.all(calls)
  expect(answers.filter(({ status }) => status > 201)).toEqual([])
  const { json } = await send('GET', `/products/${id}`)
  expect(json.variants).toHaveLength(21)
  expect(json.variants.filter((item: { is_default: boolean }) => item.is_default)).toHaveLength(1)
  const [, deletion] = await Promise.all([
    sendUntilAnswered('POST', `/products/${id}/duplicate`, {}),
    sendUntilAnswered('DELETE', `/products/${id}`, undefined),
  ])
  expect(deletion.status).toBe(200)
  expect((await send('GET', '/products')).json.pagination.total).toBeGreaterThanOrEqual(20)
  await database.expectNoFaults()
})

test('an order that waits while its variant becomes counted is refused if the stock does not suffice', async (context) => {
  tradepost = await database.openStore(context)
  const { id, variantId, path } = await createProduct(0)
  await send('PATCH', path, { stock_mode: 'unlimited' })
  const release = await holdTransaction(
    tradepost.app,
    `select from stock where variant_id = ${variantId} for update`,
  )
  const change = send('PATCH', path, { stock_mode: 'manual', stock_quantity: 2 })
  await untilWaiting(tradepost.app, 1)
  const items = [{ product_id: id, quantity: 3 }]
  const order = send('POST', '/orders', { ...orderOf(id), items })
  await untilWaiting(tradepost.app, 2)
  await release()
  expect((await change).status).toBe(200)
  expect((await order).json.code).toBe('OUT_OF_STOCK')
  expect(await countersOf(tradepost, variantId)).toEqual({ on_hand: 2, reserved: 0, sold: 0 })
  await database.expectNoFaults()
})

test('stock keys that are added while stock_mode changes to calculated are counted', async (context) => {
  tradepost = await database.openStore(context)
  const variants = [{ name: 'Key', stock_mode: 'manual' }]
  const game = { name: 'Game', type: 'serial', price_cents: 1, variants }
  const { json } = await send('POST', '/products', game)
  const [{ id }] = json.variants
  const path = `/products/${json.product.id}/variants/${id}`
  const release = await holdTransaction(
    tradepost.app,
    `select from stock where variant_id = ${id} for update`,
  )
  const change = send('PATCH', path, { stock_mode: 'calculated' })
  await untilWaiting(tradepost.app, 1)
  const addition = send('POST', `${path}/keys`, { keys: ['ONE-KEY', 'TWO-KEY'] })
  await untilWaiting(tradepost.app, 2)
  await release()
  expect([(await change).status, (await addition).status]).toEqual([200, 201])
  expect(await countersOf(tradepost, id)).toEqual({ on_hand: 2, reserved: 0, sold: 0 })
  await database.expectNoFaults()
})
