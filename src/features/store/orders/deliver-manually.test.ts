import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addKeys, keysNamed, order, product } from '../../../../test/build.ts'
import { expectNoFindings } from '../../../../test/findings.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(async () => {
  await expectNoFindings(tradepost)
  await tradepost.close()
})

const getOrder = async (id: string): Promise<Json> =>
  (await tradepost.get(`/orders/${id}`)).json.order
/** Delivers the first line of an order. */
const deliver = ({ id, items }: Json, body: Json = {}, options = {}) =>
  tradepost.post(`/orders/${id}/deliveries`, { order_item_id: items[0].id, ...body }, options)
const salesOf = async (id: string): Promise<Json> => {
  const { product: productAfter, variants } = (await tradepost.get(`/products/${id}`)).json
  return { sold: productAfter.sales_count, available: variants[0].stock_quantity }
}

/** Creates a paid order of two keys, one of which is missing in stock. */
async function orderWithMissingKey(name: string) {
  const variants = [{ name: 'A', allow_backorder: true }]
  const game = await product(tradepost, { variants }, { keys: keysNamed(name, 1) })
  const items = [{ product_id: game.id, quantity: 2 }]
  const newOrder = await order(tradepost, game.id, { items, mark_paid: true })
  expect(newOrder.status).toBe('paid')
  await tradepost.events()
  return { game, newOrder }
}

