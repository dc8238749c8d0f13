import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addKeys, keysNamed, order, product } from '../../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { diagnose } from '../../installation/doctor/index.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(async () => {
  const { findings } = await diagnose(tradepost.app)
  await tradepost.close()
  expect(findings.filter(({ ok, check }) => !ok && check !== 'durable_commits')).toEqual([])
})

const read = async (id: string): Promise<Json> => (await tradepost.get(`/orders/${id}`)).json.order
const deliver = (made: Json, body: Json = {}, options = {}) =>
  tradepost.post(
    `/orders/${made.id}/deliveries`,
    { order_item_id: made.items[0].id, ...body },
    options,
  )
const soldOf = async (id: string): Promise<Json> => {
  const { product: own, variants } = (await tradepost.get(`/products/${id}`)).json
  return { sold: own.sales_count, left: variants[0].stock_quantity }
}

/** A paid order of two keys of which one is missing. */
async function stuck(name: string) {
  const variants = [{ name: 'A', allow_backorder: true }]
  const game = await product(tradepost, { variants }, { keys: keysNamed(name, 1) })
  const items = [{ product_id: game.id, quantity: 2 }]
  const made = await order(tradepost, game.id, { items, mark_paid: true })
  expect(made.status).toBe('paid')
  await tradepost.events()
  return { game, made }
}

describe('a manual delivery', () => {
  test('of a service sends a text, completes the order and emits an event', async () => {
    const { id } = await product(tradepost, { type: 'service' })
    const made = await order(tradepost, id, { mark_paid: true })
    await tradepost.events()
    const { status, json } = await deliver(made, { text: 'Monday at 10.' })
    expect(status).toBe(201)
    expect(json.delivery).toEqual({
      ...made.deliveries[0],
      status: 'delivered',
      text: 'Monday at 10.',
      attempts: 1,
      delivered_at: json.order.completed_at,
    })
    expect(json.order).toMatchObject({ status: 'completed', deliveries: [json.delivery] })
    expect(await read(made.id)).toEqual(json.order)
    expect(await tradepost.events()).toEqual(['order.completed'])
    const emitted = (await tradepost.payloads('order.completed')).at(-1).data.object.deliveries
    expect(emitted).toMatchObject([{ type: 'service', keys: [], text: 'Monday at 10.' }])
    expect(await soldOf(id)).toMatchObject({ sold: 1 })
  })

  test('the order waits until its last line is delivered', async () => {
    const [a, b] = [
      await product(tradepost, { type: 'service' }),
      await product(tradepost, { type: 'service' }),
    ]
    const items = [a, b].map(({ id }) => ({ product_id: id, quantity: 1 }))
    const made = await order(tradepost, a.id, { items, mark_paid: true })
    await tradepost.events()
    expect((await deliver(made, { text: 'One.' })).json.order.status).toBe('paid')
    expect(await tradepost.events()).toEqual([])
    const last = await deliver(made, { order_item_id: made.items[1].id, text: 'Two.' })
    expect(last.json.order.status).toBe('completed')
    expect(await tradepost.events()).toEqual(['order.completed'])
  })

  test('a line that is stuck without stock gets its keys once they are there', async () => {
    const { game, made } = await stuck('STUCK')
    const early = await deliver(made)
    expect([early.status, early.json.code]).toEqual([409, 'OUT_OF_STOCK'])
    expect(early.json.details).toEqual({
      product_id: game.id,
      variant_id: game.variantId,
      available: 1,
    })
    expect(await read(made.id)).toEqual(made)
    await addKeys(tradepost, game, ['STUCK-000002', 'STUCK-000003'])
    await tradepost.events()
    const { json } = await deliver(made)
    expect(json.delivery.keys).toEqual(['STUCK-000001', 'STUCK-000002'])
    expect(json.order.status).toBe('completed')
    expect(await tradepost.events()).toEqual(['order.completed'])
    expect(await soldOf(game.id)).toEqual({ sold: 2, left: 1 })
  })

  test('or a text instead, which leaves the stock to others', async () => {
    const { game, made } = await stuck('TEXT')
    const { json } = await deliver(made, { text: 'KEY-1 and KEY-2' })
    expect(json.order).toMatchObject({ status: 'completed', deliveries: [{ keys: [] }] })
    expect(await soldOf(game.id)).toEqual({ sold: 2, left: 1 })
  })

  test('nothing is delivered twice, before it is paid, or to another store', async () => {
    const { id } = await product(tradepost, { type: 'service' })
    const unpaid = await order(tradepost, id)
    const done = await order(tradepost, id, { mark_paid: true })
    await deliver(done, { text: 'Once.' })
    for (const made of [unpaid, done]) {
      const { status, json } = await deliver(made, { text: 'Again.' })
      expect([status, json.code]).toEqual([409, 'INVALID_STATE'])
    }
    expect((await deliver(done, { text: 'x' }, { as: tradepost.other })).status).toBe(404)
  })

  test('a bad field is named', async () => {
    const advice = await product(tradepost, { type: 'service' })
    const mug = await product(tradepost, { type: 'physical' })
    const items = [{ product_id: advice.id, quantity: 1 }]
    const made = await order(tradepost, advice.id, { items, mark_paid: true })
    const variants = [{ name: 'M', price_cents: 5, stock_quantity: 1 }]
    const parcel = await order(
      tradepost,
      (await product(tradepost, { type: 'physical', variants })).id,
      {
        mark_paid: true,
      },
    )
    expect(mug.id).not.toBe(advice.id)
    const cases: [Json, Json, string][] = [
      [made, {}, 'text'],
      [made, { text: '' }, 'text'],
      [made, { text: 'x', order_item_id: 999_999 }, 'order_item_id'],
      [parcel, { text: 'x' }, 'order_item_id'],
      [made, { text: 'x', keys: [] }, 'keys'],
    ]
    for (const [one, body, field] of cases) {
      const { status, json } = await deliver(one, body)
      expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', field])
    }
  })
})

