import { beforeEach, expect, type TestContext, test } from 'vitest'
import { orderOf } from '../build.ts'
import type { Json } from '../harness.ts'
import { call, insist } from '../process/client.ts'
import { sharedRaceStore } from './market-for-all.ts'
import type { RealServer } from './open-market.ts'

let tradepost: RealServer

const raceStore = sharedRaceStore()
beforeEach(async (context) => {
  tradepost = await raceStore.openStoreFixture(context as TestContext)
})

async function prepare(fields: Json): Promise<{ id: string; coupon: Json }> {
  const [target] = tradepost.targets
  const advice = { name: 'Advice', type: 'service', price_cents: 1_000 }
  const made = await call(target, 'POST', '/products', { body: advice })
  const value = { code: 'RUSH', type: 'percentage', discount_percent: 10 }
  const { json } = await call(target, 'POST', '/coupons', { body: { ...value, ...fields } })
  return { id: made.json.product.id, coupon: json.coupon }
}

const buy = (id: string, n: number, email: string) =>
  insist(
    tradepost.targets[0],
    '/orders',
    orderOf(id, { coupon_code: 'rush', customer: { email } }),
    `order-${n}`,
  )

const uses = async ({ id }: Json): Promise<number> =>
  (await call(tradepost.targets[0], 'GET', `/coupons/${id}`)).json.coupon.uses

const tally = (replies: { status: number; json: Json }[]) => {
  const counts: Record<string, number> = {}
  for (const { status, json } of replies) {
    const name = json.details?.reason ?? String(status)
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

test('of 100 orders at once exactly ten use a coupon that has ten uses', async () => {
  const { id, coupon } = await prepare({ max_uses: 10 })
  const replies = await Promise.all(
    Array.from({ length: 100 }, (_, n) => buy(id, n, `buyer-${n}@example.com`)),
  )
  expect(tally(replies)).toEqual({ 201: 10, max_uses: 90 })
  expect(await uses(coupon)).toBe(10)
  await raceStore.expectSweepClean()
})

test('of 100 orders of five customers at once each uses a coupon twice', async () => {
  const { id, coupon } = await prepare({ max_uses_per_customer: 2 })
  const replies = await Promise.all(
    Array.from({ length: 100 }, (_, n) => buy(id, n, `buyer-${n % 5}@example.com`)),
  )
  expect(tally(replies)).toEqual({ 201: 10, max_uses_per_customer: 90 })
  expect(await uses(coupon)).toBe(10)
  await raceStore.expectSweepClean()
})

test('orders that come and are cancelled at once leave as many uses as there are orders', async () => {
  const { id, coupon } = await prepare({ max_uses: 7 })
  const outcomes = await Promise.all(
    Array.from({ length: 60 }, async (_, n) => {
      const made = await buy(id, n, `buyer-${n % 9}@example.com`)
      if (made.status !== 201) return made.json.details.reason
      if (n % 2 === 0) return 'kept'
      const path = `/orders/${made.json.order.id}/cancel`
      return (await insist(tradepost.targets[0], path, {}, `cancel-${n}`)).json.order.status
    }),
  )
  const kept = outcomes.filter((item) => item === 'kept').length
  expect(kept).toBeLessThanOrEqual(7)
  expect(await uses(coupon)).toBe(kept)
  await raceStore.expectSweepClean()
})
