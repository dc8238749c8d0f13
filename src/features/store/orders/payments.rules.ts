import { invalid } from '../../../kernel/errors.ts'
import type { Payment } from './payment-schema.ts'
import type { Order } from './schema.ts'

/** An order is always read with all its payments, so their number is limited. */
const PENDING_MAX = 100
const REJECTED_MAX = 1_000
const ACCEPTED_MAX = 100
const STARTS_MAX = 100

/** The statuses of payments whose money the order has. */
const COUNTED: readonly Payment['status'][] = ['approved', 'succeeded', 'disputed']

type PaymentStatuses = readonly Pick<Payment, 'status'>[]

/** Refuses a new payment that waits for a review, if there are too many. `payments` includes it. */
export function checkReviews(payments: PaymentStatuses): void {
  if (countPayments(payments, 'pending_review') > PENDING_MAX) {
    const message = `${PENDING_MAX} payments of this order wait for a review already. Approve or reject one of them first.`
    throw invalid('status', message, { limit: PENDING_MAX })
  }
  if (countPayments(payments, 'rejected') > REJECTED_MAX) {
    const message = `More than ${REJECTED_MAX} payments of this order were rejected. Send approved to record another.`
    throw invalid('status', message, { limit: REJECTED_MAX })
  }
}

/** Refuses a part payment if there are too many. A payment after which the order is paid is accepted. */
export function checkPartPayments({ status, payments }: Pick<Order, 'status' | 'payments'>): void {
  if (status === 'paid' || status === 'completed') return
  if (payments.filter(({ status }) => COUNTED.includes(status)).length <= ACCEPTED_MAX) return
  const message = `An order accepts ${ACCEPTED_MAX} part payments. Leave this out to record the whole owed amount.`
  throw invalid('amount_cents', message, { limit: ACCEPTED_MAX })
}

/** Refuses to start another payment at a provider if too many were started. `payments` excludes the new one. */
export function checkStarts(payments: readonly Pick<Payment, 'provider'>[]): void {
  if (payments.filter(({ provider }) => provider !== null).length < STARTS_MAX) return
  const message = `${STARTS_MAX} payments of this order were started. Create a new order.`
  throw invalid('method', message, { limit: STARTS_MAX })
}

const countPayments = (payments: PaymentStatuses, status: Payment['status']): number =>
  payments.filter((payment) => payment.status === status).length
