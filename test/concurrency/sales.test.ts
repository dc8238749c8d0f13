import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { foldSalesJob } from '../../src/features/store/analytics/index.ts'
import { orderOf } from '../build.ts'
import { ask } from '../database.ts'
import type { Json } from '../harness.ts'
import { call, postUntilAnswered } from '../process/client.ts'
import { sharedDatabase } from './shared-database.ts'

const BUYERS = 8
const ORDERS = 6
const WORKERS = 3
const PRICE_CENTS = 100
const REFUND_CENTS = 30

const database = sharedDatabase()

test('sales that concurrent workers add to the statistics are counted once in their quarter and day', async (context) => {
  const { app, storeId, targets } = await database.openStore(context)
  const [target] = targets
  const productIds: string[] = []
  for (const name of ['A', 'B']) {
    const body = { name, type: 'service', price_cents: PRICE_CENTS }
    productIds.push((await call(target, 'POST', '/products', { body })).json.product.id)
  }
  let isBuying = true
  const buy = async (n: number) => {
    for (let index = 0; index < ORDERS; index++) {
      const body = orderOf(productIds[(n + index) % 2] ?? '', { mark_paid: true })
      const { json } = await postUntilAnswered(target, '/orders', body, randomUUID())
      const refund = { amount_cents: REFUND_CENTS }
      await postUntilAnswered(target, `/orders/${json.order.id}/refund`, refund, randomUUID())
    }
  }
  const fold = async () => {
    while (isBuying) await foldSalesJob.run(app)
  }
  const workers = Promise.all(Array.from({ length: WORKERS }, fold))
  await Promise.all(Array.from({ length: BUYERS }, (_, n) => buy(n))).finally(() => {
    isBuying = false
  })
  await workers
  await foldSalesJob.run(app)

  const orders = BUYERS * ORDERS
  const expected = {
    orders_count: orders,
    gross_cents: orders * PRICE_CENTS,
    refunded_cents: orders * REFUND_CENTS,
  }
  const { json } = await call(target, 'GET', '/analytics/sales')
  expect(json.summary).toMatchObject(expected)
  const days: Json[] = await ask(
    app.config.databaseUrl ?? '',
    `select sum(orders)::int as orders_count, sum(gross_cents)::int as gross_cents,
            sum(refunded_cents)::int as refunded_cents
       from sales_day where store_id = ${storeId}`,
  )
  expect(days).toEqual([expected])
  await database.expectNoFaults()
})
