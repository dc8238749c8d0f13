import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { order, product } from '../build.ts'
import type { Json, Tradepost } from '../harness.ts'
import { openUnlimited } from './prepared-calls.ts'

// Pages of orders and of customers after a cursor (decision 487).

let tradepost: Tradepost
let productId: string
let orderCount = 0

beforeAll(async () => {
  tradepost = await openUnlimited()
  productId = (await product(tradepost, { type: 'service' })).id
  for (let n = 0; n < 7; n++) await addOrder()
})
afterAll(() => tradepost.close())

/** Creates an order of a new customer. Every second one is paid, so that fields to sort by have equal values and nulls. */
async function addOrder(): Promise<Json> {
  orderCount += 1
  const fields = {
    items: [{ product_id: productId, quantity: 1 + (orderCount % 3) }],
    customer: { email: `buyer-${orderCount}@example.com` },
    mark_paid: orderCount % 2 === 0,
  }
  const newOrder = await order(tradepost, productId, fields)
  tradepost.forward(1_000)
  return newOrder
}

const pageOf = async (list: string, query: string): Promise<Json> => {
  const { status, json } = await tradepost.get(`/${list}?${query}`)
  expect(status, JSON.stringify(json)).toBe(200)
  return json
}

/** Reads a list page by page with cursors, and calls `between` after each page. */
async function readAll(list: string, query: string, between = async () => {}): Promise<Json[]> {
  const records: Json[] = []
  let cursor = ''
  for (;;) {
    const json = await pageOf(list, `${query}${cursor}`)
    expect(json.pagination.offset).toBe(records.length)
    records.push(...json[list])
    expect(json.pagination.has_more).toBe(json.pagination.next_cursor !== null)
    if (json.pagination.next_cursor === null) return records
    cursor = `&cursor=${encodeURIComponent(json.pagination.next_cursor)}`
    await between()
  }
}

const idsOf = (records: Json[]) => records.map(({ id }) => id)

describe.each(['orders', 'customers'])('the list of %s with a cursor', (list) => {
  const sorts =
    list === 'orders'
      ? ['created_at', 'paid_at', 'total_cents']
      : ['created_at', 'total_spent_cents', 'orders_count', 'last_order_at', 'balance_cents']

  test.each(sorts.flatMap((sort) => [sort, `-${sort}`]))(
    'has the records of the whole list, in the same sequence, sorted by %s',
    async (sort) => {
      if (list === 'customers')
        await tradepost.post('/customers', { email: `no-order-${sort}@example.com` })
      const whole = (await pageOf(list, `limit=100&sort=${sort}`))[list]
      expect(whole.length).toBeGreaterThan(6)
      for (const limit of [1, 2, 3])
        expect(idsOf(await readAll(list, `limit=${limit}&sort=${sort}`))).toEqual(idsOf(whole))
    },
  )

  test('repeats and misses no record while others are created', async () => {
    const whole = (await pageOf(list, 'limit=100'))[list]
    const read = await readAll(list, 'limit=2', async () => {
      await addOrder()
    })
    expect(idsOf(read)).toEqual(idsOf(whole))
  })

  test('has its filters', async () => {
    const filter = 'created_to=2100-01-01T00:00:00Z&search=BUYER-1'
    const whole = (await pageOf(list, `limit=100&${filter}`))[list]
    expect(idsOf(await readAll(list, `limit=1&${filter}`))).toEqual(idsOf(whole))
  })

  test('begins a cursor at an offset too', async () => {
    const whole = (await pageOf(list, 'limit=100'))[list]
    const { next_cursor } = (await pageOf(list, 'limit=2&offset=3')).pagination
    const next = await pageOf(list, `limit=2&cursor=${encodeURIComponent(next_cursor)}`)
    expect(idsOf(next[list])).toEqual(idsOf(whole.slice(5, 7)))
  })

  const refusalOf = async (query: string, options = {}) => {
    const { status, json } = await tradepost.get(`/${list}?${query}`, options)
    return [status, json.code, json.details?.field]
  }
  const REFUSAL = [422, 'VALIDATION_FAILED', 'cursor']

  test('refuses a cursor that was changed, or made for another sort, filter, list or store', async () => {
    const cursor = (await pageOf(list, 'limit=1')).pagination.next_cursor
    const changed = cursor.at(-5) === 'A' ? 'B' : 'A'
    const other = list === 'orders' ? 'customers' : 'orders'
    const foreign = (await pageOf(other, 'limit=1')).pagination.next_cursor
    expect(await refusalOf(`cursor=${cursor}`)).toEqual([200, undefined, undefined])
    for (const query of [
      `cursor=${cursor.slice(0, -5)}${changed}${cursor.slice(-4)}`,
      `cursor=x${cursor}`,
      'cursor=3',
      'cursor=',
      `cursor=${foreign}`,
      `cursor=${cursor}&sort=created_at`,
      `cursor=${cursor}&search=buyer`,
    ])
      expect(await refusalOf(query), query).toEqual(REFUSAL)
    expect(await refusalOf(`cursor=${cursor}`, { as: tradepost.test })).toEqual(REFUSAL)
  })

  test('refuses a cursor together with an offset, also 0', async () => {
    const cursor = (await pageOf(list, 'limit=1')).pagination.next_cursor
    for (const offset of [0, 1])
      expect(await refusalOf(`cursor=${cursor}&offset=${offset}`)).toEqual(REFUSAL)
  })
})

test('the orders of a customer have a cursor too, which is of no other customer', async () => {
  const customer = { email: 'regular@example.com' }
  for (let n = 0; n < 5; n++) {
    await order(tradepost, productId, { customer })
    tradepost.forward(1_000)
  }
  const find = async (email: string) =>
    (await tradepost.get(`/customers?search=${email}`)).json.customers[0].id
  const path = `customers/${await find(customer.email)}/orders`
  const listOf = async (query: string) => (await tradepost.get(`/${path}?${query}`)).json
  const whole = idsOf((await listOf('limit=100')).orders)
  expect(whole).toHaveLength(5)
  const read: string[] = []
  let cursor = ''
  do {
    const json = await listOf(`limit=2${cursor}`)
    read.push(...idsOf(json.orders))
    const { next_cursor } = json.pagination
    cursor = next_cursor === null ? '' : `&cursor=${encodeURIComponent(next_cursor)}`
    await order(tradepost, productId, { customer })
  } while (cursor)
  expect(read).toEqual(whole)
  const { next_cursor } = (await listOf('limit=1')).pagination
  const other = await tradepost.get(
    `/customers/${await find('buyer-1@example.com')}/orders?cursor=${encodeURIComponent(next_cursor)}`,
  )
  expect([other.status, other.json.details?.field]).toEqual([422, 'cursor'])
})
