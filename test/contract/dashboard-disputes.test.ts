import { afterAll, beforeAll, expect, test } from 'vitest'
import { HOUR_MS } from '../../src/kernel/time.ts'
import { type SignedIn, signedIn } from '../browser-session.ts'
import type { Json, Tradepost } from '../harness.ts'
import { simulate, startedOrder } from '../provider-payments.ts'
import { openUnlimited } from './prepared-calls.ts'

// The disputes that the dashboard shows under "Needs attention".

let tradepost: Tradepost
let viewer: SignedIn
let base: string

beforeAll(async () => {
  tradepost = await openUnlimited()
  viewer = await signedIn(tradepost, 'viewer', { store: tradepost.test.id })
  base = `/stores/${tradepost.test.id}`
})
afterAll(() => tradepost.close())

async function disputedPayment(): Promise<{ order: Json; payment: Json }> {
  const started = await startedOrder(tradepost)
  await simulate(tradepost, started.payment, { do: 'pay' })
  const { json } = await simulate(tradepost, started.payment, { do: 'dispute' })
  return json as { order: Json; payment: Json }
}

const listed = async (query = '') => (await viewer.get(`${base}/disputes${query}`)).json
const counted = async (): Promise<number> =>
  (await viewer.get(`${base}/counts`)).json.counts.disputes

test('open disputes are counted and listed, those that must be answered first in front, until they are decided', async () => {
  expect(await counted()).toBe(0)
  const first = await disputedPayment()
  tradepost.forward(HOUR_MS)
  const second = await disputedPayment()
  expect(await counted()).toBe(2)
  expect((await listed()).disputes).toEqual(
    [first, second].map(({ order, payment }) => ({
      order_id: order.id,
      order_number: order.number,
      customer_email: order.customer.email,
      payment_id: payment.id,
      provider: 'test',
      reason: 'fraudulent',
      amount_cents: 1000,
      currency: 'EUR',
      due_at: payment.dispute.due_at,
    })),
  )
  const page = await listed('?limit=1&offset=1')
  expect(page.disputes).toMatchObject([{ payment_id: second.payment.id }])
  expect(page.pagination).toEqual({ total: 2, limit: 1, offset: 1, has_more: false })

  await simulate(tradepost, first.payment, { do: 'win' })
  await simulate(tradepost, second.payment, { do: 'lose' })
  expect(await counted()).toBe(0)
  expect((await listed()).disputes).toEqual([])
})

test('the live side does not show disputes of the test side', async () => {
  await disputedPayment()
  const owner = await signedIn(tradepost)
  const path = `/stores/${tradepost.live.id}/disputes`
  expect((await owner.get(path)).json.disputes).toEqual([])
})
