import type Stripe from 'stripe'
import { z } from 'zod'
import type { StoreContext } from '../../../../store-context.ts'
import { openCredentials } from '../credentials.ts'
import {
  type ChargedMethod,
  failureOf,
  type PaymentRef,
  type ProviderCharge,
  type ProviderRecord,
} from '../provider.ts'
import { toStripeAmount } from './amounts.rules.ts'
import { callStripe, STRIPE } from './client.ts'
import { readAnswer } from './read-answer.ts'
import { Intent, needsBuyer, recordOfIntent } from './record.ts'
import { historyOf } from './refunds.ts'

// A renewal charges a saved method without its buyer: the payment is a payment intent, without a session.

const EXPAND = ['latest_charge.balance_transaction']
/** The intents of a customer in which that of a payment is searched for. */
const INTENTS_MAX = 100

/** Charges a saved method, once: the intents of the customer are searched for that of an earlier call. */
export async function chargeSaved(
  context: StoreContext,
  payment: PaymentRef,
  method: ChargedMethod,
): Promise<ProviderCharge> {
  const amount = toStripeAmount(payment)
  const { hash } = context.store
  const metadata = { store: hash, payment: String(payment.id) }
  const params = {
    amount,
    currency: payment.currency.toLowerCase(),
    ...(method.provider_customer !== null && { customer: method.provider_customer }),
    payment_method: method.external_id,
    off_session: true,
    confirm: true,
    metadata,
    expand: EXPAND,
  }
  const idempotencyKey = `tradepost-${hash}-payment-${payment.id}`
  try {
    return await callStripe(context, async (stripe) => {
      const earlier = await findIntent(stripe, context, payment)
      const intent =
        earlier ??
        readAnswer(Intent, await stripe.paymentIntents.create(params, { idempotencyKey }))
      return { external_id: intent.id, record: await recordWith(context, stripe, intent, payment) }
    })
  } catch (error) {
    const failure = failureOf(error)
    if (!failure) throw error
    const record = { status: 'failed', failure, needs_buyer: needsBuyer(failure) } as const
    return { external_id: null, record }
  }
}

/** Returns the record of a payment without its buyer. One that is not found was not charged yet. */
export function readIntent(context: StoreContext, payment: PaymentRef): Promise<ProviderRecord> {
  return callStripe(context, async (stripe) => {
    const intent = await findIntent(stripe, context, payment)
    return intent ? recordWith(context, stripe, intent, payment) : { status: 'open' }
  })
}

/**
 * Ends a payment without its buyer. Nothing is cancelled at Stripe: one that was charged has an outcome already, and
 * another has no intent.
 */
export async function endIntent(
  context: StoreContext,
  payment: PaymentRef,
): Promise<ProviderRecord> {
  if (!(await openCredentials(context, STRIPE))) return { status: 'ended' }
  const record = await readIntent(context, payment)
  return record.status === 'open' ? { status: 'ended' } : record
}

/** Deletes a saved method at Stripe. One that is not known there is deleted already. */
export async function deleteSaved(context: StoreContext, external_id: string): Promise<void> {
  try {
    await callStripe(context, (stripe) => stripe.paymentMethods.detach(external_id))
  } catch (error) {
    const failure = failureOf(error)
    if (failure?.code !== 'resource_missing' && failure?.code !== NOT_ATTACHED) throw error
  }
}

/** The code of Stripe for a method that belongs to no customer. */
const NOT_ATTACHED = 'payment_method_not_attached'

const OwnIntent = z.object({ id: z.string(), metadata: z.record(z.string(), z.string()) })

async function findIntent(
  stripe: Stripe,
  { store }: StoreContext,
  { id, external_id, provider_customer }: PaymentRef,
): Promise<Intent | undefined> {
  const found = external_id ?? (await searchIntent())
  if (found === undefined) return undefined
  return readAnswer(Intent, await stripe.paymentIntents.retrieve(found, { expand: EXPAND }))

  async function searchIntent(): Promise<string | undefined> {
    if (!provider_customer) return undefined
    const { data } = await stripe.paymentIntents.list({
      customer: provider_customer,
      limit: INTENTS_MAX,
    })
    return data
      .map((item) => readAnswer(OwnIntent, item))
      .find(({ metadata }) => metadata.store === store.hash && metadata.payment === String(id))?.id
  }
}

async function recordWith(
  context: StoreContext,
  stripe: Stripe,
  intent: Intent,
  payment: PaymentRef,
): Promise<ProviderRecord> {
  const record = recordOfIntent(intent, payment)
  if (record.status !== 'paid' || record.has_other_currency) return record
  return { ...record, ...(await historyOf(context, stripe, intent, payment)) }
}
