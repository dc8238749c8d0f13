import { MINUTE_MS } from '../../src/kernel/time.ts'
import type { Choices } from '../chance.mjs'
import type { Json } from '../harness.ts'
import { runJobs } from './stripe-quiet.ts'
import type { StripeStore } from './stripe-store.ts'

// The steps of the model: calls of the seller, acts of buyers and banks at two providers, and callbacks that arrive in any way.

export interface Steps {
  /** Takes a random step with an order. Returns its name. Many steps are refused and change nothing. */
  take(order: Json): Promise<string>
  /** Lets time pass, in which late callbacks arrive and every job runs. */
  pass(minutes: number): Promise<void>
  /** The orders that the seller has released. */
  released: ReadonlySet<string>
}

const CALLBACKS = ['once', 'once', 'twice', 'late', 'never', 'forged', 'reordered'] as const
type CallbackKind = (typeof CALLBACKS)[number]
/** The acts of a buyer or a bank, and how often each is chosen. */
const ACTS = {
  pay: 8,
  pay_part: 3,
  overpay: 3,
  decline: 2,
  process: 3,
  expire: 1,
  refund_outside: 2,
  dispute: 3,
  win: 2,
  lose: 2,
} as const
type Act = keyof typeof ACTS
/** A step may be refused with these. */
const REFUSED: readonly number[] = [200, 201, 409, 422]
const MINUTES = [1, 5, 20, 90]
const OVER_CENTS = 500

const weighted = <T extends string>(weights: Record<T, number>): T[] =>
  (Object.keys(weights) as T[]).flatMap((name) => Array.from({ length: weights[name] }, () => name))

export function createSteps(store: StripeStore, chance: Choices): Steps {
  const { tradepost } = store
  const as = { as: tradepost.test }
  const released = new Set<string>()
  const lateEvents: Json[] = []

  async function post(path: string, body: Json = {}): Promise<number> {
    const { status, text } = await tradepost.post(path, body, as)
    if (!REFUSED.includes(status)) throw new Error(`${path}: ${status} ${text}`)
    return status
  }

  async function pass(minutes: number): Promise<void> {
    tradepost.forward(minutes * MINUTE_MS)
    await store.deliver(chance.shuffle(lateEvents.splice(0)))
    await runJobs(store)
  }

  /** Plays the buyer or the bank of a payment, whose provider reports it in some way. */
  async function play(order: Json, act: Act): Promise<void> {
    const payments = order.payments.filter(isThroughProvider)
    if (payments.length === 0) return
    // The newest one most often, because most acts need an open page.
    const payment = chance.below(3) === 0 ? chance.pick<Json>(payments) : payments.at(-1)
    const callback = chance.pick(CALLBACKS)
    if (payment.provider === 'test') {
      const path = `/orders/${order.id}/payments/${payment.id}/simulate`
      await post(path, { do: act, callback })
    } else if (payment.external_id !== null)
      await report(actAtStripe(store, payment, act), callback)
  }

  async function report(events: Json[], callback: CallbackKind): Promise<void> {
    if (callback === 'late') lateEvents.push(...events)
    if (callback === 'forged') await deliverForged(store, events)
    if (callback === 'once' || callback === 'twice') await store.deliver(events)
    if (callback === 'twice') await store.deliver(events)
    if (callback === 'reordered') await store.deliver(events.toReversed())
    await runJobs(store, ['apply-payment-callbacks'])
  }

  async function ofPayment(order: Json, call: string): Promise<void> {
    const payments: Json[] = order.payments.filter(isThroughProvider)
    if (payments.length === 0) return
    await post(`/orders/${order.id}/${call.replace(':id', String(chance.pick(payments).id))}`)
  }

  const refund = ({ id, paid_cents }: Json): Promise<number> =>
    post(`/orders/${id}/refund`, { amount_cents: 1 + chance.below(Math.max(1, paid_cents)) })

  const SELLER: Record<string, (order: Json) => Promise<unknown>> = {
    'start by card': ({ id }) => post(`/orders/${id}/payments`, { method: 'card' }),
    'start by test': ({ id }) => post(`/orders/${id}/payments`, { method: 'test' }),
    'cancel a payment': (order) => ofPayment(order, 'payments/:id/cancel'),
    refresh: (order) => ofPayment(order, 'payments/:id/refresh'),
    cancel: ({ id }) => post(`/orders/${id}/cancel`),
    refund,
    'refund all': ({ id }) => post(`/orders/${id}/refund`),
    'refund a line': ({ id, items: [item] }) =>
      post(`/orders/${id}/refund`, { items: [{ order_item_id: item.id, quantity: 1 }] }),
    'pay manually': ({ id }) => post(`/orders/${id}/manual-payments`, { amount_cents: 700 }),
    hold: ({ id }) => post(`/orders/${id}/hold`),
    async release({ id }) {
      if ((await post(`/orders/${id}/release`)) === 200) released.add(id)
    },
    approve: (order) => ofPayment(order, 'manual-payments/:id/approve'),
    reject: (order) => ofPayment(order, 'manual-payments/:id/reject'),
    'rotate the link': ({ id }) => post(`/orders/${id}/rotate-link`),
    sweep: () => runJobs(store, ['check-payments']),
    'pass time': () => pass(chance.pick(MINUTES)),
  }
  const CHOICES = [
    ...Object.keys(SELLER),
    ...Array.from({ length: 6 }, () => ['start by card', 'start by test', 'refresh']).flat(),
    ...weighted(ACTS),
  ]

  return {
    released,
    pass,
    async take(order) {
      const name = chance.pick(CHOICES)
      await (SELLER[name]?.(order) ?? play(order, name as Act))
      return name
    },
  }
}

