import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { call, type Target } from '../process/client.ts'
import { bigStore } from './big-store.ts'
import { busiest, nodesOf, type Plan } from './plans.ts'

/**
 * A summary over 100,000 orders reads the sums of days, and orders of its period from an index alone. Where a
 * day is none in UTC, it reads the quarters of an hour in between.
 */

const ORDERS = 100_000
const CUSTOMERS = 20_000
const PRODUCTS = 40
const DAYS = 360
/** The customers who bought since the period began, or the products on each of its days. */
const READ_MAX = 22_000
/** The orders of the candidates among customers. */
const OF_CANDIDATES = 2_000
/** Those of thirty days, where no candidate is decided by what customers spent in all. */
const OF_THIRTY_DAYS = Math.ceil((ORDERS / DAYS) * 30)
/** Quarters of an hour from midnight in India to midnight in UTC. */
const OF_A_NIGHT = 22

/** A summary tries at most three pages of candidates. */
const STATEMENTS_MAX = 16

const COPIES = new URL('../../bench/lib/year-of-sales.sql', import.meta.url)

let target: Target

const tradepost = bigStore(async ({ storeId, targets }) => {
  target = targets[0]
  for (let n = 0; n < PRODUCTS; n++) {
    const body = { name: `Game ${n}`, price_cents: 1 }
    expect((await call(target, 'POST', '/products', { body })).status).toBe(201)
  }
  const text = await readFile(COPIES, 'utf8')
  const filled = text
    .replaceAll(':store', String(storeId))
    .replaceAll(':orders', String(ORDERS))
    .replaceAll(':customers', String(CUSTOMERS))
  return filled.split(';').filter((part) => part.trim() !== '')
})

const from = new Date(Date.now() - DAYS * 86_400_000).toISOString().slice(0, 10)

/** Rows that nodes on a table gave, each in all of its loops. */
const rowsOf = (plans: readonly Plan[], table: string): number[] =>
  plans
    .flatMap(nodesOf)
    .filter((node) => node['Relation Name'] === table)
    .map((node) => node['Actual Rows'] * node['Actual Loops'])

test.each([
  ['of a year', 'UTC', `from=${from}`, { orders: OF_CANDIDATES, days: DAYS + 2, quarters: 0 }],
  ['of thirty days', 'UTC', '', { orders: OF_THIRTY_DAYS, days: 30, quarters: 0 }],
  [
    'of a year in India',
    'Asia/Kolkata',
    `from=${from}`,
    // In India it may be the next day already.
    { orders: OF_CANDIDATES, days: DAYS + 3, quarters: (DAYS + 3) * OF_A_NIGHT },
  ],
])('a summary %s reads sums, and each order at most once', async (_, zone, query, most) => {
  const changed = await call(target, 'PATCH', '/account/settings', { body: { time_zone: zone } })
  expect(changed.status, JSON.stringify(changed.json)).toBe(200)
  const { json, plans } = await tradepost.look(`/analytics/sales?${query}`)
  expect(json.summary.time_zone).toBe(zone)
  expect(json.summary.orders_count).toBeGreaterThan(8_000)
  expect(json.summary.top_products).toHaveLength(5)
  expect(json.summary.top_customers).toHaveLength(5)
  for (const plan of plans) expect(busiest(plan)).toBeLessThanOrEqual(READ_MAX)
  for (const rows of rowsOf(plans, 'order')) expect(rows).toBeLessThanOrEqual(most.orders)
  for (const rows of rowsOf(plans, 'sales_day')) expect(rows).toBeLessThanOrEqual(most.days)
  for (const rows of rowsOf(plans, 'sales_quarter')) expect(rows).toBeLessThanOrEqual(most.quarters)
  expect(plans.length).toBeLessThan(STATEMENTS_MAX)
})

test('orders and customers of thirty days are read from indexes alone (decision 323)', async () => {
  const { plans } = await tradepost.look('/analytics/sales')
  const scans = plans.flatMap(nodesOf).filter((node) => node['Actual Rows'] > 5_000)
  const read = scans.flatMap((node) => node['Relation Name'] ?? [])
  expect(read).toEqual(expect.arrayContaining(['order', 'customer']))
  for (const node of scans.filter((item) => item['Relation Name'])) {
    expect(node['Node Type'], node['Relation Name']).toBe('Index Only Scan')
  }
})