describe('a replacement', () => {
  const replace = (made: Json, options = {}) =>
    tradepost.post(`/orders/${made.id}/deliveries/${made.deliveries[0].id}/replace`, {}, options)

  test('takes new keys, burns the old ones, and is no sale', async () => {
    const game = await product(tradepost, {}, { keys: keysNamed('SWAP', 4) })
    const items = [{ product_id: game.id, quantity: 2 }]
    const made = await order(tradepost, game.id, { items, mark_paid: true })
    await tradepost.events()
    const { status, json } = await replace(made)
    expect(status).toBe(200)
    expect(json.delivery).toMatchObject({
      status: 'delivered',
      keys: ['SWAP-000003', 'SWAP-000004'],
      order_item_id: made.items[0].id,
    })
    expect(json.order.deliveries).toEqual([
      { ...made.deliveries[0], status: 'replaced' },
      json.delivery,
    ])
    expect(json.order.status).toBe('completed')
    const path = `/products/${game.id}/variants/${game.variantId}/keys`
    const { keys } = (await tradepost.get(path)).json
    expect(keys.map((key: Json) => key.status)).toEqual(['sold', 'sold', 'burned', 'burned'])
    expect(await soldOf(game.id)).toEqual({ sold: 2, left: 0 })
    expect(await tradepost.events()).toEqual(['product.out_of_stock'])

    const again = await replace(made)
    expect([again.status, again.json.code, again.json.details.status]).toEqual([
      409,
      'INVALID_STATE',
      'replaced',
    ])
    const empty = await replace({ ...made, deliveries: [json.delivery] })
    expect([empty.status, empty.json.code, empty.json.details.available]).toEqual([
      409,
      'OUT_OF_STOCK',
      0,
    ])
  })

  test('does not take what unpaid orders hold, and is refused after a refund', async () => {
    const game = await product(tradepost, {}, { keys: keysNamed('HELD', 2) })
    const made = await order(tradepost, game.id, { mark_paid: true })
    const waiting = await order(tradepost, game.id)
    expect((await replace(made)).json.code).toBe('OUT_OF_STOCK')
    await tradepost.post(`/orders/${waiting.id}/cancel`)
    await tradepost.post(`/orders/${made.id}/refund`)
    expect((await replace(made)).json.details.status).toBe('refunded')
    expect((await replace(made, { as: tradepost.other })).status).toBe(404)
  })

  test('of a variant without keys is refused', async () => {
    const { id } = await product(tradepost, { type: 'service' })
    const made = await order(tradepost, id, { mark_paid: true })
    expect((await replace(made)).json.code).toBe('INVALID_STATE')
  })
})
