import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addKeys, keysNamed, order, product } from '../../../../test/build.ts'
import {
  type CallOptions,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'
import { mailsTo } from '../../../../test/mails.ts'

let tradepost: Tradepost
const KEYS = keysNamed('MANY-AAAA-BBBB', 2_300)
let paidOrder: Json

beforeAll(async () => {
  tradepost = await openTradepost()
  const game = await product(tradepost, {}, { keys: KEYS })
  await tradepost.events()
  const items = [{ product_id: game.id, quantity: KEYS.length }]
  paidOrder = await order(tradepost, game.id, { items, mark_paid: true })
})
afterAll(() => tradepost.close())

const keysOf = ({ id, deliveries }: Json, query = '', options: CallOptions = {}) =>
  tradepost.get(`/orders/${id}/deliveries/${deliveries[0].id}/keys${query}`, options)

describe('a delivery of many keys', () => {
  test('shows the first 1,000 in every answer, with their total number (decision 145)', async () => {
    expect(paidOrder.status).toBe('completed')
    const firstKeys = { keys: KEYS.slice(0, 1_000), keys_count: 2_300 }
    expect(paidOrder.deliveries).toMatchObject([firstKeys])
    const { json: orderAnswer } = await tradepost.get(`/orders/${paidOrder.id}`)
    expect(orderAnswer.order.deliveries).toEqual(paidOrder.deliveries)
    const { json: deliveriesAnswer } = await tradepost.get(`/orders/${paidOrder.id}/deliveries`)
    expect(deliveriesAnswer.deliveries).toEqual(paidOrder.deliveries)
  })

  test('shows the first 1,000 in the event order.completed, with their total number (decision 145)', async () => {
    expect(await tradepost.events()).toContain('order.completed')
    const eventObject = (await tradepost.payloads('order.completed')).at(-1).data.object
    expect(eventObject.deliveries).toMatchObject([
      { keys: KEYS.slice(0, 1_000), keys_count: 2_300 },
    ])
  })

  test('is listed in pages (decision 145)', async () => {
    const { status, json } = await keysOf(paidOrder)
    expect(status).toBe(200)
    expect(json).toEqual({
      success: true,
      keys: KEYS.slice(0, 25),
      pagination: { total: 2_300, limit: 25, offset: 0, has_more: true },
    })
    const lastPage = await keysOf(paidOrder, '?limit=100&offset=2250')
    expect(lastPage.json.keys).toEqual(KEYS.slice(2_250))
    expect(lastPage.json.pagination).toMatchObject({ total: 2_300, has_more: false })
    const beyond = await keysOf(paidOrder, '?offset=9999')
    expect([beyond.status, beyond.json.keys]).toEqual([200, []])
  })

  test('is not listed with a bad page, for another order or store, or without orders:read', async () => {
    const badPage = await keysOf(paidOrder, '?limit=101')
    expect([badPage.status, badPage.json.details.field]).toEqual([422, 'limit'])
    const { id } = await product(tradepost, { type: 'service' })
    const otherOrder = await order(tradepost, id)
    const [delivery] = paidOrder.deliveries
    for (const path of [
      `/orders/${otherOrder.id}/deliveries/${delivery.id}/keys`,
      `/orders/${paidOrder.id}/deliveries/999999999/keys`,
      `/orders/ord_0000000000000000000001/deliveries/${delivery.id}/keys`,
    ]) {
      const { status, json } = await tradepost.get(path)
      expect([path, status, json.code]).toEqual([path, 404, 'NOT_FOUND'])
    }
    expect((await keysOf(paidOrder, '', { as: tradepost.other })).status).toBe(404)
    const as = await tradepost.key({ permissions: ['orders:write'] })
    expect((await keysOf(paidOrder, '', { as })).json.code).toBe('INSUFFICIENT_SCOPE')
  })

  test('is mailed with the first 1,000 keys and the number of the others', async () => {
    const { status } = await tradepost.post(`/orders/${paidOrder.id}/deliveries/resend`)
    expect(status).toBe(200)
    const [mail] = await mailsTo(tradepost, 'ada@example.com')
    const lines = mail.text.split('\n')
    const start = lines.indexOf('2300 × Game')
    expect(lines.slice(start, start + 1_002)).toEqual([
      '2300 × Game',
      ...KEYS.slice(0, 1_000),
      'and 1300 more, on your order page',
    ])
  })
})

test('the deliveries of an order together show at most 10,000 keys (decision 145)', async () => {
  const game = await product(tradepost, {}, { keys: keysNamed('LOTS-AAAA-BBBB', 1_010) })
  const items = [{ product_id: game.id, quantity: 1_000 }]
  const soldOrder = await order(tradepost, game.id, { items, mark_paid: true })
  const [first] = soldOrder.deliveries
  // The rows that eleven replacements of the delivery would leave.
  await sql`
    with new_delivery as (
      insert into delivery (store_id, order_id, order_item_id, product_id, product_hash, variant_id, type,
                            status, attempts, created_at)
      select store_id, order_id, order_item_id, product_id, product_hash, variant_id, type,
             'replaced', 1, created_at
        from delivery, generate_series(1, 11)
       where id = ${first.id}
      returning store_id, id
    )
    insert into delivery_key (store_id, delivery_id, stock_key_id, live)
    select new_delivery.store_id, new_delivery.id, stock_key_id, false
      from new_delivery
      join delivery_key using (store_id)
     where delivery_key.delivery_id = ${first.id}`.execute(tradepost.db)
  const { deliveries } = (await tradepost.get(`/orders/${soldOrder.id}`)).json.order
  const counts = deliveries.map(({ keys, keys_count }: Json) => [keys.length, keys_count])
  expect(counts).toEqual([...Array(10).fill([1_000, 1_000]), ...Array(2).fill([0, 1_000])])
})

test('all license keys of an order line with quantity 45 are shown, and the list has them in the same sequence (decision 145)', async () => {
  const app = await product(tradepost, { type: 'license' })
  const items = [{ product_id: app.id, quantity: 45 }]
  const soldOrder = await order(tradepost, app.id, { items, mark_paid: true })
  const [{ keys, keys_count }] = soldOrder.deliveries
  expect([new Set(keys).size, keys_count]).toEqual([45, 45])
  const { json } = await keysOf(soldOrder, '?limit=10&offset=30')
  expect(json.keys).toEqual(keys.slice(30, 40))
})

test('the list of a replacement contains its keys, and not the replaced ones', async () => {
  const game = await product(tradepost, {}, { keys: keysNamed('SWAP-AAAA-BBBB', 1) })
  const soldOrder = await order(tradepost, game.id, { mark_paid: true })
  await addKeys(tradepost, game, ['SWAP-NEW-000001'])
  const { json } = await tradepost.post(
    `/orders/${soldOrder.id}/deliveries/${soldOrder.deliveries[0].id}/replace`,
  )
  expect(json.delivery).toMatchObject({ keys: ['SWAP-NEW-000001'], keys_count: 1 })
  const keysAnswer = await keysOf({ id: soldOrder.id, deliveries: [json.delivery] })
  expect(keysAnswer.json.keys).toEqual(['SWAP-NEW-000001'])
})
