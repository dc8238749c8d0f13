import { storeRequest } from '../../api/action.ts'
import type { Order, Payment } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatDate, formatMoney, humanize } from '../../kit/format.ts'
import { Table } from '../../kit/list.tsx'
import { reasonText } from '../../kit/reasons.ts'
import { Money, Section, State, Time } from '../../kit/show.tsx'
import { Empty } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { orders } from '../../text/orders.ts'
import { Review, reviewText } from './payment-review.tsx'
import { PaymentTimelines } from './payment-timeline.tsx'

export function OrderPayments({ order }: { order: Order }) {
  const isAllowed = useMayWrite('orders')
  const hasActions = order.payments.some((payment) => needsReview(payment) || isOpen(payment))
  return (
    <Section title={orders.payments}>
      {order.payments.length === 0 ? (
        <Empty>{orders.noPayments}</Empty>
      ) : (
        <Table
          label={orders.payments}
          rows={order.payments}
          keyOf={({ id }) => id}
          columns={[
            { label: orders.method, show: ({ kind }) => humanize(kind) },
            { label: common.status, show: ({ status }) => <State state={status} /> },
            {
              label: orders.reference.split(',')[0] ?? '',
              show: (payment) => <Reference order={order} payment={payment} />,
            },
            { label: common.created, show: ({ created_at }) => <Time at={created_at} /> },
            {
              label: common.amount,
              isRightAligned: true,
              show: ({ amount_cents, currency }) => (
                <Money cents={amount_cents} currency={currency} />
              ),
            },
          ]}
          {...(isAllowed &&
            hasActions && {
              rowActions: (payment: Payment) => (
                <>
                  {needsReview(payment) && <Review order={order} payment={payment} />}
                  {isOpen(payment) && <OpenPayment order={order} payment={payment} />}
                </>
              ),
            })}
        />
      )}
      <PaymentTimelines order={order} />
    </Section>
  )
}

const needsReview = ({ status }: Payment) => status === 'pending_review'
/** True while the buyer can pay at the provider, or the provider is processing the payment. */
const isOpen = ({ status }: Payment) => status === 'pending' || status === 'processing'

/** Tells why a payment is disputed, and until when the seller can answer. */
const disputeText = ({ dispute }: Payment): string | undefined => {
  if (!dispute) return undefined
  const reason = reasonText(dispute.reason ?? dispute.status)
  if (dispute.status !== 'open' || dispute.due_at === null) return reason
  return `${reason} · ${fill(orders.disputeUntil, { date: formatDate(dispute.due_at) })}`
}

/** The page on which the buyer can pay, the reason of a failure, or the reference. */
const Reference = ({ order, payment }: { order: Order; payment: Payment }) =>
  payment.status === 'pending' && payment.checkout_url !== null ? (
    <a href={payment.checkout_url} target="_blank" rel="noreferrer">
      {orders.openCheckout}
    </a>
  ) : (
    (payment.failure?.message ??
    disputeText(payment) ??
    reviewText({ order, payment }) ??
    payment.reference ??
    '–')
  )

const OpenPayment = ({ order, payment }: { order: Order; payment: Payment }) => (
  <>
    <Action
      label={orders.check}
      title={orders.askProvider}
      lead={<p>{orders.askProviderLead}</p>}
      submit={orders.askProvider}
      request={() => storeRequest('orders', 'refreshPayment', order.id, payment.id)}
    />
    <Action
      label={orders.endPayment}
      title={orders.cancelPayment}
      isDanger
      lead={
        <p>
          {fill(orders.cancelPaymentLead, {
            amount: formatMoney(payment.amount_cents, payment.currency),
          })}
        </p>
      }
      submit={orders.cancelPayment}
      request={() => storeRequest('orders', 'cancelPayment', order.id, payment.id)}
    />
  </>
)
