import type Stripe from 'stripe'
import { z } from 'zod'
import type { StoreContext } from '../../../../store-context.ts'
import {
  type FailedRefund,
  failureOf,
  type PaymentRef,
  type ProviderFailure,
  type ProviderRefund,
  type RefundRecord,
  type RefundRef,
} from '../provider.ts'
import { fromStripeAmount, inStripeUnits } from './amounts.rules.ts'
import { callStripe } from './client.ts'
import { readDispute } from './disputes.ts'
import { BrokenAnswer } from './errors.rules.ts'
import { isId } from './metadata.rules.ts'
import { readAnswer } from './read-answer.ts'
import { chargeOf, type Intent } from './record.ts'

const Refund = z.object({
  id: z.string(),
  amount: z.int(),
  status: z.string(),
  failure_reason: z.string().nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
})
type Refund = z.output<typeof Refund>

/** The refunds of a payment that are read. A payment has fewer, because each is a call of the seller. */
const REFUNDS_MAX = 1_000
const PAGE = 100

/**
 * Asks for a refund, or about one that was asked for. Stripe forgets idempotency keys after a day, so the refunds of the
 * payment are searched for ours first: its answer may have been lost.
 */
export async function refundPayment(
  context: StoreContext,
  refund: RefundRef,
): Promise<RefundRecord> {
  const amount = inStripeUnits(refund)
  if (amount === undefined) return { status: 'failed', external_id: null, failure: FRACTION }
  try {
    return await callStripe(context, async (stripe) =>
      refundRecordOf(await findOrCreate(stripe, context, refund, amount)),
    )
  } catch (error) {
    const failure = failureOf(error)
    if (failure) return { status: 'failed', external_id: refund.external_id, failure }
    throw error
  }
}

/**
 * Returns what is left of a payment, once: refunds of it are searched for that of an earlier call. Money that the seller has
 * returned at Stripe already needs no other refund.
 */
export async function returnAll(
  context: StoreContext,
  payment: PaymentRef,
): Promise<ProviderFailure | undefined> {
  const { hash } = context.store
  const metadata = { store: hash, payment: String(payment.id), returns: ALL }
  try {
    return await callStripe(context, async (stripe) => {
      const payment_intent = await findIntent(stripe, payment)
      const earlier = await listRefunds(stripe, payment_intent)
      const own = earlier.find((item) => item.metadata?.returns === ALL)
      const idempotencyKey = `tradepost-${hash}-return-${payment.id}`
      const refund =
        own ??
        readAnswer(
          Refund,
          await stripe.refunds.create({ payment_intent, metadata }, { idempotencyKey }),
        )
      const record = refundRecordOf(refund)
      return record.status === 'failed' ? record.failure : undefined
    })
  } catch (error) {
    const failure = failureOf(error)
    if (!failure) throw error
    return failure.code === RETURNED_ALREADY ? undefined : failure
  }
}

/** Marks the refund of all that was left of a payment. */
const ALL = 'all'
const RETURNED_ALREADY = 'charge_already_refunded'

const FRACTION = {
  code: 'amount_not_supported',
  message: 'Stripe cannot carry this amount: its currency has no such fraction there.',
}

async function findOrCreate(
  stripe: Stripe,
  context: StoreContext,
  { id, external_id, payment }: RefundRef,
  amount: number,
): Promise<Refund> {
  if (external_id !== null) return readAnswer(Refund, await stripe.refunds.retrieve(external_id))
  const payment_intent = await findIntent(stripe, payment)
  const existing = await listRefunds(stripe, payment_intent)
  const own = existing.find((item) => refundIdOf(context, item) === id)
  if (own) return own
  const { hash } = context.store
  const metadata = { store: hash, payment: String(payment.id), refund: String(id) }
  const params = { payment_intent, amount, metadata }
  const idempotencyKey = `tradepost-${hash}-refund-${id}`
  return readAnswer(Refund, await stripe.refunds.create(params, { idempotencyKey }))
}

/** Returns the refunds, the dispute and the fee of a payment that has succeeded. */
export async function historyOf(
  context: StoreContext,
  stripe: Stripe,
  intent: Intent,
  payment: PaymentRef,
) {
  const { isRefunded, isDisputed, fee } = chargeOf(intent)
  // The charge no longer counts a refund whose money the bank has sent back.
  const hasRefunds = isRefunded || payment.refunded_cents > 0
  const refunds = hasRefunds ? await listRefunds(stripe, intent.id) : []
  const dispute = isDisputed ? await readDispute(context, stripe, intent.id, payment) : null
  return {
    refunds: succeededRefunds(context, refunds, payment),
    failed_refunds: failedRefunds(refunds),
    dispute,
    fee,
  }
}

const PaidSession = z.object({ payment_intent: z.string() })

/** Renewals are payment intents without a session. */
const isIntent = (id: string): boolean => id.startsWith('pi_')

async function findIntent(stripe: Stripe, { external_id }: PaymentRef): Promise<string> {
  if (external_id === null) throw new BrokenAnswer('A payment without a session was refunded.')
  if (isIntent(external_id)) return external_id
  const session = await stripe.checkout.sessions.retrieve(external_id)
  return readAnswer(PaidSession, session).payment_intent
}

/** Returns all refunds of a payment intent. */
async function listRefunds(stripe: Stripe, payment_intent: string): Promise<Refund[]> {
  const pages = stripe.refunds.list({ payment_intent, limit: PAGE })
  const refunds = await pages.autoPagingToArray({ limit: REFUNDS_MAX })
  return refunds.map((item) => readAnswer(Refund, item))
}

/** Returns the refunds that brought money back, as our records have them. */
const succeededRefunds = (
  context: StoreContext,
  refunds: readonly Refund[],
  { currency }: PaymentRef,
): ProviderRefund[] =>
  refunds
    .filter((refund) => refund.status === 'succeeded' || isGoingBack(refund))
    .map((refund) => ({
      external_id: refund.id,
      amount_cents: fromStripeAmount(refund.amount, currency),
      refund_id: refundIdOf(context, refund),
    }))

/** Money of a rejected payment is lost for its order as soon as Stripe was asked to return it. */
const isGoingBack = (refund: Refund): boolean =>
  refund.metadata?.returns === ALL && refundRecordOf(refund).status === 'pending'

const failedRefunds = (refunds: readonly Refund[]): FailedRefund[] =>
  refunds.flatMap((refund) => {
    const record = refundRecordOf(refund)
    return record.status === 'failed' ? [{ external_id: refund.id, failure: record.failure }] : []
  })

/** Returns our id of a refund; null if it was made at Stripe, or by another program. */
function refundIdOf({ store }: StoreContext, { metadata }: Refund): number | null {
  const id = metadata?.refund ?? ''
  return metadata?.store === store.hash && isId(id) ? Number(id) : null
}

function refundRecordOf({ id, status, failure_reason }: Refund): RefundRecord {
  if (status === 'succeeded') return { status, external_id: id }
  if (status === 'pending' || status === 'requires_action')
    return { status: 'pending', external_id: id }
  const message = 'The bank did not take the money back. Return it to the buyer in another way.'
  return {
    status: 'failed',
    external_id: id,
    failure: { code: failure_reason ?? status, message },
  }
}
