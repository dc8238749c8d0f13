import type { Payment } from '../orders/index.ts'
import type { ProviderDispute, ProviderRecord } from '../payment-providers/index.ts'

/** The change that the record of a provider makes to a payment. */
export type RecordChange =
  | { status: 'succeeded'; amount_cents: number }
  | {
      status: 'pending_review'
      review_reason: NonNullable<Payment['review_reason']>
      amount_cents: number
    }
  | { status: 'failed'; failure: { code: string; message: string } }
  | { status: 'processing' | 'expired' | 'cancelled' }

/** No order is so large. Without this, its money could never be recorded, and the order would never end. */
const TOO_LARGE = {
  code: 'amount_too_large',
  message: 'More arrived than an order can record. Return the money at the provider.',
}

/** An amount of another currency would be counted as one of ours. */
const OTHER_CURRENCY = {
  code: 'currency_mismatch',
  message: 'Money of another currency arrived. Return it at the provider.',
}

/** Statuses that no record changes: money is recorded once, and a payment under review is decided by a person. */
const FINAL: readonly string[] = ['succeeded', 'disputed', 'approved', 'rejected', 'pending_review']
const OPEN: readonly string[] = ['pending', 'processing']
/** The statuses of payments whose money the order has. Only their refunds and disputes change it. */
const COUNTED: readonly string[] = ['succeeded', 'disputed']

export const isCounted = ({ status }: Pick<Payment, 'status'>): boolean => COUNTED.includes(status)

interface ChangedPayment {
  status: string
  amount_cents: number
  /** The amount that the order can still record. */
  room_cents: number
  /** True if a person decides about another amount or another currency. */
  isReviewed: boolean
}

/**
 * Returns the change of a payment by the record of its provider, or undefined if there is none. The record is always the
 * newest, so the order of callbacks has no effect. Money counts even for a payment that had ended (decision 455).
 */
export function changeByRecord(
  payment: ChangedPayment,
  record: ProviderRecord,
): RecordChange | undefined {
  const { status } = payment
  if (FINAL.includes(status)) return undefined
  if (record.status === 'paid') return changeByMoney(payment, record)
  if (!OPEN.includes(status)) return undefined
  switch (record.status) {
    case 'open':
      return undefined
    case 'processing':
      return status === 'processing' ? undefined : { status: 'processing' }
    case 'failed':
      return { status: 'failed', failure: record.failure }
    case 'expired':
      return { status: 'expired' }
    case 'ended':
      return { status: 'cancelled' }
  }
}

function changeByMoney(
  { status, amount_cents: expected, room_cents, isReviewed }: ChangedPayment,
  { amount_cents, has_other_currency }: ProviderRecord & { status: 'paid' },
): RecordChange | undefined {
  if (isReviewed && has_other_currency)
    return { status: 'pending_review', review_reason: 'currency_mismatch', amount_cents }
  if (isReviewed && amount_cents !== expected)
    return { status: 'pending_review', review_reason: 'amount_mismatch', amount_cents }
  if (!has_other_currency && amount_cents <= room_cents)
    return { status: 'succeeded', amount_cents }
  if (status === 'failed') return undefined
  return { status: 'failed', failure: has_other_currency ? OTHER_CURRENCY : TOO_LARGE }
}

/**
 * Returns the amount of a refund that was made at a provider, as far as the order and the payment can record it. More can
 * go back if the seller has also refunded the money in another way.
 */
export const recordableCents = (
  { order, payment, pendingCents }: RefundRoom,
  { amount_cents }: { amount_cents: number },
): number =>
  Math.min(
    amount_cents,
    order.paid_cents - order.refunded_cents - pendingCents,
    payment.amount_cents - (payment.refunded_cents ?? 0),
  )

interface RefundRoom {
  order: { paid_cents: number; refunded_cents: number }
  payment: { amount_cents: number; refunded_cents: number | null }
  /** The amount of our refunds that are not confirmed. It is kept for them. */
  pendingCents: number
}

type DisputedPayment = Pick<Payment, 'status' | 'dispute'>

/**
 * Returns the change of a payment by the dispute in its provider's record, or undefined if there is none. A dispute that
 * was won or lost stays so.
 */
export function disputeChange(
  { status, dispute: before }: DisputedPayment,
  dispute: ProviderDispute,
): { status: 'disputed' | 'succeeded'; dispute: ProviderDispute } | undefined {
  if (status !== 'succeeded' && status !== 'disputed') return undefined
  const isSame = before?.id === dispute.id
  if (isSame && (before.status !== 'open' || isEqual(before, dispute))) return undefined
  return { status: dispute.status === 'won' ? 'succeeded' : 'disputed', dispute }
}

const isEqual = (a: ProviderDispute, b: ProviderDispute): boolean =>
  a.status === b.status &&
  a.amount_cents === b.amount_cents &&
  a.due_at === b.due_at &&
  a.reason === b.reason &&
  a.fee_cents === b.fee_cents

/** Returns true if a dispute is open or lost. */
export const isUnwon = (dispute: ProviderDispute | null): boolean =>
  dispute !== null && dispute.status !== 'won'

/** Returns the part of the money of a payment that its provider has returned. */
export const returnedCents = (record: ProviderRecord): number =>
  record.status === 'paid'
    ? record.refunds.reduce((sum, { amount_cents }) => sum + amount_cents, 0)
    : 0
