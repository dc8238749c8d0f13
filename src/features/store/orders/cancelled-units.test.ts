import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addKeys, type CreatedProduct, keysNamed, order, product } from '../../../../test/build.ts'
import { expectNoFindings } from '../../../../test/findings.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'

// Units that are refunded before they are delivered (decision 185).

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(async () => {
  await expectNoFindings(tradepost)
  await tradepost.close()
})

const getOrder = async ({ id }: Json): Promise<Json> =>
  (await tradepost.get(`/orders/${id}`)).json.order
const stockOf = async ({ id, variantId }: CreatedProduct): Promise<Json> => {
  const { json } = await tradepost.get(`/products/${id}/variants/${variantId}/stock`)
  const { on_hand, reserved, available, sold } = json.stock
  return { on_hand, reserved, available, sold }
}
const linesOf = (lines: readonly (readonly [CreatedProduct, number])[]) =>
  lines.map(([{ id: product_id }, quantity]) => ({ product_id, quantity }))
const buy = (lines: readonly (readonly [CreatedProduct, number])[], fields: Json = {}) =>
  order(tradepost, lines[0]?.[0].id ?? '', { items: linesOf(lines), mark_paid: true, ...fields })
const refund = ({ id, items }: Json, units: Readonly<Record<number, number>>, fields: Json = {}) =>
  tradepost.post(`/orders/${id}/refund`, {
    items: Object.entries(units).map(([index, quantity]) => ({
      order_item_id: items[Number(index)].id,
      quantity,
      ...fields.item,
    })),
    ...fields.body,
  })
const deliver = ({ id, items }: Json, body: Json = {}) =>
  tradepost.post(`/orders/${id}/deliveries`, { order_item_id: items[0].id, ...body })
const ship = ({ id }: Json, body: Json = {}) => tradepost.post(`/orders/${id}/fulfillments`, body)
const preOrdered = (): Promise<CreatedProduct> =>
  product(tradepost, { variants: [{ name: 'Only', allow_backorder: true }] })
const mugs = (stock_quantity = 10): Promise<CreatedProduct> =>
  product(tradepost, { type: 'physical', variants: [{ name: 'Mug', stock_quantity }] })

