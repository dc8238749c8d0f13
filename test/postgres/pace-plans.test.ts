import { expect, test } from 'vitest'
import { ANALYZE, manyProducts } from '../../bench/lib/many-products.mjs'
import { PacesQuery, RunwaysQuery } from '../../src/features/store/analytics/dashboard-schema.ts'
import { showPaces, showRunways } from '../../src/features/store/analytics/show-paces.ts'
import { ask } from '../database.ts'
import { bigStore } from './big-store.ts'
import { nodesOf, type Plan, rowsRead } from './plans.ts'

// Only the dashboard has these forecasts. No user signs in here, so the use cases are called directly.

const PRODUCTS = 100_000
/** The number of products that are sold on each day. The others were sold once, long ago. */
const SELLING = 1_000
const DAYS = 28
const PAGE = 25

/** The tables that have rows for each product. */
const LONG_TABLES = ['product', 'variant', 'stock', 'sales_product_day']

const tradepost = bigStore(async ({ app, storeId, targets: [target] }) => {
  const url = app.config.databaseUrl ?? ''
  await ask(url, manyProducts(target.store, PRODUCTS))
  return [
    `insert into sales_product_day (store_id, product_id, day, units, gross_cents)
     select store_id, id, utc_day(now() - interval '90 days'), 1, 100 from product
      where store_id = ${storeId} and id % ${PRODUCTS / SELLING} <> 1`,
    `insert into sales_product_day (store_id, product_id, day, units, gross_cents)
     select store_id, id, utc_day(now() - n * interval '1 day'), 1 + (id + n) % 5, 100
       from product, generate_series(0, 119) n
      where store_id = ${storeId} and id % ${PRODUCTS / SELLING} = 1`,
    `${ANALYZE}, sales_product_day, sales_delta`,
  ]
})

/** Returns the number of rows that were read in the long tables, and the long tables that were read completely. */
function costOf(plans: readonly Plan[]) {
  const nodes = plans
    .flatMap(nodesOf)
    .filter((node) => LONG_TABLES.includes(node['Relation Name'] ?? ''))
  const sequentialScans = nodes.filter((node) => node['Node Type'] === 'Seq Scan')
  return {
    rows: nodes.reduce((sum, node) => sum + rowsRead(node), 0),
    scannedTables: sequentialScans.map((node) => node['Relation Name']),
  }
}

test('the paces of a page of products are one statement, which reads only these products', async () => {
  const { product_ids } = PacesQuery.parse({
    product_ids: Array.from(
      { length: PAGE },
      (_, n) => `z${(n * (PRODUCTS / SELLING) + 1).toString(16).padStart(11, '0')}`,
    ).join(','),
  })
  const { json, plans } = await tradepost.explain(async () => ({
    paces: await showPaces(tradepost.contextNow(), product_ids),
  }))
  expect(json.paces).toHaveLength(PAGE)
  expect(json.paces[0].units_sold).toBeGreaterThan(DAYS)
  expect(plans).toHaveLength(1)
  const { rows, scannedTables } = costOf(plans)
  expect(scannedTables).toEqual([])
  // A product has two variants with stock, and a row of sales for each day.
  expect(rows).toBeLessThanOrEqual(PAGE * (DAYS + 10))
})

test('the products that run out first are one statement, which reads only the sales of 28 days', async () => {
  const { json, plans } = await tradepost.explain(() =>
    showRunways(tradepost.contextNow(), RunwaysQuery.parse({})),
  )
  expect(json.runways).toHaveLength(PAGE)
  expect(plans).toHaveLength(1)
  const { rows, scannedTables } = costOf(plans)
  expect(scannedTables).toEqual([])
  expect(rows).toBeLessThanOrEqual(SELLING * (DAYS + 12))
})
