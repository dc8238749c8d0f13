import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { call } from '../process/client.ts'
import { bigStore } from './big-store.ts'
import { busiest, nodesOf } from './plans.ts'

/** A summary of a year over 100,000 orders reads sums, and no more orders than a day has. */

const ORDERS = 100_000
const CUSTOMERS = 20_000
const DAYS = 360
/** Quarters of an hour of a year. */
const READ_MAX = 35_200
/** The orders of the candidates among customers. */
const OF_CANDIDATES = 2_000
/** Those of thirty days, where no candidate is decided by what customers spent in all. */
const OF_THIRTY_DAYS = Math.ceil((ORDERS / DAYS) * 30)

/** A summary tries at most three pages of candidates. */
const STATEMENTS_MAX = 16

const COPIES = new URL('../../bench/lib/year-of-sales.sql', import.meta.url)

const tradepost = bigStore(async ({ storeId, targets: [target] }) => {
  for (let n = 0; n < 40; n++) {
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

test.each([
  ['of a year', `from=${from}`, OF_CANDIDATES],
  ['of thirty days', '', OF_THIRTY_DAYS],
])('a summary %s reads sums, and each order at most once', async (_, query, ordersMax) => {
  const { json, plans } = await tradepost.look(`/analytics/sales?${query}`)
  expect(json.summary.orders_count).toBeGreaterThan(8_000)
  expect(json.summary.top_products).toHaveLength(5)
  expect(json.summary.top_customers).toHaveLength(5)
  for (const plan of plans) expect(busiest(plan)).toBeLessThanOrEqual(READ_MAX)
  const orders = plans
    .flatMap(nodesOf)
    .filter((node) => node['Relation Name'] === 'order')
    .map((node) => node['Actual Rows'] * node['Actual Loops'])
  for (const rows of orders) expect(rows).toBeLessThanOrEqual(ordersMax)
  expect(plans.length).toBeLessThan(STATEMENTS_MAX)
})
