import { z } from 'zod'
import type { PaymentRef, ProviderFee, ProviderRecord } from '../provider.ts'
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

const Intent = z.object({
  id: z.string(),
  status: z.string(),
  last_payment_error: z
    .object({ code: z.string().nullish(), message: z.string().nullish() })
    .nullish(),
  latest_charge: z.union([Charge, z.string()]).nullish(),
})

/** The fields of a Checkout Session that are read, with its expanded payment intent. */
export const Session = z.object({
  id: z.string(),
  status: z.enum(['open', 'complete', 'expired']),
  payment_status: z.enum(['paid', 'unpaid', 'no_payment_required']),
  amount_total: z.int().min(0),
  currency: z.string(),
  expires_at: z.int(),
  url: z.string().nullish(),
  payment_intent: z.union([Intent, z.string()]).nullish(),
})
type Session = z.output<typeof Session>

/** The statuses of a payment intent of a complete session that brings no money any more. */
const FAILED: readonly string[] = ['requires_payment_method', 'canceled']

/**
 * Returns our record of a session, without refunds and disputes. A buyer whose card was declined can still pay with another, so the
 * session is open.
 */
export function recordOf(session: Session, { amount_cents, currency }: PaymentRef): ProviderRecord {
  if (session.status !== 'complete') return { status: session.status }
  const intent = intentOf(session)
  if (!intent) throw new BrokenAnswer('Stripe did not expand the payment intent of a session.')
  const transaction_id = intent.id
  if (session.payment_status === 'paid') {
    const has_other_currency = session.currency !== currency.toLowerCase()
    const arrivedCents = fromStripeAmount(session.amount_total, currency)
    return {
      transaction_id,
      status: 'paid',
      amount_cents: has_other_currency ? amount_cents : arrivedCents,
      has_other_currency,
      refunds: [],
      dispute: null,
    }
  }
  if (!FAILED.includes(intent.status)) return { transaction_id, status: 'processing' }
  return { transaction_id, status: 'failed', failure: failureOfIntent(intent) }
}

const intentOf = ({ payment_intent }: Session) =>
  typeof payment_intent === 'object' ? payment_intent : undefined

/** Returns the intent of a paid session, and what has happened to its money since. */
export function chargeOf(session: Session) {
  const intent = intentOf(session)
  const charge = intent?.latest_charge
  if (!intent || typeof charge !== 'object' || charge === null)
    throw new BrokenAnswer('Stripe did not expand the charge of a paid session.')
  const { amount_refunded, disputed, balance_transaction: booked } = charge
  return {
    intentId: intent.id,
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
