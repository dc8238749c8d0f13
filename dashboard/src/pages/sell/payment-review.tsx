import { storeRequest } from '../../api/action.ts'
import type { Order, Payment } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { formatMoney } from '../../kit/format.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { orders } from '../../text/orders.ts'
import { paymentTimeline } from '../../text/payment-timeline.ts'
import { providerName } from '../settings/payment-parts.ts'
import { owedCentsOf } from './open-orders.ts'

interface ReviewProps {
  order: Order
  payment: Payment
}

/** Tells why a payment that arrived waits for a review: what was expected, and what arrived. */
export function reviewText({ order, payment }: ReviewProps): string | undefined {
  const { status, review_reason, amount_cents, currency } = payment
  if (status !== 'pending_review' || review_reason === null) return undefined
  if (review_reason === 'currency_mismatch')
    return fill(paymentTimeline.otherCurrency, { currency })
  return fill(paymentTimeline.otherAmount, {
    expected: formatMoney(owedCentsOf(order), currency),
    arrived: formatMoney(amount_cents, currency),
  })
}

/** Tells how the order changes if the payment is approved. */
function approveText({ order, payment: { amount_cents, currency } }: ReviewProps): string {
  const restCents = owedCentsOf(order) - amount_cents
  const arrived = formatMoney(amount_cents, currency)
  if (restCents > 0)
    return fill(paymentTimeline.approveRest, { arrived, rest: formatMoney(restCents, currency) })
  if (restCents === 0) return fill(paymentTimeline.approveAll, { arrived })
  return fill(paymentTimeline.approveMore, { arrived, more: formatMoney(-restCents, currency) })
}

/** Tells where the money goes if the payment is rejected. */
function rejectText({ amount_cents, currency, provider, review_reason }: Payment): string {
  const amount = formatMoney(amount_cents, currency)
  if (provider === null) return fill(orders.rejectLead, { amount })
  const text =
    review_reason === 'currency_mismatch' ? paymentTimeline.rejectOther : paymentTimeline.reject
  return fill(text, { provider: providerName(provider), arrived: amount })
}

const NOTE = [{ name: 'note', label: common.note, type: 'textarea' as const }]
const noteOf = ({ note }: Record<string, unknown>) =>
  note === undefined ? undefined : { note: String(note) }

export const Review = ({ order, payment }: ReviewProps) => (
  <>
    {payment.review_reason !== 'currency_mismatch' && (
      <Action
        label={orders.approve}
        isPrimary
        lead={
          <>
            {payment.review_reason !== null && <p>{reviewText({ order, payment })}</p>}
            <p>{approveText({ order, payment })}</p>
          </>
        }
        fields={NOTE}
        submit={orders.approve}
        request={(values) =>
          storeRequest('orders', 'approveManualPayment', order.id, payment.id, noteOf(values))
        }
      />
    )}
    <Action
      label={orders.reject}
      isDanger
      lead={<p>{rejectText(payment)}</p>}
      fields={NOTE}
      submit={orders.reject}
      request={(values) =>
        storeRequest('orders', 'rejectManualPayment', order.id, payment.id, noteOf(values))
      }
    />
  </>
)
