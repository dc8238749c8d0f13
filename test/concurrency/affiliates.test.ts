import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Json } from '../harness.ts'
import { call, insist } from '../process/client.ts'
import { sharedRaceStore } from './market-for-all.ts'
import type { RealServer } from './open-market.ts'
import { eventCounts } from './put-on-sale.ts'

// Commissions and payouts of one partner under parallel calls.

const raceStore = sharedRaceStore()
const CALLS = 20
const REFUSALS = ['INVALID_STATE', 'VALIDATION_FAILED', 'REFUND_EXCEEDS_PAID']

const times = <T>(work: (n: number) => Promise<T>, count = CALLS): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)))

const outcomes = (replies: readonly { status: number; json: Json }[]) =>
  replies.map(({ status, json }) => json.code ?? status)

let keys = 0
async function made(store: RealServer, path: string, body: Json): Promise<Json> {
  keys += 1
  const { status, json, text } = await insist(store.targets[0], path, body, `made-${keys}`)
  expect(status, text).toBeLessThan(300)
  return json
}

/** A programme without a hold, and a partner who earns 1.00 from each sale of the product. */
async function programme(store: RealServer) {
  const body = { enabled: true, hold_days: 0, min_payout_cents: 0 }
  await call(store.targets[0], 'PATCH', '/affiliates/program', { body })
  const { partner } = await made(store, '/affiliates/partners', { email: 'grace@example.com' })
  await made(store, `/affiliates/partners/${partner.id}/links`, { code: 'grace' })
  const editor = { name: 'Editor', type: 'license', price_cents: 1_000 }
  const { product } = await made(store, '/products', editor)
  return { partner_id: partner.id as string, product_id: product.id as string }
}

const orderOf = (product_id: string, n: number, fields: Json = {}) => ({
  items: [{ product_id, quantity: 1 }],
  customer: { email: `buyer-${n}@example.com` },
  affiliate_code: 'grace',
  mark_paid: true,
  ...fields,
})

const payoutOf = (partner_id: string) => ({ partner_id, method: 'bank_transfer' })

const partnerOf = async (store: RealServer, id: string): Promise<Json> =>
  (await call(store.targets[0], 'GET', `/affiliates/partners/${id}`)).json.partner

test('of 20 payout requests at once one is accepted, and it takes the available amount', async (context) => {
  const store = await raceStore.openStoreFixture(context)
  const { partner_id, product_id } = await programme(store)
  for (let n = 0; n < 5; n++) await made(store, '/orders', orderOf(product_id, n))
  const replies = await times((n) =>
    insist(store.targets[0], '/affiliates/payouts', payoutOf(partner_id), `payout-${n}`),
  )
  const accepted = replies.filter(({ status }) => status === 201)
  expect(accepted.map(({ json }) => json.payout.amount_cents)).toEqual([500])
  expect(outcomes(replies).filter((item) => item === 'INVALID_STATE')).toHaveLength(CALLS - 1)
  expect(await eventCounts(store)).toMatchObject({ 'affiliate.payout_requested': 1 })
  expect((await partnerOf(store, partner_id)).available_cents).toBe(0)
  await raceStore.expectSweepClean()
})

test('an open payout that is sent and rejected 20 times at once has one outcome', async (context) => {
  const store = await raceStore.openStoreFixture(context)
  const { partner_id, product_id } = await programme(store)
  await made(store, '/orders', orderOf(product_id, 1))
  const { payout } = await made(store, '/affiliates/payouts', payoutOf(partner_id))
  const replies = await times((n) => {
    const verb = n % 2 === 0 ? 'send' : 'reject'
    return insist(store.targets[0], `/affiliates/payouts/${payout.id}/${verb}`, {}, `end-${n}`)
  })
  const done = replies.filter(({ status }) => status === 200)
  expect(done).toHaveLength(1)
  const isSent = done[0]?.json.payout.status === 'sent'
  expect((await eventCounts(store))['affiliate.payout_sent'] ?? 0).toBe(isSent ? 1 : 0)
  const { paid_cents, available_cents } = await partnerOf(store, partner_id)
  expect([paid_cents, available_cents]).toEqual(isSent ? [100, 0] : [0, 100])
  await raceStore.expectSweepClean()
})

