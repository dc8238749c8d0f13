import { afterAll, beforeAll, expect, test } from 'vitest'
import { addKeys, order, product, type Stocked } from '../../../../test/build.ts'
import {
  type CallOptions,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'

let tradepost: Tradepost
let game: Stocked

beforeAll(async () => {
  tradepost = await openTradepost()
  game = await product(tradepost, {}, { keys: ['SOLD-1', 'SOLD-2'] })
})
afterAll(() => tradepost.close())

const sell = (fields: Json = {}, of = game): Promise<Json> =>
  order(tradepost, of.id, { mark_paid: true, ...fields })

async function found(search: string, options: CallOptions = {}): Promise<string[]> {
  const query = new URLSearchParams({ search })
  const { status, json } = await tradepost.get(`/orders?${query}`, options)
  expect(status).toBe(200)
  expect(json.pagination.total).toBe(json.orders.length)
  return json.orders.map(({ id }: Json) => id)
}

test('a search finds the order of a whole stock key, and nothing by a part of it (decision 328)', async () => {
  const [one, two] = [await sell(), await sell()]
  expect(await found('SOLD-1')).toEqual([one.id])
  expect(await found('SOLD-2')).toEqual([two.id])
  for (const text of ['SOLD-', 'sold-1', 'SOLD-1 ']) expect(await found(text), text).toEqual([])
})

test('a search combines with other filters, and still finds a part of an email', async () => {
  await addKeys(tradepost, game, ['bob'])
  const one = await sell({ customer: { email: 'cy@example.com' } })
  const two = await sell({
    customer: { email: 'bob@example.com' },
    items: [{ product_id: (await product(tradepost, { type: 'service' })).id, quantity: 1 }],
  })
  expect(await found('bob')).toEqual([two.id, one.id])
  const { json } = await tradepost.get('/orders?search=bob&email=cy@example.com')
  expect(json.orders.map(({ id }: Json) => id)).toEqual([one.id])
})

test('a key that was replaced or taken back still finds its order', async () => {
  await addKeys(tradepost, game, ['BAD-1', 'GOOD-1'])
  const replaced = await sell()
  const [delivery] = replaced.deliveries
  await tradepost.post(`/orders/${replaced.id}/deliveries/${delivery.id}/replace`)
  expect(await found('BAD-1')).toEqual([replaced.id])
  expect(await found('GOOD-1')).toEqual([replaced.id])

  await addKeys(tradepost, game, ['BACK-1'])
  const first = await sell()
  const refund = await tradepost.post(`/orders/${first.id}/refund`, { restock: true })
  expect(refund.status).toBe(201)
  expect(await found('BACK-1')).toEqual([first.id])
  const second = await sell()
  expect(await found('BACK-1')).toEqual([second.id, first.id])
})

test('a key is found in its own store and side only, and a key without orders:read finds nothing', async () => {
  const other = await product(tradepost, {}, { keys: ['MINE-1', 'UNSOLD-1'] })
  const mine = await sell({}, other)
  expect(await found('MINE-1')).toEqual([mine.id])
  expect(await found('UNSOLD-1')).toEqual([])
  expect(await found('MINE-1', { as: tradepost.other })).toEqual([])
  expect(await found('MINE-1', { as: tradepost.test })).toEqual([])
  const as = await tradepost.key({ permissions: ['stock:read'] })
  const refused = await tradepost.get('/orders?search=MINE-1', { as })
  expect([refused.status, refused.json.code]).toEqual([403, 'INSUFFICIENT_SCOPE'])
})

test('the search for a key is one statement more', async () => {
  const sent = await tradepost.statements(() => found('SOLD-1'))
  expect(sent.filter((text) => text.includes('from "order"'))).toHaveLength(2)
  expect(sent.filter((text) => text.includes('stock_key'))).toHaveLength(1)
})
