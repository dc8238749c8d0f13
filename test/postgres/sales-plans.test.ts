import { expect, test } from 'vitest'
import { readSqlFile, splitStatements } from '../../bench/lib/sql-file.mjs'
import { PartsQuery, RefundsQuery } from '../../src/features/store/analytics/dashboard-schema.ts'
import { showParts } from '../../src/features/store/analytics/show-parts.ts'
import { showRefunds } from '../../src/features/store/analytics/show-refunds.ts'
import { fromNow } from '../clock.ts'
import { call, type Target } from '../process/client.ts'
import { bigStore } from './big-store.ts'
import { maxRowsRead, nodesOf, type Plan, rowsRead } from './plans.ts'

const ORDERS = 100_000
const CUSTOMERS = 20_000
const PRODUCTS = 40
const DAYS = 360
/** The limit for the customers who have bought in the period, and for the products of each day. */
const ROWS_READ_MAX = 22_000
/** The limit for the orders of the customers who may be among the top customers. */
const ORDERS_OF_CANDIDATES = 2_000
/** Every order of this number is refunded. */
const REFUNDED_EACH = 20
const ORDERS_OF_THIRTY_DAYS = Math.ceil((ORDERS / DAYS) * 30)
/** The quarters of an hour from midnight in India to midnight in UTC. */
const QUARTERS_OF_SHIFT = 22
/** The statements of a summary that reads three pages of candidates. */
const STATEMENTS_MAX = 16

let target: Target

const tradepost = bigStore(async ({ storeId, targets }) => {
  target = targets[0]
  for (let n = 0; n < PRODUCTS; n++) {
    const body = { name: `Game ${n}`, price_cents: 1 }
    expect((await call(target, 'POST', '/products', { body })).status).toBe(201)
  }
  const parameters = { store: storeId, orders: ORDERS, customers: CUSTOMERS }
  return [
    ...splitStatements(await readSqlFile('year-of-sales', parameters)),
    // Each order has an item, and each twentieth order a refund.
    `insert into order_item (store_id, order_id, product_id, product_hash, variant_id, name, variant_name,
            delivery_type, quantity, reserved, unit_price_cents, discount_cents, total_cents)
     select o.store_id, o.id, p.id, p.hash_id, v.id, p.name, v.name, 'manual', 1, 0, o.total_cents, 0, o.total_cents
       from "order" o
       join (select store_id, id, hash_id, name, row_number() over (order by id) as position
               from product where store_id = ${storeId}) p
         on p.store_id = o.store_id and p.position = 1 + o.number % ${PRODUCTS}
       join variant v on v.store_id = p.store_id and v.product_id = p.id
      where o.store_id = ${storeId}`,
    `insert into refund (store_id, order_id, amount_cents, currency, reason, restock, created_at)
     select store_id, id, 1, currency, 'other', false, paid_at + interval '1 minute'
       from "order" where store_id = ${storeId} and number % ${REFUNDED_EACH} = 0`,
    'vacuum analyze',
  ]
})

const from = fromNow(-DAYS * 86_400_000).slice(0, 10)

/** Returns the number of rows that each node of a table returned, in all of its loops. */
const rowsOf = (plans: readonly Plan[], table: string): number[] =>
  plans
    .flatMap(nodesOf)
    .filter((node) => node['Relation Name'] === table)
    .map((node) => node['Actual Rows'] * node['Actual Loops'])

test.each([
  [
    'of a year',
    'UTC',
    `from=${from}`,
    { orders: ORDERS_OF_CANDIDATES, days: DAYS + 2, quarters: 0 },
  ],
  ['of thirty days', 'UTC', '', { orders: ORDERS_OF_THIRTY_DAYS, days: 30, quarters: 0 }],
  [
    'of a year in India',
    'Asia/Kolkata',
    `from=${from}`,
    // It may already be the next day in India.
    { orders: ORDERS_OF_CANDIDATES, days: DAYS + 3, quarters: (DAYS + 3) * QUARTERS_OF_SHIFT },
  ],
])(
  'a sales summary %s reads sums of days, and each order at most once',
  async (_, zone, query, limits) => {
    const settings = await call(target, 'PATCH', '/account/settings', { body: { time_zone: zone } })
    expect(settings.status, settings.text).toBe(200)
    const { json, plans } = await tradepost.explainList(`/analytics/sales?${query}`)
    expect(json.summary.time_zone).toBe(zone)
    expect(json.summary.orders_count).toBeGreaterThan(8_000)
    expect(json.summary.top_products).toHaveLength(5)
    expect(json.summary.top_customers).toHaveLength(5)
    for (const plan of plans) expect(maxRowsRead(plan)).toBeLessThanOrEqual(ROWS_READ_MAX)
    for (const rows of rowsOf(plans, 'order')) expect(rows).toBeLessThanOrEqual(limits.orders)
    for (const rows of rowsOf(plans, 'sales_day')) expect(rows).toBeLessThanOrEqual(limits.days)
    for (const rows of rowsOf(plans, 'sales_quarter')) {
      expect(rows).toBeLessThanOrEqual(limits.quarters)
    }
    expect(plans.length).toBeLessThan(STATEMENTS_MAX)
  },
)

test('a sales summary of thirty days reads orders and customers from indexes only', async () => {
  const { plans } = await tradepost.explainList('/analytics/sales')
  const largeNodes = plans.flatMap(nodesOf).filter((node) => node['Actual Rows'] > 5_000)
  const tables = largeNodes.flatMap((node) => node['Relation Name'] ?? [])
  expect(tables).toEqual(expect.arrayContaining(['order', 'customer']))
  for (const node of largeNodes.filter((item) => item['Relation Name'])) {
    expect(node['Node Type'], node['Relation Name']).toBe('Index Only Scan')
  }
})

test('sales by source and coupon are three statements, which read each paid order at most once', async () => {
  const { json, plans } = await tradepost.explain(() =>
    showParts(tradepost.contextNow(), PartsQuery.parse({})),
  )
  expect(json.by_source).toMatchObject([{ source: 'api' }])
  expect(plans).toHaveLength(3)
  for (const rows of rowsOf(plans, 'order'))
    expect(rows).toBeLessThanOrEqual(ORDERS_OF_THIRTY_DAYS + 1)
})

test.each([
  ['of thirty days', {}, 30],
  ['of a year', { from }, DAYS + 1],
])(
  'the refunds %s are three statements, which read only these refunds and their orders',
  async (_, query, days) => {
    const { json, plans } = await tradepost.explain(() =>
      showRefunds(tradepost.contextNow(), RefundsQuery.parse(query)),
    )
    const refundsMax = Math.ceil((ORDERS / DAYS / REFUNDED_EACH) * days)
    expect(json.by_product.length).toBeGreaterThan(1)
    expect(json.by_reason).toMatchObject([{ reason: 'other' }])
    expect(json.by_reason[0].refunds_count).toBeGreaterThan(refundsMax / 2)
    expect(plans).toHaveLength(3)
    const longNodes = plans
      .flatMap(nodesOf)
      .filter((node) => ['refund', 'order', 'order_item'].includes(node['Relation Name'] ?? ''))
    expect(longNodes).toHaveLength(3)
    for (const node of longNodes)
      expect(rowsRead(node), node['Relation Name']).toBeLessThanOrEqual(refundsMax)
  },
)
