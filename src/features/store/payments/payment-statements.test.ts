import { afterAll, beforeAll, expect, test } from 'vitest'
import { keysNamed, order, product } from '../../../../test/build.ts'
import type { Json } from '../../../../test/harness.ts'
import { openStripeStore, type StripeStore } from '../../../../test/providers/stripe-store.ts'
import { applyCallbacksJob } from './index.ts'

let store: StripeStore
let productId: string

beforeAll(async () => {
  store = await openStripeStore()
  await store.connect()
  const keys = keysNamed('STATEMENT', 10)
  productId = (await product(store.tradepost, {}, { ...as(), keys })).id
  // Caches are filled, and plans are known.
  await payByCard()
})
afterAll(() => store.close())

const as = () => ({ as: store.tradepost.test })

/** Creates an order that is paid by card, and delivered after its callback. */
async function payByCard(): Promise<void> {
  const unpaid = await order(store.tradepost, productId, {}, as())
  const { payment } = (await store.start(unpaid.id)).json
  const events = store.stripe.pay(payment.external_id)
  // Stripe sends no other event of a payment (docs/guides/payments.md).
  await store.deliver(events.filter(({ type }) => type.startsWith('checkout.session.')))
  await applyCallbacksJob.run(store.tradepost.app)
}

/** Decision 35 counts statements. More of them make every payment slower. */
const STATEMENTS_MAX = 36

test(`an order that is paid by card and delivered takes at most ${STATEMENTS_MAX} statements`, async () => {
  const byCard = await store.tradepost.statements(payByCard)
  const { json } = await store.tradepost.get('/orders?limit=1', as())
  expect(json.orders.map(({ status }: Json) => status)).toEqual(['completed'])
  expect(byCard.length).toBeLessThanOrEqual(STATEMENTS_MAX)
})
