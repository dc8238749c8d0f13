import { type ReactNode, useState } from 'react'
import { storeRequest } from '../../api/action.ts'
import { type Order, type Payment, type PaymentCallback, useRead } from '../../api/store.ts'
import { useMayWrite } from '../../kit/form.tsx'
import { formatDate, formatMoney } from '../../kit/format.ts'
import { reasonText } from '../../kit/reasons.ts'
import { Receipt, State, Time } from '../../kit/show.tsx'
import { Failure } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { orders } from '../../text/orders.ts'
import { paymentTimeline } from '../../text/payment-timeline.ts'
import { ApplyAgain, CallbackState } from '../settings/payment-callbacks.tsx'
import { messageText, providerName } from '../settings/payment-parts.ts'
import { isPaid, providerCosts } from './provider-costs.ts'

/** A timeline with more entries is closed until the user opens it. */
const OPEN_ENTRIES_MAX = 6
const CALLBACKS_MAX = 100

/** The timelines of the payments of an order at their providers. Payments without a provider have none. */
export function PaymentTimelines({ order }: { order: Order }) {
  const payments = order.payments.filter(({ provider }) => provider !== null)
  const { data, error, refetch } = useRead(
    // A callback changes the order.
    ['orders', order.id, 'callbacks'],
    async ({ api }) => {
      const query = { order_id: order.id, limit: CALLBACKS_MAX }
      return (await api.account.listPaymentCallbacks(query)).payment_callbacks
    },
    { enabled: payments.length > 0 },
  )
  // The number of callbacks decides whether a timeline is open at first.
  if (!data && !error) return null
  return (
    <>
      {error && <Failure error={error} retry={() => refetch()} />}
      {payments.map((payment) => (
        <Timeline key={payment.id} {...{ order, payment, callbacks: data ?? [] }} />
      ))}
    </>
  )
}

interface TimelineProps {
  order: Order
  payment: Payment
  callbacks: readonly PaymentCallback[]
}

function Timeline({ order, payment, callbacks }: TimelineProps) {
  const mayApply = useMayWrite('account')
  const { amount_cents, currency, failure, dispute } = payment
  const entries = [
    ...entriesOf(order, payment),
    ...callbacks
      .filter(({ payment_id }) => payment_id === payment.id)
      .map((callback) => callbackEntryOf(callback, mayApply)),
  ].sort((a, b) => a.at.localeCompare(b.at))
  // A callback that arrives later does not close it.
  const [isOpenAtFirst] = useState(entries.length <= OPEN_ENTRIES_MAX)
  return (
    <details className="payment-timeline" open={isOpenAtFirst}>
      <summary>
        {amount_cents === 0
          ? paymentTimeline.setUp
          : fill(paymentTimeline.title, { amount: formatMoney(amount_cents, currency) })}
      </summary>
      <ol className="timeline">
        {entries.map(({ key, at, content }) => (
          <li key={key}>
            <Time at={at} />
            <div>{content}</div>
          </li>
        ))}
      </ol>
      {failure && (
        <p>
          {paymentTimeline.failed} {failure.message}
        </p>
      )}
      {dispute && <p>{disputeText(payment, dispute)}</p>}
      {isPaid(payment) && <Kept payment={payment} />}
    </details>
  )
}

interface Entry {
  key: string
  at: string
  content: ReactNode
}

function entriesOf({ refunds }: Order, payment: Payment): Entry[] {
  const { id, created_at, reviewed_at } = payment
  const money = (cents: number) => formatMoney(cents, payment.currency)
  const provider = providerName(payment.provider ?? '')
  return [
    { key: 'started', at: created_at, content: paymentTimeline.started },
    ...(reviewed_at === null
      ? []
      : [{ key: 'reviewed', at: reviewed_at, content: arrivalText(payment) }]),
    ...refunds
      .filter(({ payment_id }) => payment_id === id)
      .map(({ id: refundId, created_at: at, amount_cents, source, status, reason, failure }) => {
        const amount = money(amount_cents)
        const texts = {
          seller: `${fill(orders.refundOf, { amount })} · ${reasonText(reason)}`,
          provider: fill(paymentTimeline.refundedElsewhere, { amount, provider }),
          dispute: fill(paymentTimeline.lost, { amount }),
        }
        const content = (
          <>
            {texts[source]} {status !== 'succeeded' && <State state={status} />} {failure?.message}
          </>
        )
        return { key: `refund ${refundId}`, at, content }
      }),
  ]
}

