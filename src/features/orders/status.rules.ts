import { invalidState, StoreError } from '../../kernel/errors.ts'
import { iso, MINUTE_MS } from '../../kernel/time.ts'
import type { Status } from './schema.ts'

/** Statuses in which an order waits for money: stock is held for it (decision 36). */
export const UNPAID: readonly Status[] = ['pending', 'partially_paid', 'manual_review']

/** Statuses in which the clock runs: an order under review does not expire. */
export const EXPIRING: readonly Status[] = ['pending', 'partially_paid']

export const expiryOf = (now: string, minutes: number): string =>
  iso(Date.parse(now) + minutes * MINUTE_MS)

/** Money may still come to an unpaid order, and late to one that expired. */
export function checkPayable(status: Status, review: boolean): void {
  if (UNPAID.includes(status) || (status === 'expired' && !review)) return
  throw invalidState(status, `A payment cannot be recorded for an order that is ${status}.`)
}

/** An order that other money completed may still book, or refuse, what waits: it is refundable. */
const REVIEWED: readonly Status[] = ['manual_review', 'paid', 'completed']

/** Only what waits for review can be approved or rejected. */
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

/** A paid order is refunded instead; one that ended before it was paid has nothing to cancel. */
export function checkCancellable(status: Status): void {
  if (UNPAID.includes(status)) return
  if (status === 'paid' || status === 'completed') {
    throw new StoreError('INVOICE_PAID', 'A paid order cannot be cancelled; refund it instead.', {
      status,
    })
  }
  throw invalidState(status, `This order is ${status} already.`)
}

export interface Balance {
  status: Status
  total_cents: number
  paid_cents: number
}

/** Where an order stands once it has been paid so much, while `reviews` payments wait for review. */
export function statusAfter({ status, total_cents, paid_cents }: Balance, reviews: number): Status {
  if (paid_cents >= total_cents) return 'paid'
  if (status === 'expired') return 'expired'
  if (reviews > 0) return 'manual_review'
  return paid_cents > 0 ? 'partially_paid' : 'pending'
}
