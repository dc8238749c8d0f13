import { vi } from 'vitest'
import { MINUTE_MS } from '../../src/kernel/time.ts'
import type { Choices } from '../chance.mjs'
import type { Json } from '../harness.ts'
import type { StripeStore } from './stripe-store.ts'

/** The limit of calls to providers while a test shortens it. A busy machine answers sooner. */
const SHORT_MS = 150

/** Has calls to providers end after a moment instead of ten seconds, until the mocks are restored. */
export function shortenCalls(): void {
  const timeout = AbortSignal.timeout.bind(AbortSignal)
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(Math.min(ms, SHORT_MS)))
}

const JOBS = [
  'apply-payment-callbacks',
  'send-late-callbacks',
  'check-payments',
  'send-refunds',
  'expire-orders',
  'renew-subscriptions',
]

/** Runs these jobs until nothing is due. */
export async function runJobs(
  { tradepost: { app } }: StripeStore,
  names: readonly string[] = JOBS,
): Promise<void> {
  for (const job of app.jobs.filter(({ name }) => names.includes(name))) while (await job.run(app));
}

/** The steps in which the clock moves on, in minutes. An order expires after 60, at the latest ten later. */
const STEPS_MIN = [2, 59, 15, 60]

/**
 * Lets hours pass, in which late requests and the callbacks about an order arrive in any sequence, and every job runs. In
 * every other case `chance` lets no callback arrive, unless Stripe alone knows of a request that arrived late.
 */
export async function untilQuiet(
  store: StripeStore,
  orderId: string,
  chance: Choices,
): Promise<void> {
  const { stripe, tradepost } = store
  stripe.misbehaviours.length = 0
  const counts = stripe.actLate() > 0 || chance.below(2) === 0 ? [0, 0, 1, 2] : [0]
  for (const minutes of STEPS_MIN) {
    tradepost.forward(minutes * MINUTE_MS)
    const isLast = minutes === STEPS_MIN.at(-1)
    const events = chance.shuffle(await eventsAbout(store, orderId))
    const sent = events.flatMap((event) => {
      const count = Math.max(chance.pick(counts), isLast && counts.length > 1 ? 1 : 0)
      return Array.from({ length: count }, () => event)
    })
    await store.deliver(sent)
    await runJobs(store)
  }
}

async function eventsAbout(store: StripeStore, order_id: string): Promise<Json[]> {
  const { payments } = await store.orderOf({ order_id })
  const { intents } = store.stripe.records
  const isOwn = ({ metadata, payment_intent }: Json): boolean => {
    const named = metadata?.payment ?? intents.get(payment_intent)?.metadata.payment
    return payments.some(({ id }: Json) => String(id) === named)
  }
  return store.stripe.reportAll().filter(({ data }) => isOwn(data.object))
}