describe('a manual delivery', () => {
  test('of a service sends a text, completes the order and emits an event', async () => {
    const { id } = await product(tradepost, { type: 'service' })
    const newOrder = await order(tradepost, id, { mark_paid: true })
    await tradepost.events()
    const { status, json } = await deliver(newOrder, { text: 'Monday at 10.' })
    expect(status).toBe(201)
    expect(json.delivery).toEqual({
      ...newOrder.deliveries[0],
      status: 'delivered',
      text: 'Monday at 10.',
      attempts: 1,
      delivered_at: json.order.completed_at,
    })
    expect(json.order).toMatchObject({ status: 'completed', deliveries: [json.delivery] })
    expect(await getOrder(newOrder.id)).toEqual(json.order)
    expect(await tradepost.events()).toEqual(['order.completed'])
    const eventDeliveries = (await tradepost.payloads('order.completed')).at(-1).data.object
      .deliveries
    expect(eventDeliveries).toMatchObject([{ type: 'service', keys: [], text: 'Monday at 10.' }])
    expect(await salesOf(id)).toMatchObject({ sold: 1 })
  })

  test('leaves the order open until its last line is delivered', async () => {
    const [first, second] = [
      await product(tradepost, { type: 'service' }),
      await product(tradepost, { type: 'service' }),
    ]
    const items = [first, second].map(({ id }) => ({ product_id: id, quantity: 1 }))
    const newOrder = await order(tradepost, first.id, { items, mark_paid: true })
    await tradepost.events()
    expect((await deliver(newOrder, { text: 'One.' })).json.order.status).toBe('paid')
    expect(await tradepost.events()).toEqual([])
    const lastDelivery = await deliver(newOrder, {
      order_item_id: newOrder.items[1].id,
      text: 'Two.',
    })
    expect(lastDelivery.json.order.status).toBe('completed')
    expect(await tradepost.events()).toEqual(['order.completed'])
  })

  test('of a line that waits for stock delivers its keys once they exist', async () => {
    const { game, newOrder } = await orderWithMissingKey('STUCK')
    const refusal = await deliver(newOrder)
    expect([refusal.status, refusal.json.code]).toEqual([409, 'OUT_OF_STOCK'])
    const { id: product_id, variantId: variant_id } = game
    expect(refusal.json.details).toEqual({ product_id, variant_id, available: 1, missing: 1 })
    expect(await getOrder(newOrder.id)).toEqual(newOrder)
    await addKeys(tradepost, game, ['STUCK-000002', 'STUCK-000003'])
    await tradepost.events()
    const { json } = await deliver(newOrder)
    expect(json.delivery.keys).toEqual(['STUCK-000001', 'STUCK-000002'])
    expect(json.order.status).toBe('completed')
    expect(await tradepost.events()).toEqual(['order.completed'])
    expect(await salesOf(game.id)).toEqual({ sold: 2, available: 1 })
  })

  test('of a line that waits for stock may deliver a text instead, which leaves the stock unchanged', async () => {
    const { game, newOrder } = await orderWithMissingKey('TEXT')
    const { json } = await deliver(newOrder, { text: 'KEY-1 and KEY-2' })
    expect(json.order).toMatchObject({ status: 'completed', deliveries: [{ keys: [] }] })
    expect(await salesOf(game.id)).toEqual({ sold: 2, available: 1 })
  })

  test('is refused a second time, before payment, and for another store', async () => {
    const { id } = await product(tradepost, { type: 'service' })
    const unpaidOrder = await order(tradepost, id)
    const deliveredOrder = await order(tradepost, id, { mark_paid: true })
    await expectSuccess(deliver(deliveredOrder, { text: 'Once.' }))
    for (const created of [unpaidOrder, deliveredOrder]) {
      const { status, json } = await deliver(created, { text: 'Again.' })
      expect([status, json.code]).toEqual([409, 'INVALID_STATE'])
    }
    const items = [id, (await product(tradepost, { type: 'service' })).id].map((product_id) => ({
      product_id,
      quantity: 1,
    }))
    const twoLines = await order(tradepost, id, { items, mark_paid: true })
    const firstLine = { order_item_id: twoLines.items[0].id, text: 'Once.' }
    await expectSuccess(deliver(twoLines, firstLine))
    expect((await deliver(twoLines, firstLine)).json.error).toBe(
      'This line was delivered already. If it has keys, replace them instead.',
    )
    expect((await deliver(deliveredOrder, { text: 'x' }, { as: tradepost.other })).status).toBe(404)
  })

  test('with a bad field is refused, and the error names the field', async () => {
    const advice = await product(tradepost, { type: 'service' })
    const newOrder = await order(tradepost, advice.id, { mark_paid: true })
    const variants = [{ name: 'M', price_cents: 5, stock_quantity: 1 }]
    const mug = await product(tradepost, { type: 'physical', variants })
    const physicalOrder = await order(tradepost, mug.id, { mark_paid: true })
    const cases: [Json, Json, string][] = [
      [newOrder, {}, 'text'],
      [newOrder, { text: '' }, 'text'],
      [newOrder, { text: 'x', order_item_id: 999_999 }, 'order_item_id'],
      [physicalOrder, { text: 'x' }, 'order_item_id'],
      [newOrder, { text: 'x', keys: [] }, 'keys'],
    ]
    for (const [paidOrder, body, field] of cases) {
      const { status, json } = await deliver(paidOrder, body)
      expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', field])
    }
  })
})

