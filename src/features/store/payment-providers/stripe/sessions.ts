import type Stripe from 'stripe'
import { DAY_MS, iso, MINUTE_MS, SECOND_MS } from '../../../../kernel/time.ts'
import type { StoreContext } from '../../../../store-context.ts'
import { openCredentials } from '../credentials.ts'
import {
  failureOf,
  isSetUp,
  type NewSession,
  type PaymentRef,
  type ProviderRecord,
  type Session,
} from '../provider.ts'
import { toStripeAmount } from './amounts.rules.ts'
import { callStripe, STRIPE } from './client.ts'
import { BrokenAnswer } from './errors.rules.ts'
import { readAnswer } from './read-answer.ts'
import { paidIntentOf, recordOf, Session as StripeSession } from './record.ts'
import { historyOf } from './refunds.ts'

/** A session lives 30 minutes to 24 hours. Five minutes are left for a call that is repeated and for other clocks. */
const LIFETIME_MIN_MS = 35 * MINUTE_MS
const LIFETIME_MAX_MS = DAY_MS - 5 * MINUTE_MS

/** Opens a Checkout Session. The same payment has the same key and the same parameters, so it gets the same session. */
export async function createSession(context: StoreContext, payment: NewSession): Promise<Session> {
  const params = paramsOf(context, payment)
  const idempotencyKey = `tradepost-${context.store.hash}-payment-${payment.id}`
  return callStripe(context, async (stripe) => {
    const answer = await stripe.checkout.sessions.create(params, { idempotencyKey })
    const { id, url, expires_at } = readAnswer(StripeSession, answer)
    if (!url) throw new BrokenAnswer('Stripe opened a session without a page.')
    const sessionEnd = iso(expires_at * SECOND_MS + context.store.clock_offset_ms)
    return {
      external_id: id,
      checkout_url: url,
      expires_at: sessionEnd < payment.expires_at ? sessionEnd : payment.expires_at,
    }
  })
}

function paramsOf(
  { store, publicUrl }: StoreContext,
  payment: NewSession,
): Stripe.Checkout.SessionCreateParams {
  const { id, order_id, order_number, currency, return_url } = payment
  // Stripe requires a page, and may not link to an http address that is not loopback.
  const url = new URL(return_url ?? publicUrl).href
  const metadata = { store: store.hash, payment: String(id) }
  const common = {
    client_reference_id: order_id,
    metadata,
    ...(payment.saves_method && customerOf(payment)),
    success_url: url,
    cancel_url: url,
    expires_at: Math.floor(endOf(store.clock_offset_ms, payment) / SECOND_MS),
  }
  if (isSetUp(payment))
    return {
      ...common,
      mode: 'setup',
      currency: currency.toLowerCase(),
      setup_intent_data: { metadata },
    }
  return {
    ...common,
    mode: 'payment',
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: currency.toLowerCase(),
          unit_amount: toStripeAmount(payment),
          product_data: { name: `${store.name} #${order_number}` },
        },
      },
    ],
    // Charges, which refunds and disputes name, get the metadata of their payment intent.
    payment_intent_data: {
      metadata,
      ...(payment.saves_method && { setup_future_usage: 'off_session' as const }),
    },
  }
}

/** A saved method belongs to a customer at Stripe: that of an earlier method, or a new one. */
const customerOf = ({ provider_customer }: PaymentRef) =>
  provider_customer === null
    ? ({ customer_creation: 'always' } as const)
    : { customer: provider_customer }

/** Returns the end of a session by the machine's clock. It depends on the payment alone, so that it is the same again. */
function endOf(offset_ms: number, { created_at, expires_at }: NewSession): number {
  const start = Date.parse(created_at) - offset_ms
  const end = Date.parse(expires_at) - offset_ms
  return Math.min(Math.max(end, start + LIFETIME_MIN_MS), start + LIFETIME_MAX_MS)
}

const EXPAND = ['payment_intent.latest_charge.balance_transaction', 'payment_intent.payment_method']
const EXPAND_SET_UP = ['setup_intent.payment_method']

/** The error of Stripe for an id that its account does not have, because the store was connected to another account. */
const UNKNOWN = 'resource_missing'

export async function readSession(
  context: StoreContext,
  payment: PaymentRef,
): Promise<ProviderRecord> {
  const { external_id } = payment
  // Its page is being opened.
  if (external_id === null) return { status: 'open' }
  try {
    return await callStripe(context, async (stripe) => {
      const options = { expand: isSetUp(payment) ? EXPAND_SET_UP : EXPAND }
      const answer = await stripe.checkout.sessions.retrieve(external_id, options)
      const session = readAnswer(StripeSession, answer)
      const record = recordOf(session, payment)
      if (record.status !== 'paid' || record.has_other_currency || isSetUp(payment)) return record
      const history = await historyOf(context, stripe, paidIntentOf(session), payment)
      return { ...record, ...history }
    })
  } catch (error) {
    const failure = failureOf(error)
    if (failure?.code === UNKNOWN) return { status: 'failed', failure }
    throw error
  }
}

/**
 * Ends a session. One whose id is not known needs no call: its address was given to nobody, so nobody can pay there, and
 * Stripe ends it after a day.
 */
export async function endSession(
  context: StoreContext,
  payment: PaymentRef,
): Promise<ProviderRecord> {
  const { external_id } = payment
  if (external_id === null) return { status: 'ended' }
  // A forced disconnection leaves open payments about which Stripe cannot be asked. Their orders could never end.
  if (!(await openCredentials(context, STRIPE))) return { status: 'ended' }
  try {
    await callStripe(context, (stripe) => stripe.checkout.sessions.expire(external_id))
    return { status: 'ended' }
  } catch (error) {
    // The session is no longer open, and its record says why.
    const record = failureOf(error) && (await readSession(context, payment))
    if (!record || record.status === 'open') throw error
    return record
  }
}
