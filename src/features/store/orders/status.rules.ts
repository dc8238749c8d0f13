import { invalid, invalidState, Refusal } from '../../../kernel/errors.ts'
import { stateText } from '../../../kernel/state-text.ts'
import { iso, MINUTE_MS } from '../../../kernel/time.ts'
import type { Payment } from './payment-schema.ts'
import type { FulfillmentStatus, Order, OrderStatus } from './schema.ts'

/** The statuses of unpaid orders, which reserve stock (decision 36). */
export const UNPAID_STATUSES: readonly OrderStatus[] = [
  'pending',
  'partially_paid',
  'manual_review',
]

export const isUnpaid = (status: OrderStatus): boolean => UNPAID_STATUSES.includes(status)

/** The statuses in which an order can expire. An order under review does not expire. */
export const EXPIRABLE_STATUSES: readonly OrderStatus[] = ['pending', 'partially_paid']

/** Returns the time at which an order expires. */
export const expiryOf = (now: string, minutes: number): string =>
  iso(Date.parse(now) + minutes * MINUTE_MS)

/**
 * Refuses a payment if the order does not accept it. An unpaid order accepts payments. An expired one
 * accepts those that need no review.
 */
export function checkPayable(status: OrderStatus, { needsReview }: { needsReview: boolean }): void {
  if (UNPAID_STATUSES.includes(status) || (status === 'expired' && !needsReview)) return
  throw invalidState(
    status,
    `A payment cannot be recorded for an order that ${stateText(status)}. Create a new order.`,
  )
}

/**
 * The order statuses in which a payment can be reviewed. An order that other payments have paid may
 * still have a payment that waits for a review. The approved payment can then be refunded.
 */
const REVIEWABLE_STATUSES: readonly OrderStatus[] = ['manual_review', 'paid', 'completed']

/** Returns true if the buyer of an order can pay it. */
export const isPayable = (status: OrderStatus): boolean => EXPIRABLE_STATUSES.includes(status)

/** Refuses the review of a payment that does not wait for one. */
export function checkPaymentReviewable(
  { status, provider }: Pick<Payment, 'status' | 'provider'>,
  orderStatus: OrderStatus,
): void {
  if (status !== 'pending_review') {
    throw invalidState(
      status,
      `This payment ${stateText(status)}. Only a payment that waits for a review can be approved or rejected.`,
    )
  }
  // The money of a provider has arrived, so it is decided about whatever has become of its order.
  if (provider === null && !REVIEWABLE_STATUSES.includes(orderStatus)) {
    throw invalidState(
      orderStatus,
      `This order ${stateText(orderStatus)}. Its payments can no longer be reviewed.`,
    )
  }
}

/**
 * Refuses to cancel an order unless it is unpaid. A paid order has to be refunded instead.
 */
export function checkCancellable(status: OrderStatus): void {
  if (UNPAID_STATUSES.includes(status)) return
  if (status === 'paid' || status === 'completed') {
    throw new Refusal('INVOICE_PAID', 'A paid order cannot be cancelled; refund it instead.', {
      status,
    })
  }
  throw invalidState(status, `This order ${stateText(status)} already.`)
}

/** Returns true if something of an order with this status may still be delivered. An expired one can still be paid. */
export const canBeHeld = (status: OrderStatus): boolean =>
  status !== 'cancelled' && status !== 'refunded'

/** Refuses to put an order on hold that has ended or is on hold. */
export function checkHoldable({ status, hold }: Pick<Order, 'status' | 'hold'>): void {
  if (hold) throw invalidState('on_hold', 'This order is on hold already.')
  if (!canBeHeld(status)) {
    const message = `This order ${stateText(status)}. An order that has ended cannot be put on hold.`
    throw invalidState(status, message)
  }
}

/** Refuses to deliver anything of an order on hold (decision 458). */
export function checkNotOnHold({ hold }: Pick<Order, 'hold'>): void {
  if (hold === null) return
  const message = 'This order is on hold. Release it before you deliver it.'
  throw invalidState('on_hold', message)
}

/** Refuses a manual delivery unless the order is `paid`. All lines of a `completed` order are delivered. */
export function checkDeliverable(status: OrderStatus): void {
  if (status === 'paid') return
  throw invalidState(
    status,
    `This order ${stateText(status)}. Only a paid order can be delivered. Record its payment first.`,
  )
}

/**
 * Refuses to replace the keys of a delivery unless it is active and its order is paid or completed.
 */
export function checkReplaceable(
  orderStatus: OrderStatus,
  deliveryStatus: string,
  keyCount: number,
): void {
  if (orderStatus !== 'paid' && orderStatus !== 'completed') {
    throw invalidState(
      orderStatus,
      `This order ${stateText(orderStatus)}. Only keys of a paid or completed order can be replaced.`,
    )
  }
  if (deliveryStatus === 'delivered' && keyCount > 0) return
  if (deliveryStatus === 'replaced') {
    throw invalidState(
      deliveryStatus,
      'This delivery was replaced already. Replace the keys of the newest delivery of its line.',
    )
  }
  throw invalidState(
    deliveryStatus,
    'This line has no delivered keys to replace. Deliver it first.',
  )
}

/**
 * The statuses of orders that ended unpaid. A refund does not change them (decision 123).
 */