describe('units of a line that waits for keys', () => {
  test('are not needed any more once they are refunded', async () => {
    const game = await preOrdered()
    const waiting = await buy([[game, 3]])
    const { json } = await refund(waiting, { 0: 1 })
    expect(json.order).toMatchObject({
      status: 'paid',
      items: [{ quantity: 3, cancelled_quantity: 1 }],
      deliveries: [{ status: 'pending' }],
    })
    expect((await stockOf(game)).reserved).toBe(2)
    await addKeys(tradepost, game, keysNamed('TWO', 3))
    expect((await stockOf(game)).available).toBe(1)
    await tradepost.events()
    const delivered = await expectSuccess(deliver(waiting))
    expect(delivered.delivery.keys).toEqual(keysNamed('TWO', 2))
    expect(delivered.order.status).toBe('completed')
    expect(await stockOf(game)).toEqual({ on_hand: 1, reserved: 0, available: 1, sold: 2 })
    expect(await tradepost.events()).toEqual(['order.completed'])
  })

  test('complete the order if all of them are refunded and nothing else waits', async () => {
    const game = await preOrdered()
    const service = await product(tradepost, { type: 'service' })
    const waiting = await buy([
      [game, 2],
      [service, 1],
    ])
    const service_item_id = waiting.items[1].id
    await expectSuccess(deliver(waiting, { order_item_id: service_item_id, text: 'Done.' }))
    await tradepost.events()
    const { json } = await refund(waiting, { 0: 2 })
    expect(json.order).toMatchObject({ status: 'completed', refund_status: 'partial' })
    expect(json.order.deliveries.map(({ status }: Json) => status)).toEqual([
      'revoked',
      'delivered',
    ])
    expect(await tradepost.events()).toEqual(['order.refunded', 'order.completed'])
    const completed = (await tradepost.payloads('order.completed')).at(-1).data.object
    expect(completed.deliveries).toMatchObject([{ order_item_id: service_item_id, text: 'Done.' }])
    expect(await stockOf(game)).toEqual({ on_hand: 0, reserved: 0, available: 0, sold: 0 })
    expect((await deliver(waiting)).status).toBe(409)
  })

  test.each([
    ['by a part of their price', { item: { amount_cents: 1 } }],
    ['by an amount without items', { body: { items: undefined, amount_cents: 100 } }],
  ])('are still needed if they are refunded %s', async (_, fields) => {
    const game = await preOrdered()
    const waiting = await buy([[game, 3]])
    const { json } = await refund(waiting, { 0: 1 }, fields)
    expect(json.order.items[0].cancelled_quantity).toBe(0)
    expect((await stockOf(game)).reserved).toBe(3)
  })

  test('are cancelled by the refund that returns the rest of their price', async () => {
    const game = await preOrdered()
    const waiting = await buy([[game, 2]])
    const { total_cents } = waiting.items[0]
    await expectSuccess(refund(waiting, { 0: 1 }, { item: { amount_cents: 1 } }))
    const amount_cents = total_cents - 2
    const { json } = await refund(waiting, { 0: 1 }, { item: { amount_cents } })
    expect(json.order.items[0].cancelled_quantity).toBe(1)
  })

  test('are taken from the keys that the line reserves, after those that it waits for', async () => {
    const game = await preOrdered()
    await addKeys(tradepost, game, keysNamed('HELD', 2))
    const waiting = await buy([[game, 3]])
    expect(await stockOf(game)).toEqual({ on_hand: 2, reserved: 3, available: 0, sold: 0 })
    await expectSuccess(refund(waiting, { 0: 2 }))
    expect(await stockOf(game)).toEqual({ on_hand: 2, reserved: 1, available: 1, sold: 0 })
    const { delivery } = await expectSuccess(deliver(waiting))
    expect(delivery.keys).toHaveLength(1)
  })

  test('are not delivered by the release of an order that was paid while it was on hold', async () => {
    const game = await product(tradepost, {}, { keys: keysNamed('RELEASE', 5) })
    const held = await order(tradepost, game.id, { items: linesOf([[game, 3]]) })
    await expectSuccess(tradepost.post(`/orders/${held.id}/hold`))
    await expectSuccess(tradepost.post(`/orders/${held.id}/manual-payments`))
    await expectSuccess(refund(held, { 0: 2 }))
    await expectSuccess(tradepost.post(`/orders/${held.id}/release`))
    const { status, deliveries } = await getOrder(held)
    expect([status, deliveries[0].keys]).toEqual(['completed', keysNamed('RELEASE', 1)])
    expect(await stockOf(game)).toEqual({ on_hand: 4, reserved: 0, available: 4, sold: 1 })
  })

  test('are refused to the seller with the number of keys to add', async () => {
    const game = await preOrdered()
    const waiting = await buy([[game, 3]])
    await addKeys(tradepost, game, keysNamed('SHORT', 1))
    const { status, json } = await deliver(waiting)
    expect([status, json.code, json.error]).toEqual([
      409,
      'OUT_OF_STOCK',
      'Only 1 left of Game (Only) for this line, which needs 3. Add 2 or more first.',
    ])
    expect(json.details).toMatchObject({ available: 1, missing: 2, variant_id: game.variantId })
  })

  test('are counted by their keys if the seller counts the stock in another way', async () => {
    const variants = [{ name: 'Only', stock_mode: 'unlimited', allow_backorder: true }]
    const game = await product(tradepost, { variants })
    const waiting = await buy([[game, 2]])
    await addKeys(tradepost, game, keysNamed('OTHER', 1))
    const { json } = await deliver(waiting)
    expect(json.details).toMatchObject({ available: 1, missing: 1 })
  })
})