async function deliverForged({ tradepost, stripe }: StripeStore, events: Json[]): Promise<void> {
  for (const event of events) {
    const { headers, body: payload } = stripe.signed(event, 'whsec_of_a_forger')
    const url = `/callbacks/stripe/${tradepost.test.id}`
    const { statusCode } = await tradepost.server.inject({ method: 'POST', url, headers, payload })
    if (statusCode !== 400) throw new Error(`A forged callback got ${statusCode}.`)
  }
}

const isThroughProvider = ({ provider }: Json): boolean => provider !== null

/** Plays the buyer or the bank at Stripe, if the act is possible there. Returns the events. */
function actAtStripe({ stripe }: StripeStore, { external_id: id }: Json, act: Act): Json[] {
  const { records } = stripe
  const session = records.sessions.get(id)
  const intent = records.intents.get(session.payment_intent)
  const charge = records.charges.get(intent?.latest_charge)
  const dispute = [...records.disputes.values()].find((item) => item.charge === charge?.id)
  const left = charge && !dispute ? charge.amount - charge.amount_refunded : 0
  const isOpen = session.status === 'open'
  const canEnd = isOpen || (session.status === 'complete' && intent?.status === 'processing')
  const isDisputed = dispute?.status === 'needs_response'
  const total = session.amount_total
  const acts: Record<Act, [isPossible: boolean, run: () => Json[]]> = {
    pay: [canEnd, () => stripe.pay(id)],
    pay_part: [isOpen, () => stripe.pay(id, { amount: Math.ceil(total / 2) })],
    overpay: [isOpen, () => stripe.pay(id, { amount: total + OVER_CENTS })],
    decline: [canEnd, () => stripe.decline(id)],
    process: [isOpen, () => stripe.process(id)],
    expire: [isOpen, () => stripe.expire(id)],
    refund_outside: [left > 0, () => stripe.refund(id, Math.ceil(left / 2))],
    dispute: [left > 0, () => stripe.dispute(id, { amount: left })],
    win: [isDisputed, () => stripe.win(dispute?.id)],
    lose: [isDisputed, () => stripe.lose(dispute?.id)],
  }
  const [isPossible, run] = acts[act]
  return isPossible ? run() : []
}
