import { invalid } from '../../../kernel/errors.ts'
import type { Payment } from './payment-schema.ts'
import type { Order } from './schema.ts'

/** Payments are read with their order, so each sort of them has a limit of its own (decision 220). */
const WAITING_MAX = 100
const REJECTED_MAX = 1_000
const ACCEPTED_MAX = 100

type Statuses = readonly Pick<Payment, 'status'>[]

/** Refuses one more payment that would wait for review. The new one is among them. */
export function checkReviews(payments: Statuses): void {
  if (count(payments, 'pending_review') > WAITING_MAX) {
    const why = `${WAITING_MAX} payments of this order wait for review already; approve or reject one of them first.`
    throw invalid('status', why, { limit: WAITING_MAX })
  }
  if (count(payments, 'rejected') > REJECTED_MAX) {
    const why = `More than ${REJECTED_MAX} payments of this order were rejected; send approved to record another.`
    throw invalid('status', why, { limit: REJECTED_MAX })
  }
}

/** Refuses one more part payment. The payment that pays the rest is never refused for their number. */
export function checkPartPayments({ status, payments }: Pick<Order, 'status' | 'payments'>): void {
  if (status === 'paid' || status === 'completed') return
  if (count(payments, 'approved') + count(payments, 'succeeded') <= ACCEPTED_MAX) return
  const why = `An order takes ${ACCEPTED_MAX} part payments; leave this out to record all that is owed.`
  throw invalid('amount_cents', why, { limit: ACCEPTED_MAX })
}

const count = (payments: Statuses, status: Payment['status']): number =>
  payments.filter((payment) => payment.status === status).length
