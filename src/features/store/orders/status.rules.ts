import { invalid, invalidState, Refusal } from '../../../kernel/errors.ts'
import { iso, MINUTE_MS } from '../../../kernel/time.ts'
import type { Status } from './schema.ts'

/** Statuses in which an order waits for money. Stock is reserved for it (decision 36). */
export const UNPAID: readonly Status[] = ['pending', 'partially_paid', 'manual_review']

/** Statuses in which an order can expire. An order under review does not expire. */
export const EXPIRING: readonly Status[] = ['pending', 'partially_paid']

export const expiryOf = (now: string, minutes: number): string =>
  iso(Date.parse(now) + minutes * MINUTE_MS)

/**
 * Refuses a payment, unless the order is unpaid, or has expired and the payment needs no review.
 */
export function checkPayable(status: Status, review: boolean): void {
  if (UNPAID.includes(status) || (status === 'expired' && !review)) return
  throw invalidState(status, `A payment cannot be recorded for an order that is ${status}.`)
}

/**
 * Statuses in which a payment can be reviewed. An order that other payments completed may still
 * have one that waits for review; its money can be refunded.
 */
const REVIEWED: readonly Status[] = ['manual_review', 'paid', 'completed']

/** Refuses the review of a payment that does not wait for one. */
export function checkReviewable(payment: string, order: Status): void {
  if (payment !== 'pending_review') {
    throw invalidState(
      payment,
      `This payment is ${payment}; only one that waits for review can change.`,
    )
  }
  if (!REVIEWED.includes(order)) {
    throw invalidState(order, `This order is ${order}; it does not wait for a review.`)
  }
}

/**
 * Refuses to cancel an order that is not unpaid. A paid order is refunded instead. An order that
 * ended before it was paid has nothing to cancel.
 */
export function checkCancellable(status: Status): void {
  if (UNPAID.includes(status)) return
  if (status === 'paid' || status === 'completed') {
    throw new Refusal('INVOICE_PAID', 'A paid order cannot be cancelled; refund it instead.', {
      status,
    })
  }
  throw invalidState(status, `This order is ${status} already.`)
}

/** Refuses a manual delivery, unless the order is paid. A completed order waits for no delivery. */
export function checkDeliverable(status: Status): void {
  if (status === 'paid') return
  throw invalidState(status, `This order is ${status}; only a paid one waits for a delivery.`)
}

/**
 * Refuses to replace keys, unless they were delivered and their order is still paid or completed.
 */
export function checkReplaceable(order: Status, delivery: string, keys: number): void {
  if (order !== 'paid' && order !== 'completed') {
    throw invalidState(order, `This order is ${order}; its keys cannot be replaced.`)
  }
  if (delivery === 'delivered' && keys > 0) return
  throw invalidState(delivery, 'Only keys that were delivered can be replaced.')
}

/**
 * Statuses that an order keeps after a refund, because it ended before it was paid (decision 123).
 */
const ENDED: readonly Status[] = ['cancelled', 'expired']

/** Refuses to refund an unpaid order before its end, so that no payment arrives in between. */
export function checkRefundable({
  status,
  paid_cents,
}: Pick<RefundableOrder, 'status' | 'paid_cents'>): void {
  if (UNPAID.includes(status)) {
    const why = `This order is ${status}; cancel it before you refund what was paid.`
    throw invalidState(status, why)
  }
  if (!ENDED.includes(status) || paid_cents > 0) return
  throw invalidState(status, `This order is ${status}, and nothing was paid for it to refund.`)
}

export interface RefundableOrder {
  status: Status
  total_cents: number
  paid_cents: number
  refunded_cents: number
}

export interface Refunding {
  amount_cents: number
  refunded_cents: number
  refund_status: 'partial' | 'full'
  /** True if the refund takes back the deliveries, and ends the order. */
  ends: boolean
}

/** Plans a refund of the sent amount, or else of all that is left. Throws REFUND_EXCEEDS_PAID. */
export function planRefund(order: RefundableOrder, requested: number | undefined): Refunding {
  const { status, total_cents, paid_cents, refunded_cents } = order
  const left = paid_cents - refunded_cents
  const amount_cents = requested ?? left
  const free = total_cents === 0 && paid_cents === 0 && status !== 'refunded'
  if (amount_cents > left || (left === 0 && !free)) {
    const why =
      left > 0
        ? `Only ${left} of the ${paid_cents} that were paid can still be refunded.`
        : 'Everything that was paid for this order has been refunded already.'
    throw new Refusal('REFUND_EXCEEDS_PAID', why, { field: 'amount_cents', available: left })
  }
  if (amount_cents === 0 && !free) {
    throw invalid('amount_cents', 'Use 1 or more; 0 refunds only an order whose total is 0.')
  }
  const after = refunded_cents + amount_cents
  const full = after === paid_cents
  return {
    amount_cents,
    refunded_cents: after,
    refund_status: full ? 'full' : 'partial',
    ends: full && !ENDED.includes(status),
  }
}

/**
 * Returns the part of a refund that goes back to the balance. Money that was paid otherwise goes
 * back first, then money from the balance. `left` can still be refunded, and `fromBalance` of it
 * came from the balance.
 */
export function shareOfBalance({
  cents,
  left,
  fromBalance,
}: {
  cents: number
  left: number
  fromBalance: number
}): number {
  const paidOtherwise = Math.max(0, left - Math.max(0, fromBalance))
  return Math.max(0, Math.min(fromBalance, cents - paidOtherwise))
}

/**
 * Returns the amount that is still owed. A refunded amount is owed again if the order can be paid.
 */
export const owedCents = ({ total_cents, paid_cents, refunded_cents }: Balance): number =>
  total_cents - (paid_cents - refunded_cents)

export interface Balance {
  status: Status
  total_cents: number
  paid_cents: number
  refunded_cents: number
}

/** Returns the status of an order after a payment, while `reviews` payments wait for review. */
export function statusAfter(balance: Balance, reviews: number): Status {
  const { status, paid_cents } = balance
  if (owedCents(balance) <= 0) return 'paid'
  if (status === 'expired') return 'expired'
  if (reviews > 0) return 'manual_review'
  return paid_cents > 0 ? 'partially_paid' : 'pending'
}
