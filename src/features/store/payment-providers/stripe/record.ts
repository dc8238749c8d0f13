import { z } from 'zod'
import {
  isSetUp,
  type PaymentRef,
  type ProviderFailure,
  type ProviderFee,
  type ProviderRecord,
  type SavedMethod,
} from '../provider.ts'
import { fromStripeAmount } from './amounts.rules.ts'
import { BrokenAnswer, withoutSecrets } from './errors.rules.ts'

const Charge = z.object({
  amount_refunded: z.int(),
  disputed: z.boolean(),
  /** Null until Stripe has booked the charge. */
  balance_transaction: z
    .union([z.object({ fee: z.int(), currency: z.string() }), z.string()])
    .nullish(),
})

const Method = z.object({
  id: z.string(),
  type: z.string(),
  card: z
    .object({ brand: z.string(), last4: z.string(), exp_month: z.int(), exp_year: z.int() })
    .nullish(),
})

/** The fields of a payment intent that are read, with its expanded charge. */
export const Intent = z.object({
  id: z.string(),
  status: z.string(),
  amount_received: z.int().min(0),
  currency: z.string(),
  payment_method: z.union([Method, z.string()]).nullish(),
  last_payment_error: z
    .object({ code: z.string().nullish(), message: z.string().nullish() })
    .nullish(),
  latest_charge: z.union([Charge, z.string()]).nullish(),
})

export type Intent = z.output<typeof Intent>

/** The fields of a Checkout Session that are read, with its expanded intent. One that saves a method has no amount. */
export const Session = z.object({
  id: z.string(),
  status: z.enum(['open', 'complete', 'expired']),
  payment_status: z.enum(['paid', 'unpaid', 'no_payment_required']),
  amount_total: z.int().min(0).nullish(),
  currency: z.string().nullish(),
  expires_at: z.int(),
  url: z.string().nullish(),
  customer: z.string().nullish(),
  payment_intent: z.union([Intent, z.string()]).nullish(),
  setup_intent: z.union([z.object({ payment_method: Method.nullish() }), z.string()]).nullish(),
})
type Session = z.output<typeof Session>

/** The statuses of a payment intent of a complete session that brings no money any more. */
const FAILED: readonly string[] = ['requires_payment_method', 'canceled']

/**
 * Returns our record of a session, without refunds and disputes. A buyer whose card was declined can still pay with another, so the
 * session is open.
 */
export function recordOf(session: Session, payment: PaymentRef): ProviderRecord {
  if (session.status !== 'complete') return { status: session.status }
  if (isSetUp(payment)) return setUpRecord(session)
  const intent = intentOf(session)
  if (!intent) throw new BrokenAnswer('Stripe did not expand the payment intent of a session.')
  const transaction_id = intent.id
  if (session.payment_status === 'paid') {
    const { amount_total: amount, currency } = session
    if (amount == null || currency == null)
      throw new BrokenAnswer('Stripe did not tell the amount of a paid session.')
    const saved_method = payment.saves_method
      ? savedMethodOf(session, intent.payment_method)
      : undefined
    return { ...paidRecord(transaction_id, payment, { amount, currency }), saved_method }
  }
  if (!FAILED.includes(intent.status)) return { transaction_id, status: 'processing' }
  return { transaction_id, status: 'failed', failure: failureOfIntent(intent) }
}

/** Returns true if the bank asks for the buyer of a charge that was made without them. */
export const needsBuyer = ({ code }: ProviderFailure): boolean => code === 'authentication_required'

/** Returns our record of a payment intent without a session, without refunds and disputes. Nobody can pay one that has failed. */
export function recordOfIntent(intent: Intent, payment: PaymentRef): ProviderRecord {
  const { id: transaction_id, status } = intent
  if (status === 'canceled') return { status: 'ended' }
  if (status === 'processing') return { transaction_id, status: 'processing' }
  if (status !== 'succeeded') {
    const failure = failureOfIntent(intent)
    const needs_buyer = status === 'requires_action' || needsBuyer(failure)
    return { transaction_id, status: 'failed', failure, needs_buyer }
  }
  const arrived = { amount: intent.amount_received, currency: intent.currency }
  return paidRecord(transaction_id, payment, arrived)
}

function paidRecord(
  transaction_id: string,
  { amount_cents, currency }: PaymentRef,
  arrived: { amount: number; currency: string },
): ProviderRecord & { status: 'paid' } {
  const has_other_currency = arrived.currency !== currency.toLowerCase()
  return {
    transaction_id,
    status: 'paid',
    amount_cents: has_other_currency ? amount_cents : fromStripeAmount(arrived.amount, currency),
    has_other_currency,
    refunds: [],
    dispute: null,
  }
}

/** Returns our record of a complete session that has saved a method and moved no money. */
function setUpRecord(session: Session): ProviderRecord {
  const { setup_intent: intent } = session
  const saved_method =
    typeof intent === 'object' ? savedMethodOf(session, intent?.payment_method) : undefined
  if (!saved_method) throw new BrokenAnswer('Stripe did not expand the method of a session.')
  return { status: 'paid', amount_cents: 0, refunds: [], dispute: null, saved_method }
}

/** Returns the method that Stripe has saved with a session; undefined if it is not expanded. */
function savedMethodOf(
  { customer }: Session,
  method: Intent['payment_method'],
): SavedMethod | undefined {
  if (typeof method !== 'object' || method === null) return undefined
  const { id, type, card } = method
  return {
    external_id: id,
    provider_customer: customer ?? null,
    label: inWords(card?.brand ?? type),
    last4: card?.last4 ?? null,
    expires: card ? `${card.exp_year}-${String(card.exp_month).padStart(2, '0')}` : null,
  }
}

/** Writes a name of Stripe for people, such as `Visa` for `visa`. */
const inWords = (name: string): string =>
  name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')

const intentOf = ({ payment_intent }: Session) =>
  typeof payment_intent === 'object' ? payment_intent : undefined

/** Returns the intent of a paid session. */
export function paidIntentOf(session: Session): Intent {
  const intent = intentOf(session)
  if (!intent) throw new BrokenAnswer('Stripe did not expand the payment intent of a session.')
  return intent
}

/** Tells what has happened to the money of a paid intent since. */
export function chargeOf({ latest_charge: charge }: Intent) {
  if (typeof charge !== 'object' || charge === null)
    throw new BrokenAnswer('Stripe did not expand the charge of a paid intent.')
  const { amount_refunded, disputed, balance_transaction: booked } = charge
  return {
    isRefunded: amount_refunded > 0,
    isDisputed: disputed,
    fee: typeof booked === 'object' && booked !== null ? feeOf(booked) : null,
  }
}

function feeOf({ fee, currency }: { fee: number; currency: string }): ProviderFee {
  const code = currency.toUpperCase()
  return { amount_cents: fromStripeAmount(fee, code), currency: code }
}

const failureOfIntent = ({ last_payment_error: error }: z.output<typeof Intent>) => ({
  code: error?.code ?? 'payment_failed',
  message: withoutSecrets(error?.message ?? 'The bank did not pay.'),
})
