import { describe, expect, test } from 'vitest'
import { Refusal } from '../../../kernel/errors.ts'
import { STATUSES, type Status } from './schema.ts'
import {
  checkCancellable,
  checkPayable,
  checkReviewable,
  expiryOf,
  statusAfter,
} from './status.rules.ts'

function codeOf(work: () => void) {
  try {
    work()
    return 'allowed'
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

const table = (check: (status: Status) => void) =>
  Object.fromEntries(STATUSES.map((status) => [status, codeOf(() => check(status))]))

describe('what an order in each status allows', () => {
  test('a payment: of an unpaid order, and a late one of an expired order', () => {
    expect(table((status) => checkPayable(status, false))).toEqual({
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

  test('a payment to be reviewed: only what still waits for money', () => {
    expect(table((status) => checkPayable(status, true))).toMatchObject({
      pending: 'allowed',
      partially_paid: 'allowed',
      manual_review: 'allowed',
      expired: 'INVALID_STATE',
    })
  })

  test('a cancellation: of an unpaid order; a paid one is refunded instead', () => {
    expect(table(checkCancellable)).toEqual({
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

  test('a review: a payment that waits for one, on an order that does, or was paid otherwise', () => {
    expect(table((status) => checkReviewable('pending_review', status))).toMatchObject({
      manual_review: 'allowed',
      paid: 'allowed',
      completed: 'allowed',
      pending: 'INVALID_STATE',
      cancelled: 'INVALID_STATE',
    })
    for (const status of ['approved', 'rejected', 'succeeded']) {
      expect(codeOf(() => checkReviewable(status, 'manual_review'))).toBe('INVALID_STATE')
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
  'a %s order of 1000 with %i paid and %i reviews is then %s',
  (status, paid_cents, reviews, after) => {
    expect(statusAfter({ status, total_cents: 1000, paid_cents, refunded_cents: 0 }, reviews)).toBe(
      after,
    )
  },
)

test('an order expires so many minutes after the moment', () => {
  expect(expiryOf('2026-12-31T23:30:00.000Z', 60)).toBe('2027-01-01T00:30:00.000Z')
})
