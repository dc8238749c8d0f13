import { expect, test } from 'vitest'
import { expireOrdersJob } from '../../src/features/store/payments/index.ts'
import { ask } from '../database.ts'
import type { Json } from '../harness.ts'
import { call } from '../process/client.ts'
import { sharedDatabase } from './shared-database.ts'

const ORDERS = 15

const database = sharedDatabase()

test('payments of expired orders and new orders with the same coupon do not deadlock', async (context) => {
  const { app, targets } = await database.openStore(context)
  const [target] = targets
  const create = async (path: string, body: Json) =>
    (await call(target, 'POST', path, { body })).json
  const variants = [{ name: 'Only', price_cents: 100, stock_mode: 'manual', stock_quantity: 1_000 }]
  const { product } = await create('/products', { name: 'Game', type: 'service', variants })
  await create('/coupons', { code: 'LATE', type: 'percentage', discount_percent: 10 })
  const buy = (n: number) =>
    call(target, 'POST', '/orders', {
      body: {
        items: [{ product_id: product.id, quantity: 1 }],
        customer: { email: `b${n}@example.com` },
        coupon_code: 'LATE',
      },
    })

  const expiredOrders = await Promise.all(Array.from({ length: ORDERS }, (_, n) => buy(n)))
  await ask(app.config.databaseUrl ?? '', `update "order" set expires_at = now() - interval '1 s'`)
  while (await expireOrdersJob.run(app)) {}
  const replies = await Promise.all(
    expiredOrders.flatMap(({ json }, n) => [
      call(target, 'POST', `/orders/${json.order.id}/manual-payments`, { body: {} }),
      buy(ORDERS + n),
    ]),
  )
  for (const { status } of replies) expect(status).toBe(201)
  await database.expectNoFaults()
})
