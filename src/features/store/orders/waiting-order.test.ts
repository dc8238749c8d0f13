import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addKeys, type CreatedProduct, keysNamed, order, product } from '../../../../test/build.ts'
import { expectNoFindings } from '../../../../test/findings.ts'
import { formOf } from '../../../../test/form.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'
import { HOUR_MS } from '../../../kernel/time.ts'
import { expireOrdersJob } from '../payments/index.ts'
import { sendAlertsJob } from '../stock/index.ts'

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
const stockOf = async ({ id, variantId }: CreatedProduct): Promise<Json> => {
  const { json } = await tradepost.get(`/products/${id}/variants/${variantId}/stock`)
  const { on_hand, reserved, available, sold } = json.stock
  return { on_hand, reserved, available, sold }
}
const deliver = ({ id, items }: Json, body: Json = {}) =>
  tradepost.post(`/orders/${id}/deliveries`, { order_item_id: items[0].id, ...body })
const buy = (game: CreatedProduct, quantity: number, fields: Json = {}): Promise<Json> =>
  order(tradepost, game.id, {
    items: [{ product_id: game.id, quantity }],
    mark_paid: true,
    ...fields,
  })
const preOrdered = (fields: Json = {}): Promise<CreatedProduct> =>
  product(tradepost, { variants: [{ name: 'Only', allow_backorder: true, ...fields }] })

describe('a paid order that waits for keys', () => {
  test('gets the keys that are added, and a newer buyer does not', async () => {
    const game = await preOrdered()
    const waiting = await buy(game, 2)
    expect(waiting.status).toBe('paid')
    expect(await stockOf(game)).toEqual({ on_hand: 0, reserved: 2, available: 0, sold: 0 })
    await addKeys(tradepost, game, keysNamed('WAIT', 2))
    expect(await stockOf(game)).toEqual({ on_hand: 2, reserved: 2, available: 0, sold: 0 })
    const newer = await buy(game, 1)
    expect(newer).toMatchObject({ status: 'paid', deliveries: [{ status: 'pending' }] })
    const { json } = await deliver(waiting)
    expect(json.order.status).toBe('completed')
    expect(json.delivery.keys).toEqual(keysNamed('WAIT', 2))
    expect(await stockOf(game)).toEqual({ on_hand: 0, reserved: 1, available: 0, sold: 2 })
    await addKeys(tradepost, game, keysNamed('LATER', 2))
    await expectSuccess(deliver(newer))
    expect(await stockOf(game)).toEqual({ on_hand: 1, reserved: 0, available: 1, sold: 3 })
  })

  test('keeps the last keys from buyers who would get them at once', async () => {
    const game = await preOrdered()
    await buy(game, 1)
    await tradepost.patch(`/products/${game.id}/variants/${game.variantId}`, {
      allow_backorder: false,
    })
    await addKeys(tradepost, game, keysNamed('LAST', 1))
    const { status, json } = await tradepost.post('/orders', {
      items: [{ product_id: game.id, quantity: 1 }],
      customer: { email: 'new@example.com' },
    })
    expect([status, json.code, json.details.available]).toEqual([409, 'OUT_OF_STOCK', 0])
    expect((await tradepost.get(`/products/${game.id}`)).json.variants[0].stock_quantity).toBe(0)
  })

  test('that was paid after it had expired gets the next key too', async () => {
    const game = await product(tradepost, {}, { keys: keysNamed('EXP', 1) })
    const late = await order(tradepost, game.id)
    tradepost.forward(HOUR_MS)
    await expireOrdersJob.run(tradepost.app)
    await buy(game, 1)
    await expectSuccess(tradepost.post(`/orders/${late.id}/manual-payments`))
    expect((await getOrder(late.id)).status).toBe('paid')
    expect(await stockOf(game)).toEqual({ on_hand: 0, reserved: 1, available: 0, sold: 1 })
    await addKeys(tradepost, game, keysNamed('EXP-NEXT', 1))
    expect((await stockOf(game)).available).toBe(0)
    await expectSuccess(deliver(late))
    expect(await stockOf(game)).toEqual({ on_hand: 0, reserved: 0, available: 0, sold: 2 })
  })

  test('that was paid while it was on hold waits since its release', async () => {
    const game = await preOrdered()
    const held = await order(tradepost, game.id)
    await expectSuccess(tradepost.post(`/orders/${held.id}/hold`))
    await expectSuccess(tradepost.post(`/orders/${held.id}/manual-payments`))
    expect((await stockOf(game)).reserved).toBe(0)
    await expectSuccess(tradepost.post(`/orders/${held.id}/release`))
    expect((await stockOf(game)).reserved).toBe(1)
    await addKeys(tradepost, game, keysNamed('HELD', 1))
    await expectSuccess(deliver(held))
    expect(await stockOf(game)).toEqual({ on_hand: 0, reserved: 0, available: 0, sold: 1 })
  })

  test.each([
    ['is refunded', (waiting: Json) => tradepost.post(`/orders/${waiting.id}/refund`), 0],
    ['gets a text instead', (waiting: Json) => deliver(waiting, { text: 'KEY-1' }), 1],
  ])('waits for no keys once it %s', async (_, end, sold) => {
    const game = await preOrdered()
    const waiting = await buy(game, 1)
    await addKeys(tradepost, game, keysNamed('FREE', 1))
    await expectSuccess(end(waiting))
    expect(await stockOf(game)).toEqual({ on_hand: 1, reserved: 0, available: 1, sold })
  })

  test('does not keep the seller from deleting keys, and the deletion reports no second time that stock ran out', async () => {
    const game = await preOrdered()
    await addKeys(tradepost, game, keysNamed('WRONG', 1))
    await buy(game, 2)
    const path = `/products/${game.id}/variants/${game.variantId}/keys`
    const import_id = 'a-list-of-wrong-keys'
    await expectSuccess(tradepost.post(path, { keys: ['WRONG-0002'], import_id }))
    await tradepost.events()
    await expectSuccess(tradepost.delete(path.replace('/keys', `/key-imports/${import_id}`)))
    expect(await stockOf(game)).toEqual({ on_hand: 1, reserved: 2, available: 0, sold: 0 })
    expect(await tradepost.events()).toEqual([])
  })

  test('keeps its keys when the seller deletes all keys', async () => {
    const game = await preOrdered()
    await buy(game, 2)
    await addKeys(tradepost, game, keysNamed('ALL', 3))
    const path = `/products/${game.id}/variants/${game.variantId}/keys`
    expect((await tradepost.delete(path)).json.count).toBe(1)
    expect(await stockOf(game)).toEqual({ on_hand: 2, reserved: 2, available: 0, sold: 0 })
  })
})

