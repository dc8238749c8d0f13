import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { call } from '../process/client.ts'
import { bigStore } from './big-store.ts'
import { keyStatements, orderStatements, parcelStatements } from './many-orders.ts'
import { createdDuring, maxRowsRead, nodesOf } from './plans.ts'

const ROWS = 100_000
const ROWS_READ_MAX = 400
/** The limit of counted matches (decision 100), plus the rows that a plan reads ahead. */
const COUNTED_MAX = 10_100

const KEY = 'SOLD-AAAA-BBBB'

/** Returns the id of the order with this number, without its prefix. */
const idOf = (n: number) => createHash('md5').update(`${n}`).digest('hex').slice(0, 22)

const tradepost = bigStore(async ({ app, storeId, targets: [target] }) => {
  for (const name of ['Often', 'Seldom', 'Rare bundle', 'Frequent bundle']) {
    const { status } = await call(target, 'POST', '/products', { body: { name, price_cents: 1 } })
    expect(status).toBe(201)
  }
  const hash = app.vault.hmac('stock_key', KEY).toString('hex')
  return [
    ...orderStatements(storeId, ROWS),
    ...parcelStatements(storeId),
    ...keyStatements(storeId, ROWS, hash),
  ]
})

test.each<[string, string, number]>([
  ['all orders', '', 25],
  ['all orders from an offset on', '&offset=300', 25],
  ['pending orders', '&status=pending', 10],
  ['orders of a customer', '&email=rare@example.com', 10],
  ['orders of an address of two forms', '&email=rare@xn--bcher-kva.example', 0],
  ['unfulfilled orders', '&fulfillment_status=unfulfilled,partial', 10],
  ['orders of a source', '&source=embed', 10],
  ['refunded orders', '&refund_status=partial,full', 10],
  ['free orders', '&payment_method=free', 10],
  ['orders of a rare product', '&product_id=2', 10],
  ['orders of a frequent product', '&product_id=1', 25],
  ['orders of a rare bundle', '&product_id=3', 10],
  ['orders of a frequent bundle', '&product_id=4', 25],
  ['orders of a product without orders', '&product_id=5', 0],
  ['orders with a coupon', '&coupon_code=rare', 10],
  ['overpaid orders', '&overpaid=true', 10],
  ['overpaid orders by their total', '&overpaid=true&sort=-total_cents', 10],
  ['overpaid orders of a customer', '&overpaid=true&email=rare@example.com', 0],
  ['orders that are not overpaid', '&overpaid=false', 25],
  ['orders on hold', '&on_hold=true', 0],
  ['orders that are not on hold', '&on_hold=false', 25],
  ['orders with a part of an email', '&search=RARE@', 10],
  ['orders with a domain of two forms', '&search=@xn--bcher-kva.example', 0],
  ['orders with a part of an id', `&search=${idOf(ROWS).slice(8, 20).toUpperCase()}`, 1],
  ['orders with a number', `&search=${ROWS}`, 1],
  ['orders with a text that all have', '&search=example.com', 25],
  ['orders with a text that none has', '&search=nobody', 0],
  ['orders with a stock key', `&search=${KEY}`, 1],
  ['orders that were paid last', '&sort=-paid_at', 25],
  ['orders that were paid first', '&sort=paid_at', 25],
  ['the largest orders', '&sort=-total_cents', 25],
  ['the smallest orders', '&sort=total_cents', 25],
  ['orders of the last hour', `&${createdDuring(60, 60)}`, 25],
  ['orders of fifty of seventy days', `&${createdDuring(50 * 1_440, 50 * 1_440)}`, 25],
  ['orders of ten minutes', `&${createdDuring(50_000, 10)}`, 10],
  ['the largest orders of ten minutes', `&${createdDuring(50_000, 10)}&sort=-total_cents`, 10],
])('the list of %s reads only one page of the 100,000 orders', async (_, query, length) => {
  const { json, plans } = await tradepost.explainList(`/orders?limit=25${query}`)
  expect(json.orders).toHaveLength(length)
  expect(plans).toHaveLength(query.includes('search') ? 3 : 2)
  // The first statement of a search reads a stock key.
  const keyPlan = query.includes('search') ? plans.shift() : undefined
  expect(maxRowsRead(keyPlan)).toBeLessThanOrEqual(1)
  const [count, page] = plans.map(maxRowsRead)
  expect(page).toBeLessThanOrEqual(query.includes('offset') ? 2 * ROWS_READ_MAX : ROWS_READ_MAX)
  expect(count).toBeLessThanOrEqual(COUNTED_MAX)
})

test.each([
  'sort=-created_at',
  'sort=created_at',
  'sort=-paid_at',
  'sort=paid_at',
  'sort=-total_cents',
  'sort=total_cents',
  'status=completed',
])(
  'the page after a cursor reads only its own of the 100,000 orders, at any depth, with %s',
  async (query) => {
    const path = `/orders?limit=25&${query}`
    for (const offset of [0, 5_000, 60_000]) {
      const { json } = await tradepost.explainList(`${path}&offset=${offset}`)
      const { next_cursor } = json.pagination
      // A count ends at 10,000, so a filtered list has no further page after a deeper offset.
      if (next_cursor === null) continue
      const next = await tradepost.explainList(`${path}&cursor=${next_cursor}`)
      expect(next.json.orders).toHaveLength(25)
      expect(maxRowsRead(next.plans.at(-1))).toBeLessThanOrEqual(ROWS_READ_MAX)
    }
  },
)

test('a page with an offset reads the items of its own 25 orders only', async () => {
  const { plans } = await tradepost.explainList('/orders?limit=25&offset=300')
  const itemScans = plans.flatMap(nodesOf).filter((node) => node['Relation Name'] === 'order_item')
  expect(itemScans.map((node) => node['Actual Loops'])).toEqual([25])
})

test.each([
  ['all parcels', '', 25],
  ['failed parcels', '&status=failed,cancelled', 10],
])('the list of %s reads only one page of the 100,000 parcels', async (_, query, length) => {
  const { json, plans } = await tradepost.explainList(`/fulfillments?limit=25${query}`)
  expect(json.fulfillments).toHaveLength(length)
  const [page, count] = plans.map(maxRowsRead)
  expect(page).toBeLessThanOrEqual(ROWS_READ_MAX)
  expect(count).toBeLessThanOrEqual(COUNTED_MAX)
})

test('the total of all orders is exact, and the total of filtered orders is at most 10,000', async () => {
  const totalOf = async (query: string) =>
    (await tradepost.explainList(`/orders?limit=1${query}`)).json.pagination.total
  expect(await totalOf('')).toBe(ROWS)
  expect(await totalOf('&status=completed')).toBe(10_000)
  expect(await totalOf('&status=pending')).toBe(10)
})
