import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { order, product } from '../../../../test/build.ts'
import { openTradepost, type Tradepost } from '../../../../test/harness.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

test('a paid line whose variant has no counters of its stock is delivered', async () => {
  const { id, variantId } = await product(tradepost, { name: 'Call', type: 'license' })
  const { id: orderId } = await order(tradepost, id)
  await sql`delete from stock where variant_id = ${variantId}`.execute(tradepost.db)
  const { status, json } = await tradepost.post(`/orders/${orderId}/manual-payments`, {})
  expect([status, json.order.status]).toEqual([201, 'completed'])
  const { deliveries } = (await tradepost.get(`/orders/${orderId}/deliveries`)).json
  expect(deliveries).toHaveLength(1)
})
