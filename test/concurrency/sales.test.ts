import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { foldSalesJob } from '../../src/features/store/analytics/index.ts'
import { orderOf } from '../build.ts'
import { ask } from '../database.ts'
import type { Json } from '../harness.ts'
import { call, insist } from '../process/client.ts'
import { sharedRaceStore } from './market-for-all.ts'

const BUYERS = 8
const ORDERS = 6
const FOLDERS = 3
const PRICE_CENTS = 100
const REFUND_CENTS = 30

const raceStore = sharedRaceStore()

test('sales that are added by several processes at once are in their quarter and day once (decision 322)', async (context) => {
  const { app, storeId, targets } = await raceStore.openStoreFixture(context)
  const [target] = targets
  const ids: string[] = []
  for (const name of ['A', 'B']) {
    const body = { name, type: 'service', price_cents: PRICE_CENTS }
    ids.push((await call(target, 'POST', '/products', { body })).json.product.id)
  }
  let isOpen = true
  const buy = async (n: number) => {
    for (let made = 0; made < ORDERS; made++) {
      const body = orderOf(ids[(n + made) % 2] ?? '', { mark_paid: true })
      const { json } = await insist(target, '/orders', body, randomUUID())
      const refund = { amount_cents: REFUND_CENTS }
      await insist(target, `/orders/${json.order.id}/refund`, refund, randomUUID())
    }
  }
  const fold = async () => {
    while (isOpen) await foldSalesJob.run(app)
  }
  const folding = Promise.all(Array.from({ length: FOLDERS }, fold))
  await Promise.all(Array.from({ length: BUYERS }, (_, n) => buy(n))).finally(() => {
    isOpen = false
  })
  await folding
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
  await raceStore.expectSweepClean()
})
