import { order, product } from '../build.ts'
import { type Json, openTradepost, type Tradepost, type TradepostOptions } from '../harness.ts'
import { type FakeStripe, STRIPE_KEY, STRIPE_WEBHOOK_SECRET, startFakeStripe } from './stripe.ts'
import { replayAtStripeMock } from './stripe-mock.ts'

/** A store whose test side is connected to the fake Stripe. */
export interface StripeStore {
  tradepost: Tradepost
  stripe: FakeStripe
  /** Connects Stripe to the test side. */
  connect(body?: Json): ReturnType<Tradepost['put']>
  /** Creates an unpaid order of a service. */
  unpaidOrder(fields?: Json, price_cents?: number): Promise<Json>
  /** Starts a payment by card, and returns the answer of the call. */
  start(orderId: string, body?: Json): ReturnType<Tradepost['post']>
  /** Creates an order with a started payment. */
  startedPayment(fields?: Json): Promise<Json>
  /** Has Stripe send its events to the test side, and returns the statuses of the answers. */
  deliver(events: readonly Json[]): Promise<number[]>
  orderOf(payment: Json): Promise<Json>
  refresh(payment: Json): ReturnType<Tradepost['post']>
  /** Ends all, and throws if Stripe's own mock refuses a request that was made. */
  close(): Promise<void>
}

const PATH = '/account/payment-providers/stripe'

export async function openStripeStore({ env }: TradepostOptions = {}): Promise<StripeStore> {
  let clock: { now(): number } | undefined
  const stripe = await startFakeStripe(() => clock?.now() ?? Date.now())
  const tradepost = await openTradepost({ env: { ...env, TRADEPOST_STRIPE_URL: stripe.url } })
  clock = tradepost.app.clock
  const as = { as: tradepost.test }

  const store: StripeStore = {
    tradepost,
    stripe,
    connect: (body = CREDENTIALS) => tradepost.put(PATH, body, as),
    async unpaidOrder(fields = {}, price_cents = 1_000) {
      const { id } = await product(tradepost, { type: 'service', price_cents }, as)
      return order(tradepost, id, fields, as)
    },
    start: (orderId, body = {}) =>
      tradepost.post(`/orders/${orderId}/payments`, { method: 'card', ...body }, as),
    async startedPayment(fields = {}) {
      const unpaid = await store.unpaidOrder(fields)
      const { json, text } = await store.start(unpaid.id)
      if (!json.payment) throw new Error(`No payment: ${text}`)
      return json.payment
    },
    async deliver(events) {
      const statuses: number[] = []
      for (const event of events) {
        const { headers, body } = stripe.signed(event, STRIPE_WEBHOOK_SECRET)
        const url = `/callbacks/stripe/${tradepost.test.id}`
        const response = await tradepost.server.inject({
          method: 'POST',
          url,
          headers,
          payload: body,
        })
        statuses.push(response.statusCode)
      }
      return statuses
    },
    orderOf: async ({ order_id }) => (await tradepost.get(`/orders/${order_id}`, as)).json.order,
    refresh: ({ order_id, id }) =>
      tradepost.post(`/orders/${order_id}/payments/${id}/refresh`, undefined, as),
    async close() {
      await tradepost.close()
      await stripe.close()
      await replayAtStripeMock(stripe.requests)
    },
  }
  return store
}

export const CREDENTIALS = { secret_key: STRIPE_KEY, webhook_secret: STRIPE_WEBHOOK_SECRET }
