import { afterAll, beforeAll, expect, test } from 'vitest'
import { expireOrdersJob } from '../../src/features/orders/index.ts'
import { ask } from '../database.ts'
import type { Json } from '../harness.ts'
import type { Unavailable } from '../postgres/server.ts'
import { call } from '../process/client.ts'
import {
  closePostgres,
  openPostgres,
  postgresOrSkip,
  type RealPostgres,
} from '../process/real-postgres.ts'
import { deadlocksInto } from './deadlocks.ts'
import { type Market, openMarket } from './open-market.ts'

const ORDERS = 15

let server: RealPostgres | Unavailable
let market: Market | undefined
const deadlocks: string[] = []

beforeAll(async () => {
  server = await openPostgres()
  if ('unavailable' in server) return
  market = await openMarket(server, { onConnect: deadlocksInto(deadlocks) })
})
afterAll(async () => {
  await market?.close()
  await closePostgres(server)
})

test('payments of expired orders and new orders with the same coupon do not deadlock', async (context) => {
  postgresOrSkip(context, server)
  const { app } = market as Market
  const shop = await (market as Market).openShop()
  const [door] = shop.doors
  const make = async (path: string, body: Json) => (await call(door, 'POST', path, { body })).json
  const variants = [{ name: 'Only', price_cents: 100, stock_mode: 'manual', stock_quantity: 1_000 }]
  const { product } = await make('/products', { name: 'Game', type: 'service', variants })
  await make('/coupons', { code: 'LATE', type: 'percentage', discount_percent: 10 })
  const buy = (n: number) =>
    call(door, 'POST', '/orders', {
      body: {
        items: [{ product_id: product.id, quantity: 1 }],
        customer: { email: `b${n}@example.com` },
        coupon_code: 'LATE',
      },
    })

  const made = await Promise.all(Array.from({ length: ORDERS }, (_, n) => buy(n)))
  await ask(app.config.databaseUrl ?? '', `update "order" set expires_at = now() - interval '1 s'`)
  while (await expireOrdersJob.run(app)) {}
  deadlocks.length = 0
  const replies = await Promise.all(
    made.flatMap(({ json }, n) => [
      call(door, 'POST', `/orders/${json.order.id}/manual-payments`, { body: {} }),
      buy(ORDERS + n),
    ]),
  )
  for (const { status } of replies) expect(status).toBe(201)
  expect(deadlocks).toEqual([])
}, 60_000)
