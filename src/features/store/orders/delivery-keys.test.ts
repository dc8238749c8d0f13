import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addKeys, keysNamed, order, product } from '../../../../test/build.ts'
import {
  type CallOptions,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'

let tradepost: Tradepost
const KEYS = keysNamed('MANY-AAAA-BBBB', 2_300)
let made: Json

beforeAll(async () => {
  tradepost = await openTradepost()
  const game = await product(tradepost, {}, { keys: KEYS })
  await tradepost.events()
  const items = [{ product_id: game.id, quantity: KEYS.length }]
  made = await order(tradepost, game.id, { items, mark_paid: true })
})
afterAll(() => tradepost.close())

const keysOf = ({ id, deliveries }: Json, query = '', options: CallOptions = {}) =>
  tradepost.get(`/orders/${id}/deliveries/${deliveries[0].id}/keys${query}`, options)

describe('a delivery of many keys', () => {
  test('shows the first 1,000 in every answer, and says how many there are (decision 145)', async () => {
    expect(made.status).toBe('completed')
    const shown = { keys: KEYS.slice(0, 1_000), keys_count: 2_300 }
    expect(made.deliveries).toMatchObject([shown])
    const { json: read } = await tradepost.get(`/orders/${made.id}`)
    expect(read.order.deliveries).toEqual(made.deliveries)
    const { json: listed } = await tradepost.get(`/orders/${made.id}/deliveries`)
    expect(listed.deliveries).toEqual(made.deliveries)
  })

  test('is cut in the event too (decision 145)', async () => {
    expect(await tradepost.events()).toContain('order.completed')
    const sent = (await tradepost.payloads('order.completed')).at(-1).data.object
    expect(sent.deliveries).toMatchObject([{ keys: KEYS.slice(0, 1_000), keys_count: 2_300 }])
  })

  test('lists all of them in pages (decision 145)', async () => {
    const { status, json } = await keysOf(made)
    expect(status).toBe(200)
    expect(json).toEqual({
      success: true,
      keys: KEYS.slice(0, 25),
      pagination: { total: 2_300, limit: 25, offset: 0, has_more: true },
    })
    const last = await keysOf(made, '?limit=100&offset=2250')
    expect(last.json.keys).toEqual(KEYS.slice(2_250))
    expect(last.json.pagination).toMatchObject({ total: 2_300, has_more: false })
    const beyond = await keysOf(made, '?offset=9999')
    expect([beyond.status, beyond.json.keys]).toEqual([200, []])
  })

  test('is not listed with a bad page, for another order or store, or without orders:read', async () => {
    const bad = await keysOf(made, '?limit=101')
    expect([bad.status, bad.json.details.field]).toEqual([422, 'limit'])
    const { id } = await product(tradepost, { type: 'service' })
    const other = await order(tradepost, id)
    const [delivery] = made.deliveries
    for (const path of [
      `/orders/${other.id}/deliveries/${delivery.id}/keys`,
      `/orders/${made.id}/deliveries/999999999/keys`,
      `/orders/ord_0000000000000000000001/deliveries/${delivery.id}/keys`,
    ]) {
      const { status, json } = await tradepost.get(path)
      expect([path, status, json.code]).toEqual([path, 404, 'NOT_FOUND'])
    }
    expect((await keysOf(made, '', { as: tradepost.other })).status).toBe(404)
    const as = await tradepost.key({ permissions: ['orders:write'] })
    expect((await keysOf(made, '', { as })).json.code).toBe('INSUFFICIENT_SCOPE')
  })

  test('names in the delivery message those that it shows, and counts the others', async () => {
    const { status } = await tradepost.post(`/orders/${made.id}/deliveries/resend`)
    expect(status).toBe(200)
  })
})

test('all deliveries of an order together show 10,000 keys (decision 145)', async () => {
  const game = await product(tradepost, {}, { keys: keysNamed('LOTS-AAAA-BBBB', 1_010) })
  const items = [{ product_id: game.id, quantity: 1_000 }]
  const sold = await order(tradepost, game.id, { items, mark_paid: true })
  const [first] = sold.deliveries
  // As if its keys had been replaced eleven times.
  await sql`
    with made as (
      insert into delivery (store_id, order_id, order_item_id, product_id, product_hash, variant_id, type,
                            status, attempts, created_at)
      select d.store_id, d.order_id, d.order_item_id, d.product_id, d.product_hash, d.variant_id, d.type,
             'replaced', 1, d.created_at
        from delivery d, generate_series(1, 11)
       where d.id = ${first.id}
      returning store_id, id
    )
    insert into delivery_key (store_id, delivery_id, stock_key_id, live)
    select m.store_id, m.id, l.stock_key_id, false
      from made m
      join delivery_key l on l.store_id = m.store_id and l.delivery_id = ${first.id}`.execute(
    tradepost.db,
  )
  const { deliveries } = (await tradepost.get(`/orders/${sold.id}`)).json.order
  const counts = deliveries.map(({ keys, keys_count }: Json) => [keys.length, keys_count])
  expect(counts).toEqual([...Array(10).fill([1_000, 1_000]), ...Array(2).fill([0, 1_000])])
})

test('license keys of a line beyond the first 20 are shown in their order, and listed (decision 145)', async () => {
  const app = await product(tradepost, { type: 'license' })
  const items = [{ product_id: app.id, quantity: 45 }]
  const sold = await order(tradepost, app.id, { items, mark_paid: true })
  const [{ keys, keys_count }] = sold.deliveries
  expect([new Set(keys).size, keys_count]).toEqual([45, 45])
  const { json } = await keysOf(sold, '?limit=10&offset=30')
  expect(json.keys).toEqual(keys.slice(30, 40))
})

test('keys that replaced others are those that are listed', async () => {
  const game = await product(tradepost, {}, { keys: keysNamed('SWAP-AAAA-BBBB', 1) })
  const sold = await order(tradepost, game.id, { mark_paid: true })
  await addKeys(tradepost, game, ['SWAP-NEW-000001'])
  const { json } = await tradepost.post(
    `/orders/${sold.id}/deliveries/${sold.deliveries[0].id}/replace`,
  )
  expect(json.delivery).toMatchObject({ keys: ['SWAP-NEW-000001'], keys_count: 1 })
  const listed = await keysOf({ id: sold.id, deliveries: [json.delivery] })
  expect(listed.json.keys).toEqual(['SWAP-NEW-000001'])
})