const COUNTED = { name: 'Only', allow_backorder: true, stock_mode: 'manual', stock_quantity: 1 }

describe('a paid order that waits for the stock of a file', () => {
  test('gets the file once its stock suffices', async () => {
    const album = await product(tradepost, { type: 'file', variants: [COUNTED] })
    const file = { bytes: Buffer.from('Music.'), name: 'album.zip', type: 'application/zip' }
    await expectSuccess(tradepost.post(`/products/${album.id}/files`, undefined, formOf([file])))
    const waiting = await buy(album, 2)
    expect(waiting.deliveries).toMatchObject([{ status: 'pending' }])
    expect((await deliver(waiting)).json.details).toMatchObject({ available: 1, missing: 1 })
    const path = `/products/${album.id}/variants/${album.variantId}/stock`
    await expectSuccess(tradepost.patch(path, { delta: 2 }))
    expect((await expectSuccess(deliver(waiting))).order.status).toBe('completed')
    expect(await stockOf(album)).toEqual({ on_hand: 1, reserved: 0, available: 1, sold: 2 })
  })
})

describe('a paid order that waits for license keys', () => {
  test('gets them once their stock suffices', async () => {
    const app = await product(tradepost, { type: 'license', variants: [COUNTED] })
    const waiting = await buy(app, 2)
    expect(waiting.deliveries).toMatchObject([{ status: 'pending', keys_count: 0 }])
    expect((await deliver(waiting)).json.code).toBe('OUT_OF_STOCK')
    const path = `/products/${app.id}/variants/${app.variantId}/stock`
    await expectSuccess(tradepost.patch(path, { delta: 1 }))
    await tradepost.events()
    const { delivery, order: delivered } = await expectSuccess(deliver(waiting))
    expect(delivery).toMatchObject({ status: 'delivered', keys_count: 2, text: null })
    expect(delivered.status).toBe('completed')
    expect(await tradepost.events()).toEqual(['order.completed'])
    expect(await stockOf(app)).toEqual({ on_hand: 0, reserved: 0, available: 0, sold: 2 })
    expect((await deliver(waiting)).json.code).toBe('INVALID_STATE')
  })
})

describe('a paid order that is larger than the stock', () => {
  test('takes the last units from sale, and reports that stock ran out', async () => {
    const game = await preOrdered()
    const unpaid = await order(tradepost, game.id, {
      items: [{ product_id: game.id, quantity: 3 }],
    })
    await addKeys(tradepost, game, keysNamed('FEW', 2))
    await tradepost.events()
    await expectSuccess(tradepost.post(`/orders/${unpaid.id}/manual-payments`))
    expect(await stockOf(game)).toEqual({ on_hand: 2, reserved: 3, available: 0, sold: 0 })
    expect(await tradepost.events()).toEqual(['product.out_of_stock'])
  })
})

describe('units that are added while a paid order waits for them', () => {
  test('are reported as added, and not mailed to those who wait for the product', async () => {
    const game = await preOrdered()
    await buy(game, 1)
    const path = `/products/${game.id}/stock-alerts`
    await expectSuccess(tradepost.post(path, { email: 'waits@example.com' }))
    const alertStatus = async () => {
      await sendAlertsJob.run(tradepost.app)
      return (await tradepost.get(path)).json.stock_alerts[0].status
    }
    await tradepost.events()
    await addKeys(tradepost, game, keysNamed('ALERT', 1))
    expect(await tradepost.events()).toEqual(['product.restocked'])
    expect(await alertStatus()).toBe('pending')
    await addKeys(tradepost, game, keysNamed('ALERT-MORE', 1))
    expect(await alertStatus()).toBe('notified')
  })

  test('are sent to the waiting order first if the quantity is counted by the seller', async () => {
    const mug = await product(tradepost, {
      type: 'physical',
      variants: [{ name: 'Mug', allow_backorder: true, stock_quantity: 0 }],
    })
    const waiting = await buy(mug, 2)
    const path = `/products/${mug.id}/variants/${mug.variantId}/stock`
    const deltaAnswer = await tradepost.patch(path, { delta: 3 })
    expect(deltaAnswer.json.stock).toMatchObject({ on_hand: 3, reserved: 2, available: 1 })
    const { json } = await tradepost.patch(path, { quantity: 5 })
    expect(json.stock).toMatchObject({ on_hand: 7, reserved: 2, available: 5 })
    const item = { order_item_id: waiting.items[0].id, quantity: 2 }
    await expectSuccess(tradepost.post(`/orders/${waiting.id}/fulfillments`, { items: [item] }))
    expect(await stockOf(mug)).toEqual({ on_hand: 5, reserved: 0, available: 5, sold: 2 })
  })
})
