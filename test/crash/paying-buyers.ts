import { randomUUID } from 'node:crypto'
import { chanceOf } from '../chance.mjs'
import type { Json } from '../harness.ts'
import { call, postUntilAnswered, type Reply, type Target } from '../process/client.ts'
import { type FakeStripe, STRIPE_WEBHOOK_SECRET } from '../providers/stripe.ts'
import { until } from '../until.ts'

/** A call without an answer. It may have taken effect. */
interface UnansweredCall {
  path: string
  body: unknown
  idempotencyKey: string
}

/** Customers who buy and pay by card continuously, at a server that may be killed. */
export interface PayingBuyers {
  /** The ids of acknowledged refunds. */
  refunds: ReadonlySet<number>
  /** Answers that no customer should get. */
  faults: string[]
  /** Lets the customers buy from this server until `stop`. */
  start(target: Target): void
  /** Resolves after this many further answers, one of which is a refund. */
  untilRefunded(count: number): Promise<void>
  /** Resolves when every running call was answered or has failed. */
  stop(): Promise<void>
  /** Repeats the calls that got no answer. */
  repeat(target: Target): Promise<void>
  /** Has Stripe send events. Those that the server does not take are lost. */
  deliver(target: Target, events: readonly Json[]): Promise<void>
}

const BUYERS = 4
/** A refund of an order that is not paid yet is refused, and so is a payment of one that has ended. */
const EXPECTED: readonly number[] = [200, 201, 409, 422]

export function createPayingBuyers(stripe: FakeStripe, productId: string): PayingBuyers {
  const refunds = new Set<number>()
  const unanswered: UnansweredCall[] = []
  const faults: string[] = []
  const chance = chanceOf('paying buyers before a kill')
  let running: Promise<unknown> = Promise.resolve()
  let isStopped = false
  let answers = 0
  let buyers = 0

  async function buyUntilStopped(target: Target): Promise<void> {
    while (!isStopped) {
      buyers += 1
      const order = (await send(target, '/orders', orderBody(buyers)))?.order
      if (!order) return
      await pay(target, `/orders/${order.id}`)
    }
  }

  /** Starts a payment, then does some of the things that a buyer and a seller can do. */
  async function pay(target: Target, path: string): Promise<void> {
    const payment = (await send(target, `${path}/payments`, { method: 'card' }))?.payment
    if (!payment?.external_id) return
    if (chance() < 0.8) await deliver(target, stripe.pay(payment.external_id))
    if (chance() < 0.3) await send(target, `${path}/payments/${payment.id}/refresh`, {})
    if (chance() < 0.4) {
      // The callback is applied in the background. Only an order that is paid by now is refunded.
      await send(target, `${path}/payments/${payment.id}/refresh`, {})
      await send(target, `${path}/refund`, { amount_cents: 200 })
    }
    if (chance() < 0.2) await send(target, `${path}/cancel`, {})
  }

  const orderBody = (n: number): Json => ({
    items: [{ product_id: productId, quantity: 1 }],
    customer: { email: `buyer-${n}@example.com` },
  })

  /** Returns undefined if the call has no answer. */
  async function send(target: Target, path: string, body: Json): Promise<Json> {
    const idempotencyKey = randomUUID()
    try {
      const reply = await call(target, 'POST', path, { body, idempotencyKey })
      if (reply.status === 503) unanswered.push({ path, body, idempotencyKey })
      else record(path, reply)
      return reply.json
    } catch {
      unanswered.push({ path, body, idempotencyKey })
      return undefined
    }
  }

  function record(path: string, { status, text, json }: Reply): void {
    answers += 1
    if (!EXPECTED.includes(status)) faults.push(`${path}: ${status} ${text}`)
    for (const refund of json.refunds ?? []) refunds.add(refund.id)
  }

  async function deliver(target: Target, events: readonly Json[]): Promise<void> {
    for (const event of events) {
      const { headers, body } = stripe.signed(event, STRIPE_WEBHOOK_SECRET)
      const url = `${target.origin}/callbacks/stripe/${target.store}`
      await fetch(url, { method: 'POST', headers, body }).catch(() => {})
    }
  }

  return {
    refunds,
    faults,
    deliver,
    start(target) {
      isStopped = false
      running = Promise.all(Array.from({ length: BUYERS }, () => buyUntilStopped(target)))
    },
    untilRefunded(count) {
      const goal = answers + count
      const refundsBefore = refunds.size
      return until(() => answers >= goal && refunds.size > refundsBefore)
    },
    async stop() {
      isStopped = true
      await running
    },
    async repeat(target) {
      for (const { path, body, idempotencyKey } of unanswered.splice(0))
        record(path, await postUntilAnswered(target, path, body, idempotencyKey))
    },
  }
}
