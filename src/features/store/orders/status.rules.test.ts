import { describe, expect, test } from 'vitest'
import { refusalOf } from '../../../../test/refusal.ts'
import { OCCURRENCES } from '../../../kernel/process-meter.ts'
import { type OrderStatus, STATUSES } from './schema.ts'
import {
  checkCancellable,
  checkPayable,
  checkPaymentReviewable,
  expiryOf,
  fulfillmentStatusOf,
  statusAfter,
} from './status.rules.ts'

/** Returns "allowed", or the code with which the work is refused. */
const outcomeOf = (work: () => void) => refusalOf(work)?.code ?? 'allowed'

const outcomes = (check: (status: OrderStatus) => void) =>
  Object.fromEntries(STATUSES.map((status) => [status, outcomeOf(() => check(status))]))

describe('the status of an order decides whether it allows', () => {
  test('a payment, if it is unpaid or has expired', () => {
    expect(outcomes((status) => checkPayable(status, { needsReview: false }))).toEqual({
      pending: 'allowed',
      partially_paid: 'allowed',
      manual_review: 'allowed',
      expired: 'allowed',
      paid: 'INVALID_STATE',
      completed: 'INVALID_STATE',
      cancelled: 'INVALID_STATE',
      refunded: 'INVALID_STATE',
    })
  })

  test('a payment under review, only while it is unpaid', () => {
    expect(outcomes((status) => checkPayable(status, { needsReview: true }))).toMatchObject({
      pending: 'allowed',
      partially_paid: 'allowed',
      manual_review: 'allowed',
      expired: 'INVALID_STATE',
    })
  })

  test('a cancellation, only while it is unpaid', () => {
    expect(outcomes(checkCancellable)).toEqual({
      pending: 'allowed',
      partially_paid: 'allowed',
      manual_review: 'allowed',
      paid: 'INVOICE_PAID',
      completed: 'INVOICE_PAID',
      expired: 'INVALID_STATE',
      cancelled: 'INVALID_STATE',
      refunded: 'INVALID_STATE',
    })
  })

  test('a review of a pending payment, if it is under review or was paid by other payments', () => {
    const pendingReview = { status: 'pending_review', provider: null } as const
    expect(outcomes((status) => checkPaymentReviewable(pendingReview, status))).toMatchObject({
      manual_review: 'allowed',
      paid: 'allowed',
      completed: 'allowed',
      pending: 'INVALID_STATE',
      cancelled: 'INVALID_STATE',
    })
    for (const status of ['approved', 'rejected', 'succeeded'] as const) {
      const payment = { status, provider: null }
      expect(outcomeOf(() => checkPaymentReviewable(payment, 'manual_review'))).toBe(
        'INVALID_STATE',
      )
    }
  })
})

test.each([
  ['pending', 0, 0, 'pending'],
  ['pending', 1, 0, 'partially_paid'],
  ['pending', 1000, 0, 'paid'],
  ['pending', 1500, 0, 'paid'],
  ['partially_paid', 999, 0, 'partially_paid'],
  ['manual_review', 0, 0, 'pending'],
  ['manual_review', 300, 0, 'partially_paid'],
  ['manual_review', 300, 1, 'manual_review'],
  ['manual_review', 1000, 1, 'paid'],
  ['expired', 300, 0, 'expired'],
  ['expired', 1000, 0, 'paid'],
] as const)(
  'an order of 1000 that is %s, with %i paid and %i payments under review, becomes %s',
  (status, paid_cents, pendingCount, after) => {
    expect(
      statusAfter({ status, total_cents: 1000, paid_cents, refunded_cents: 0 }, pendingCount),
    ).toBe(after)
  },
)

test('the expiry of an order is a number of minutes after a time', () => {
  expect(expiryOf('2026-12-31T23:30:00.000Z', 60)).toBe('2027-01-01T00:30:00.000Z')
})

test('the metrics count each status that an order can enter, and the first one as created', () => {
  const entered = STATUSES.map((status) => (status === 'pending' ? 'created' : status))
  expect([...OCCURRENCES.order].sort()).toEqual(entered.sort())
})

test('an order is partially shipped until its last unit is shipped, and needs no parcel without a unit that is due', () => {
  const statuses = [0, 1, 4, 5].map((shipped) => fulfillmentStatusOf({ due: 5, shipped }))
  expect(statuses).toEqual(['unfulfilled', 'partial', 'partial', 'fulfilled'])
  expect(fulfillmentStatusOf({ due: 0, shipped: 0 })).toBe('not_required')
})