const ENDED_UNPAID_STATUSES: readonly OrderStatus[] = ['cancelled', 'expired']

/**
 * The statuses that a full refund changes. Money that arrives after an order was refunded is refunded without a second
 * end, and a provider can return a part that was paid for an unpaid order.
 */
const ENDED_BY_REFUND: readonly OrderStatus[] = ['paid', 'completed']

/**
 * Refuses to refund an unpaid order, because another payment could still arrive, and an ended order
 * without payments.
 */
export function checkRefundable({
  status,
  paid_cents,
}: Pick<OrderAmounts, 'status' | 'paid_cents'>): void {
  if (UNPAID_STATUSES.includes(status)) {
    const message = `This order ${stateText(status)}. Cancel it before you refund what was paid.`
    throw invalidState(status, message)
  }
  if (!ENDED_UNPAID_STATUSES.includes(status) || paid_cents > 0) return
  throw invalidState(
    status,
    `This order ${stateText(status)}, and nothing was paid for it. No refund is needed.`,
  )
}

export interface OrderAmounts {
  status: OrderStatus
  total_cents: number
  paid_cents: number
  refunded_cents: number
}

/**
 * Returns the amount of a refund: the requested one, or else all that remains. `pendingCents` is the amount of refunds
 * that their providers have not confirmed. Throws REFUND_EXCEEDS_PAID if less remains.
 */
export function refundAmount(
  { status, total_cents, paid_cents, refunded_cents }: OrderAmounts,
  requestedCents: number | undefined,
  pendingCents: number,
): number {
  const refundable = paid_cents - refunded_cents - pendingCents
  const amount_cents = requestedCents ?? refundable
  const isFree = total_cents === 0 && paid_cents === 0 && status !== 'refunded'
  if (amount_cents > refundable || (refundable <= 0 && !isFree)) {
    const message = isFree ? FREE : tooMuch({ refundable, paid_cents, pendingCents })
    throw new Refusal('REFUND_EXCEEDS_PAID', message, {
      field: 'amount_cents',
      available: Math.max(0, refundable),
    })
  }
  if (amount_cents === 0 && !isFree) {
    throw invalid('amount_cents', 'Use 1 or more; 0 refunds only an order whose total is 0.', {
      rule: 'at_least',
      limit: 1,
    })
  }
  return amount_cents
}

const FREE =
  'Nothing was paid for this order, so no amount can be refunded. Leave amount_cents out to take the goods back.'

function tooMuch(amounts: { refundable: number; paid_cents: number; pendingCents: number }) {
  const { refundable, paid_cents, pendingCents } = amounts
  if (refundable > 0)
    return `At most ${refundable} of the ${paid_cents} cents paid can still be refunded. Refund ${refundable} or less.`
  return pendingCents > 0
    ? 'Everything paid for this order was refunded, or is being refunded by its provider. Wait for the provider.'
    : 'Everything paid for this order was refunded already. No refund is needed.'
}

interface RefundedState {
  refunded_cents: number
  refund_status: 'partial' | 'full'
  /** True if the refund ends the order and revokes its deliveries. */
  endsOrder: boolean
}

/** Returns the amounts of an order after a refund. */
export function afterRefund(
  { status, paid_cents, refunded_cents }: OrderAmounts,
  cents: number,
): RefundedState {
  const refundedAfter = refunded_cents + cents
  const isFull = refundedAfter === paid_cents
  return {
    refunded_cents: refundedAfter,
    refund_status: isFull ? 'full' : 'partial',
    endsOrder: isFull && ENDED_BY_REFUND.includes(status),
  }
}

/**
 * Returns the part of a refund that goes to the customer's balance if the caller does not decide. Money that was paid in other ways
 * is refunded first. `refundable` is the amount that can still be refunded, and `paidFromBalance` the
 * part of it that was paid from the balance.
 */
export function defaultCentsToBalance({
  cents,
  refundable,
  paidFromBalance,
}: {
  cents: number
  refundable: number
  paidFromBalance: number
}): number {
  const paidOtherwise = Math.max(0, refundable - Math.max(0, paidFromBalance))
  return Math.max(0, Math.min(paidFromBalance, cents - paidOtherwise))
}

/** Returns the amount that is still owed. A refunded amount is owed again. */
export const owedCents = ({ total_cents, paid_cents, refunded_cents }: OrderAmounts): number =>
  total_cents - (paid_cents - refunded_cents)

/** Returns the status of an order after a payment. `pendingReviews` payments wait for a review. */
export function statusAfter(order: OrderAmounts, pendingReviews: number): OrderStatus {
  const { status, paid_cents } = order
  if (owedCents(order) <= 0) return 'paid'
  if (status === 'expired') return 'expired'
  if (pendingReviews > 0) return 'manual_review'
  return paid_cents > 0 ? 'partially_paid' : 'pending'
}

/** Returns the fulfillment status of an order from the physical units that are due, and those of them that are shipped. */
export function fulfillmentStatusOf({
  due,
  shipped,
}: {
  due: number
  shipped: number
}): FulfillmentStatus {
  if (due === 0) return 'not_required'
  if (shipped === 0) return 'unfulfilled'
  return shipped < due ? 'partial' : 'fulfilled'
}
