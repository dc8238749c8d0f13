import type Stripe from 'stripe'
import { z } from 'zod'
import { iso, SECOND_MS } from '../../../../kernel/time.ts'
import type { StoreContext } from '../../../../store-context.ts'
import type { PaymentRef, ProviderDispute } from '../provider.ts'
import { fromStripeAmount } from './amounts.rules.ts'
import { readAnswer } from './read-answer.ts'

const Dispute = z.object({
  id: z.string(),
  status: z.string(),
  reason: z.string(),
  amount: z.int(),
  evidence_details: z.object({ due_by: z.int().nullish() }).nullish(),
  balance_transactions: z.array(z.object({ fee: z.int(), currency: z.string() })),
})
type Dispute = z.output<typeof Dispute>

/** The inquiries of banks, for which no money is taken. One that becomes a dispute gets another status. */
const INQUIRY = /^warning_/
/** A dispute that Stripe has prevented or won brings the money back. */
const WON: readonly string[] = ['won', 'prevented']

/** Returns the newest dispute of a payment intent; null if it has none. */
export async function readDispute(
  context: StoreContext,
  stripe: Stripe,
  payment_intent: string,
  payment: Pick<PaymentRef, 'currency'>,
): Promise<ProviderDispute | null> {
  const { data } = await stripe.disputes.list({ payment_intent, limit: 10 })
  const disputes = data.map((item) => readAnswer(Dispute, item))
  const newest = disputes.find(({ status }) => !INQUIRY.test(status))
  return newest ? disputeOf(context, newest, payment) : null
}

/** The fee is null if Stripe takes it in another currency than the payment. The time is that of the store's clock. */
function disputeOf(
  { store }: StoreContext,
  { id, status, reason, amount, evidence_details, balance_transactions }: Dispute,
  { currency }: Pick<PaymentRef, 'currency'>,
): ProviderDispute {
  const due_by = evidence_details?.due_by
  const isOwn = balance_transactions.every((item) => item.currency === currency.toLowerCase())
  const fee = balance_transactions.reduce((sum, item) => sum + item.fee, 0)
  return {
    id,
    status: WON.includes(status) ? 'won' : status === 'lost' ? 'lost' : 'open',
    reason,
    amount_cents: fromStripeAmount(amount, currency),
    due_at: due_by ? iso(due_by * SECOND_MS + store.clock_offset_ms) : null,
    fee_cents: isOwn ? fromStripeAmount(fee, currency) : null,
  }
}