describe('a replacement', () => {
  const replace = (created: Json, options = {}) =>
    tradepost.post(
      `/orders/${created.id}/deliveries/${created.deliveries[0].id}/replace`,
      {},
      options,
    )

  test('takes new keys, revokes the old ones, and does not count as a sale', async () => {
    const game = await product(tradepost, {}, { keys: keysNamed('SWAP', 4) })
    const items = [{ product_id: game.id, quantity: 2 }]
    const newOrder = await order(tradepost, game.id, { items, mark_paid: true })
    await tradepost.events()
    const { status, json } = await replace(newOrder)
    expect(status).toBe(200)
    expect(json.delivery).toMatchObject({
      status: 'delivered',
      keys: ['SWAP-000003', 'SWAP-000004'],
      order_item_id: newOrder.items[0].id,
    })
    expect(json.order.deliveries).toEqual([
      { ...newOrder.deliveries[0], status: 'replaced' },
      json.delivery,
    ])
    expect(json.order.status).toBe('completed')
    const path = `/products/${game.id}/variants/${game.variantId}/keys`
    const { keys } = (await tradepost.get(path)).json
    expect(keys.map((key: Json) => key.status)).toEqual(['sold', 'sold', 'burned', 'burned'])
    expect(await salesOf(game.id)).toEqual({ sold: 2, available: 0 })
    expect(await tradepost.events()).toEqual(['product.out_of_stock'])

    const secondReplacement = await replace(newOrder)
    const { status: repeatStatus, json: repeat } = secondReplacement
    expect([repeatStatus, repeat.code, repeat.details.status]).toEqual([
      409,
      'INVALID_STATE',
      'replaced',
    ])
    expect(secondReplacement.json.error).toMatch(/^This delivery was replaced already\./)
    const withoutKeys = await replace({ ...newOrder, deliveries: [json.delivery] })
    expect([withoutKeys.status, withoutKeys.json.code, withoutKeys.json.details.available]).toEqual(
      [409, 'OUT_OF_STOCK', 0],
    )
  })

  test('takes no keys that unpaid orders reserve, and is refused after a refund', async () => {
    const game = await product(tradepost, {}, { keys: keysNamed('HELD', 2) })
    const newOrder = await order(tradepost, game.id, { mark_paid: true })
    const unpaidOrder = await order(tradepost, game.id)
    expect((await replace(newOrder)).json.code).toBe('OUT_OF_STOCK')
    await expectSuccess(tradepost.post(`/orders/${unpaidOrder.id}/cancel`))
    await expectSuccess(tradepost.post(`/orders/${newOrder.id}/refund`))
    expect((await replace(newOrder)).json.details.status).toBe('refunded')
    expect((await replace(newOrder, { as: tradepost.other })).status).toBe(404)
  })

  test('of one key burns only this key; the new delivery has the others and the new one, and the audit trail the reason', async () => {
    const game = await product(tradepost, {}, { keys: keysNamed('ONLY-ONE', 5) })
    const items = [{ product_id: game.id, quantity: 3 }]
    const newOrder = await order(tradepost, game.id, { items, mark_paid: true })
    await tradepost.events()
    const path = `/orders/${newOrder.id}/deliveries/${newOrder.deliveries[0].id}/replace`
    const reason = 'It was used before.'
    const wrong = await tradepost.post(path, { key: 'ONLY-ONE-000004', reason })
    expect([wrong.status, wrong.json.details.field]).toEqual([422, 'key'])
    const { status, json } = await tradepost.post(path, { key: 'ONLY-ONE-000002', reason })
    expect([status, json.delivery.status]).toEqual([200, 'delivered'])
    expect(json.delivery.keys).toEqual(['ONLY-ONE-000001', 'ONLY-ONE-000003', 'ONLY-ONE-000004'])
    expect(json.order.deliveries).toEqual([
      { ...newOrder.deliveries[0], status: 'replaced' },
      json.delivery,
    ])
    const stock = await tradepost.get(`/products/${game.id}/variants/${game.variantId}/keys`)
    const states = stock.json.keys.map((key: Json) => key.status)
    // The newest key is the first.
    expect(states).toEqual(['available', 'sold', 'sold', 'burned', 'sold'])
    expect(await salesOf(game.id)).toEqual({ sold: 3, available: 1 })
    expect(await tradepost.events()).toEqual([])
    const trail = await tradepost.get(
      `/account/audit-events?object_id=${newOrder.id}&action=order.replace_delivery`,
    )
    expect(trail.json.audit_events).toMatchObject([
      {
        created_at: json.delivery.delivered_at,
        changes: { reason: { to: reason }, masked_key: { to: '••••0002' } },
      },
    ])
    expect(JSON.stringify(trail.json)).not.toContain('ONLY-ONE-')
    await expectSuccess(tradepost.post(`/orders/${newOrder.id}/refund`))
    const afterRefund = await getOrder(newOrder.id)
    expect(afterRefund.deliveries.map((delivery: Json) => delivery.status)).toEqual([
      'replaced',
      'revoked',
    ])
  })

  test('of a variant without keys is refused', async () => {
    const { id } = await product(tradepost, { type: 'service' })
    const newOrder = await order(tradepost, id, { mark_paid: true })
    expect((await replace(newOrder)).json.code).toBe('INVALID_STATE')
  })
})