test('payouts, refunds, reviews and sales of one partner at once never pay more than was earned', async (context) => {
  const store = await raceStore.openStoreFixture(context)
  const [target] = store.targets
  const { partner_id, product_id } = await programme(store)
  const sold: string[] = []
  for (let n = 0; n < 8; n++) {
    sold.push((await made(store, '/orders', orderOf(product_id, n))).order.id)
  }
  const replies = await times(async (n) => {
    const id = sold[n % sold.length]
    if (n % 4 === 0) {
      const answer = await insist(target, '/affiliates/payouts', payoutOf(partner_id), `pay-${n}`)
      const { payout } = answer.json
      if (!payout) return answer
      const verb = n % 8 === 0 ? 'send' : 'reject'
      return insist(target, `/affiliates/payouts/${payout.id}/${verb}`, {}, `end-${n}`)
    }
    if (n % 4 === 1) {
      return insist(target, `/orders/${id}/refund`, { amount_cents: 300 }, `refund-${n}`)
    }
    if (n % 4 === 2) {
      const status = n % 8 === 2 ? 'rejected' : 'valid'
      return insist(target, `/affiliates/conversions/${id}/review`, { status }, `review-${n}`)
    }
    return insist(target, '/orders', orderOf(product_id, n), `order-${n}`)
  }, 40)
  for (const outcome of outcomes(replies)) {
    expect([200, 201, ...REFUSALS]).toContain(outcome)
  }
  const { earned_cents, paid_cents, available_cents } = await partnerOf(store, partner_id)
  expect(paid_cents + available_cents).toBeLessThanOrEqual(earned_cents)
  await raceStore.expectSweepClean()
})

test('of 20 sales of a partner at once ten are flagged as high_velocity', async (context) => {
  const store = await raceStore.openStoreFixture(context)
  const { partner_id, product_id } = await programme(store)
  const replies = await times((n) =>
    insist(store.targets[0], '/orders', orderOf(product_id, n), `order-${n}`),
  )
  expect(new Set(outcomes(replies))).toEqual(new Set([201]))
  const path = `/affiliates/conversions?partner_id=${partner_id}`
  const { json } = await call(store.targets[0], 'GET', path)
  expect(json.counts).toEqual({ all: 20, valid: 10, flagged: 10, rejected: 0 })
  await raceStore.expectSweepClean()
})

test('buyers who are blocked while their orders are paid are flagged, and no deadlock occurs', async (context) => {
  const store = await raceStore.openStoreFixture(context)
  const [target] = store.targets
  const { partner_id, product_id } = await programme(store)
  const orders: Json[] = []
  for (let n = 0; n < 5; n++) {
    const body = orderOf(product_id, n, { mark_paid: false })
    orders.push((await made(store, '/orders', body)).order)
  }
  await Promise.all(
    orders.flatMap(({ id, customer }) => [
      insist(target, `/orders/${id}/manual-payments`, {}, `pay-${id}`),
      insist(target, `/customers/${customer.id}/block`, {}, `block-${id}`),
    ]),
  )
  const { json } = await call(target, 'GET', `/affiliates/conversions?partner_id=${partner_id}`)
  expect(json.counts).toMatchObject({ all: 5, flagged: 5 })
  await raceStore.expectSweepClean()
})

test('20 clicks at once are 20 clicks', async (context) => {
  const store = await raceStore.openStoreFixture(context)
  const { partner_id } = await programme(store)
  const { rows } = await sql<{ slug: string }>`
    select slug from store where id = ${store.storeId}`.execute(store.app.db)
  const [{ origin }] = store.targets
  await times(async () => {
    const { status } = await fetch(`${origin}/r/${rows[0]?.slug}/grace`, { redirect: 'manual' })
    expect(status).toBe(302)
  })
  expect((await partnerOf(store, partner_id)).clicks).toBe(CALLS)
})
