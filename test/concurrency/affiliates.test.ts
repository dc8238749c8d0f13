import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Json } from '../harness.ts'
import { call, postUntilAnswered } from '../process/client.ts'
import type { ServedStore } from './open-served-database.ts'
import { postSuccessfully } from './post-successfully.ts'
import { eventCounts } from './put-on-sale.ts'
import { sharedDatabase } from './shared-database.ts'

// Commissions and payouts of one partner under concurrent calls.

const database = sharedDatabase()
const CALLS = 20
const REFUSALS = ['INVALID_STATE', 'VALIDATION_FAILED', 'REFUND_EXCEEDS_PAID']

const runConcurrently = <T>(work: (n: number) => Promise<T>, count = CALLS): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)))

const outcomesOf = (replies: readonly { status: number; json: Json }[]) =>
  replies.map(({ status, json }) => json.code ?? status)

/** Opens a programme without a hold, and a partner who earns 1.00 from each sale of the product. */
async function openProgramme(store: ServedStore) {
  const body = { enabled: true, hold_days: 0, min_payout_cents: 0 }
  await call(store.targets[0], 'PATCH', '/affiliates/program', { body })
  const { partner } = await postSuccessfully(store, '/affiliates/partners', {
    email: 'grace@example.com',
  })
  await postSuccessfully(store, `/affiliates/partners/${partner.id}/links`, { code: 'grace' })
  const editor = { name: 'Editor', type: 'license', price_cents: 1_000 }
  const { product } = await postSuccessfully(store, '/products', editor)
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

const getPartner = async (store: ServedStore, id: string): Promise<Json> =>
  (await call(store.targets[0], 'GET', `/affiliates/partners/${id}`)).json.partner

test('one of 20 concurrent payout requests is accepted, for the available amount', async (context) => {
  const store = await database.openStore(context)
  const { partner_id, product_id } = await openProgramme(store)
  for (let n = 0; n < 5; n++) await postSuccessfully(store, '/orders', orderOf(product_id, n))
  const replies = await runConcurrently((n) =>
    postUntilAnswered(store.targets[0], '/affiliates/payouts', payoutOf(partner_id), `payout-${n}`),
  )
  const accepted = replies.filter(({ status }) => status === 201)
  expect(accepted.map(({ json }) => json.payout.amount_cents)).toEqual([500])
  expect(outcomesOf(replies).filter((item) => item === 'INVALID_STATE')).toHaveLength(CALLS - 1)
  expect(await eventCounts(store)).toMatchObject({ 'affiliate.payout_requested': 1 })
  expect((await getPartner(store, partner_id)).available_cents).toBe(0)
  await database.expectNoFaults()
})

test('a requested payout that is concurrently sent and rejected 20 times has one outcome', async (context) => {
  const store = await database.openStore(context)
  const { partner_id, product_id } = await openProgramme(store)
  await postSuccessfully(store, '/orders', orderOf(product_id, 1))
  const { payout } = await postSuccessfully(store, '/affiliates/payouts', payoutOf(partner_id))
  const replies = await runConcurrently((n) => {
    const verb = n % 2 === 0 ? 'send' : 'reject'
    return postUntilAnswered(
      store.targets[0],
      `/affiliates/payouts/${payout.id}/${verb}`,
      {},
      `end-${n}`,
    )
  })
  const successes = replies.filter(({ status }) => status === 200)
  expect(successes).toHaveLength(1)
  const isSent = successes[0]?.json.payout.status === 'sent'
  expect((await eventCounts(store))['affiliate.payout_sent'] ?? 0).toBe(isSent ? 1 : 0)
  const { paid_cents, available_cents } = await getPartner(store, partner_id)
  expect([paid_cents, available_cents]).toEqual(isSent ? [100, 0] : [0, 100])
  await database.expectNoFaults()
})

test('concurrent payouts, refunds, reviews and sales never pay a partner more than the earned amount', async (context) => {
  const store = await database.openStore(context)
  const [target] = store.targets
  const { partner_id, product_id } = await openProgramme(store)
  const orderIds: string[] = []
  for (let n = 0; n < 8; n++) {
    orderIds.push((await postSuccessfully(store, '/orders', orderOf(product_id, n))).order.id)
  }
  const replies = await runConcurrently(async (n) => {
    const id = orderIds[n % orderIds.length]
    if (n % 4 === 0) {
      const answer = await postUntilAnswered(
        target,
        '/affiliates/payouts',
        payoutOf(partner_id),
        `pay-${n}`,
      )
      const { payout } = answer.json
      if (!payout) return answer
      const verb = n % 8 === 0 ? 'send' : 'reject'
      return postUntilAnswered(target, `/affiliates/payouts/${payout.id}/${verb}`, {}, `end-${n}`)
    }
    if (n % 4 === 1) {
      return postUntilAnswered(target, `/orders/${id}/refund`, { amount_cents: 300 }, `refund-${n}`)
    }
    if (n % 4 === 2) {
      const status = n % 8 === 2 ? 'rejected' : 'valid'
      return postUntilAnswered(
        target,
        `/affiliates/conversions/${id}/review`,
        { status },
        `review-${n}`,
      )
    }
    return postUntilAnswered(target, '/orders', orderOf(product_id, n), `order-${n}`)
  }, 40)
  for (const outcome of outcomesOf(replies)) {
    expect([200, 201, ...REFUSALS]).toContain(outcome)
  }
  const { earned_cents, paid_cents, available_cents } = await getPartner(store, partner_id)
  expect(paid_cents + available_cents).toBeLessThanOrEqual(earned_cents)
  await database.expectNoFaults()
})

test('ten of 20 concurrent conversions of a partner are flagged', async (context) => {
  const store = await database.openStore(context)
  const { partner_id, product_id } = await openProgramme(store)
  const replies = await runConcurrently((n) =>
    postUntilAnswered(store.targets[0], '/orders', orderOf(product_id, n), `order-${n}`),
  )
  expect(new Set(outcomesOf(replies))).toEqual(new Set([201]))
  const path = `/affiliates/conversions?partner_id=${partner_id}`
  const { json } = await call(store.targets[0], 'GET', path)
  expect(json.counts).toEqual({ all: 20, valid: 10, flagged: 10, rejected: 0 })
  await database.expectNoFaults()
})

test('buyers who are blocked while their orders are paid are flagged without a deadlock', async (context) => {
  const store = await database.openStore(context)
  const [target] = store.targets
  const { partner_id, product_id } = await openProgramme(store)
  const orders: Json[] = []
  for (let n = 0; n < 5; n++) {
    const body = orderOf(product_id, n, { mark_paid: false })
    orders.push((await postSuccessfully(store, '/orders', body)).order)
  }
  await Promise.all(
    orders.flatMap(({ id, customer }) => [
      postUntilAnswered(target, `/orders/${id}/manual-payments`, {}, `pay-${id}`),
      postUntilAnswered(target, `/customers/${customer.id}/block`, {}, `block-${id}`),
    ]),
  )
  const { json } = await call(target, 'GET', `/affiliates/conversions?partner_id=${partner_id}`)
  expect(json.counts).toMatchObject({ all: 5, flagged: 5 })
  await database.expectNoFaults()
})

test('20 concurrent clicks are counted as 20', async (context) => {
  const store = await database.openStore(context)
  const { partner_id } = await openProgramme(store)
  const { rows } = await sql<{ slug: string }>`
    select slug from store where id = ${store.storeId}`.execute(store.app.db)
  const [{ origin }] = store.targets
  await runConcurrently(async () => {
    const { status } = await fetch(`${origin}/r/${rows[0]?.slug}/grace`, { redirect: 'manual' })
    expect(status).toBe(302)
  })
  expect((await getPartner(store, partner_id)).clicks).toBe(CALLS)
  await database.expectNoFaults()
})
