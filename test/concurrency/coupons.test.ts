import { beforeEach, expect, type TestContext, test } from 'vitest'
import { orderOf } from '../build.ts'
import type { Json } from '../harness.ts'
import { call, postUntilAnswered } from '../process/client.ts'
import type { ServedStore } from './open-served-database.ts'
import { sharedDatabase } from './shared-database.ts'

let tradepost: ServedStore

const database = sharedDatabase()
beforeEach(async (context) => {
  tradepost = await database.openStore(context as TestContext)
})

async function createServiceAndCoupon(fields: Json): Promise<{ id: string; coupon: Json }> {
  const [target] = tradepost.targets
  const advice = { name: 'Advice', type: 'service', price_cents: 1_000 }
  const created = await call(target, 'POST', '/products', { body: advice })
  const coupon = { code: 'RUSH', type: 'percentage', discount_percent: 10 }
  const { json } = await call(target, 'POST', '/coupons', { body: { ...coupon, ...fields } })
  return { id: created.json.product.id, coupon: json.coupon }
}

const buy = (id: string, n: number, email: string) =>
  postUntilAnswered(
    tradepost.targets[0],
    '/orders',
    orderOf(id, { coupon_code: 'rush', customer: { email } }),
    `order-${n}`,
  )

const countUses = async ({ id }: Json): Promise<number> =>
  (await call(tradepost.targets[0], 'GET', `/coupons/${id}`)).json.coupon.uses

const countOutcomes = (replies: { status: number; json: Json }[]) => {
  const counts: Record<string, number> = {}
  for (const { status, json } of replies) {
    const name = json.details?.reason ?? String(status)
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

test('ten of 100 concurrent orders use a coupon with ten uses, and the others are refused', async () => {
  const { id, coupon } = await createServiceAndCoupon({ max_uses: 10 })
  const replies = await Promise.all(
    Array.from({ length: 100 }, (_, n) => buy(id, n, `buyer-${n}@example.com`)),
  )
  expect(countOutcomes(replies)).toEqual({ 201: 10, max_uses: 90 })
  expect(await countUses(coupon)).toBe(10)
  await database.expectNoFaults()
})

test('five customers use a coupon with two uses per customer ten times in 100 concurrent orders', async () => {
  const { id, coupon } = await createServiceAndCoupon({ max_uses_per_customer: 2 })
  const replies = await Promise.all(
    Array.from({ length: 100 }, (_, n) => buy(id, n, `buyer-${n % 5}@example.com`)),
  )
  expect(countOutcomes(replies)).toEqual({ 201: 10, max_uses_per_customer: 90 })
  expect(await countUses(coupon)).toBe(10)
  await database.expectNoFaults()
})

test('concurrent orders and cancellations leave one coupon use for each order that was not cancelled', async () => {
  const { id, coupon } = await createServiceAndCoupon({ max_uses: 7 })
  const outcomes = await Promise.all(
    Array.from({ length: 60 }, async (_, n) => {
      const created = await buy(id, n, `buyer-${n % 9}@example.com`)
      if (created.status !== 201) return created.json.details.reason
      if (n % 2 === 0) return 'not cancelled'
      const path = `/orders/${created.json.order.id}/cancel`
      return (await postUntilAnswered(tradepost.targets[0], path, {}, `cancel-${n}`)).json.order
        .status
    }),
  )
  const remainingCount = outcomes.filter((item) => item === 'not cancelled').length
  expect(remainingCount).toBeLessThanOrEqual(7)
  expect(await countUses(coupon)).toBe(remainingCount)
  await database.expectNoFaults()
})