/** The result of a review, or of the payment at the provider. */
function arrivalText(payment: Payment): string {
  const provider = providerName(payment.provider ?? '')
  if (payment.status === 'rejected') return paymentTimeline.rejected
  if (payment.amount_cents === 0) return fill(paymentTimeline.saved, { provider })
  if (payment.review_reason === 'currency_mismatch')
    return fill(paymentTimeline.moneyArrived, { provider })
  const amount = formatMoney(payment.amount_cents, payment.currency)
  return fill(paymentTimeline.paid, { amount, provider })
}

function callbackEntryOf(callback: PaymentCallback, mayApply: boolean): Entry {
  const { id, provider, type, status, error, received_at } = callback
  const values = { provider: providerName(provider), message: messageText(type) }
  return {
    key: `callback ${id}`,
    at: received_at,
    content: (
      <>
        {fill(paymentTimeline.reported, values)} <CallbackState status={status} /> {error}{' '}
        {mayApply && status === 'failed' && (
          <ApplyAgain
            request={() => ({
              ...storeRequest('account', 'applyPaymentCallback', id),
              area: 'orders',
            })}
          />
        )}
      </>
    ),
  }
}

const DISPUTE_TEXTS = {
  open: paymentTimeline.disputeOpen,
  won: paymentTimeline.disputeWon,
  lost: paymentTimeline.disputeLost,
} as const

function disputeText(
  { provider, currency }: Payment,
  { status, amount_cents, reason, due_at }: NonNullable<Payment['dispute']>,
): string {
  const until =
    status === 'open' && due_at !== null
      ? fill(paymentTimeline.disputeUntil, {
          provider: providerName(provider ?? ''),
          date: formatDate(due_at),
        })
      : ''
  const decision = fill(DISPUTE_TEXTS[status], { amount: formatMoney(amount_cents, currency) })
  const heading = reason === null ? '' : ` (${reasonText(reason)})`
  return `${paymentTimeline.dispute}${heading}: ${decision} ${until}`.trim()
}

/** The money of a payment, what its provider kept of it, and what is left. */
function Kept({ payment }: { payment: Payment }) {
  const { provider, currency, amount_cents, refunded_cents, dispute } = payment
  const money = (cents: number) => formatMoney(cents, currency)
  const costs = providerCosts(payment)
  const feeText = (cents: number | null) =>
    cents === null
      ? provider === 'test'
        ? paymentTimeline.noFee
        : paymentTimeline.notKnown
      : formatMoney(-cents, payment.fee_currency ?? currency)
  const refunded = refunded_cents ?? 0
  return (
    <section aria-label={paymentTimeline.kept}>
      <h3>{paymentTimeline.kept}</h3>
      <Receipt
        lines={[
          { key: 'paid', name: paymentTimeline.paidSum, amount: money(amount_cents) },
          ...(refunded > 0
            ? [{ key: 'refunded', name: paymentTimeline.refundedSum, amount: money(-refunded) }]
            : []),
          {
            key: 'fee',
            name: fill(paymentTimeline.fee, { provider: providerName(provider ?? '') }),
            amount: feeText(payment.fee_cents),
          },
          ...(dispute
            ? [
                {
                  key: 'dispute fee',
                  name: paymentTimeline.disputeFee,
                  amount: feeText(dispute.fee_cents),
                },
              ]
            : []),
          {
            key: 'left',
            name: leftName(payment, costs.isKnown),
            amount: money(amount_cents - refunded - costs.cents),
            isSum: true,
          },
        ]}
      />
    </section>
  )
}

function leftName({ dispute }: Payment, isKnown: boolean): string {
  if (!isKnown) return paymentTimeline.leftBefore
  return dispute?.status === 'open' ? paymentTimeline.leftIfWon : paymentTimeline.left
}