describe('units that are in no parcel', () => {
  test('leave the parcels once they are refunded', async () => {
    const mug = await mugs()
    const paid = await buy([[mug, 3]])
    await expectSuccess(refund(paid, { 0: 1 }))
    const item = { order_item_id: paid.items[0].id, quantity: 3 }
    const tooMany = await ship(paid, { items: [item] })
    expect([tooMany.status, tooMany.json.details.errors[0].limit]).toEqual([422, 2])
    const { fulfillment } = await expectSuccess(ship(paid))
    expect(fulfillment.items).toEqual([{ ...item, quantity: 2 }])
    expect(await getOrder(paid)).toMatchObject({
      status: 'completed',
      fulfillment_status: 'fulfilled',
    })
  })

  test('complete the order if the others are shipped', async () => {
    const mug = await mugs()
    const paid = await buy([[mug, 3]])
    const order_item_id = paid.items[0].id
    await expectSuccess(ship(paid, { items: [{ order_item_id, quantity: 2 }] }))
    await tradepost.events()
    const { json } = await refund(paid, { 0: 2 })
    expect(json.order).toMatchObject({
      status: 'completed',
      fulfillment_status: 'fulfilled',
      items: [{ cancelled_quantity: 1 }],
    })
    expect(await tradepost.events()).toEqual(['order.refunded', 'order.completed'])
  })

  test('need no parcel if the whole line is refunded', async () => {
    const mug = await mugs()
    const service = await product(tradepost, { type: 'service' })
    const paid = await buy([
      [service, 1],
      [mug, 1],
    ])
    const { json } = await refund(paid, { 1: 1 })
    expect(json.order).toMatchObject({ status: 'paid', fulfillment_status: 'not_required' })
    expect((await deliver(paid, { text: 'Done.' })).json.order.status).toBe('completed')
  })

  test('go back to stock with restock, and only once', async () => {
    const mug = await mugs(5)
    const paid = await buy([[mug, 3]])
    await tradepost.events()
    const { json } = await refund(paid, { 0: 1 }, { body: { restock: true } })
    expect(json.refund.restock).toBe(true)
    expect(await tradepost.events()).toEqual(['order.refunded', 'product.restocked'])
    expect(await stockOf(mug)).toEqual({ on_hand: 3, reserved: 0, available: 3, sold: 3 })
    await expectSuccess(tradepost.post(`/orders/${paid.id}/refund`, { restock: true }))
    expect((await stockOf(mug)).on_hand).toBe(5)
  })

  test('stay out of stock without restock, until a whole refund returns them', async () => {
    const mug = await mugs(5)
    const paid = await buy([[mug, 3]])
    await expectSuccess(refund(paid, { 0: 1 }))
    expect((await stockOf(mug)).on_hand).toBe(2)
    await expectSuccess(tradepost.post(`/orders/${paid.id}/refund`, { restock: true }))
    expect((await stockOf(mug)).on_hand).toBe(5)
  })

  test('cannot be returned, and the refund of a return does not count them', async () => {
    const mug = await mugs()
    const paid = await buy([[mug, 3]])
    await expectSuccess(refund(paid, { 0: 1 }))
    await expectSuccess(ship(paid))
    const order_item_id = paid.items[0].id
    const body = (quantity: number) => ({
      order_id: paid.id,
      items: [{ order_item_id, quantity, reason: 'too_small' }],
    })
    expect((await tradepost.post('/returns', body(3))).status).toBe(422)
    const { return: created } = await expectSuccess(tradepost.post('/returns', body(2)))
    for (const step of ['approve', 'receive'])
      await expectSuccess(tradepost.post(`/returns/${created.id}/${step}`))
    const refunded = await expectSuccess(tradepost.post(`/returns/${created.id}/refund`))
    const unit_cents = paid.items[0].unit_price_cents
    expect(refunded.return.refund_amount_cents).toBe(2 * unit_cents)
    expect((await stockOf(mug)).on_hand).toBe(9)
  })
})

describe('restock with items is refused', () => {
  const refusalOf = async (paid: Json, fields: Json) => {
    const { status, json } = await refund(paid, { 0: 2 }, fields)
    return [status, json.details.field, json.details.errors[0].message]
  }

  test('for units that the buyer has', async () => {
    const mug = await mugs()
    const paid = await buy([[mug, 3]])
    const items = [{ order_item_id: paid.items[0].id, quantity: 2 }]
    await expectSuccess(ship(paid, { items }))
    expect(await refusalOf(paid, { body: { restock: true } })).toEqual([
      422,
      'restock',
      expect.stringContaining('Only units that are not delivered can go back to stock.'),
    ])
    expect((await getOrder(paid)).refunded_cents).toBe(0)
  })

  test('for units that are still delivered, because a part of their price stays paid', async () => {
    const paid = await buy([[await mugs(), 3]])
    const fields = { body: { restock: true }, item: { amount_cents: 1 } }
    expect(await refusalOf(paid, fields)).toEqual([
      422,
      'restock',
      expect.stringContaining('Units whose price is refunded in part are still delivered.'),
    ])
  })
})
