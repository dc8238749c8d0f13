import { expect, test } from 'vitest'
import { commissionAfterRefunds, commissionOf } from './commission.rules.ts'

test.each([
  [1005, 10, 100],
  [1006, 10, 101],
  [1004, 10, 100],
  [9_007_199_254_740_991, 100, 9_007_199_254_740_991],
  [0, 10, 0],
])(
  'the commission of %d at %d percent is %d, with half a cent rounded down',
  (cents, percent, expectedCents) => {
    expect(commissionOf(cents, percent)).toBe(expectedCents)
  },
)

test.each([
  { base: 101, total: 1010, paid: 1010, refunded: 505, remaining: 50 },
  { base: 101, total: 1010, paid: 1010, refunded: 504, remaining: 51 },
  { base: 101, total: 1010, paid: 1010, refunded: 1010, remaining: 0 },
  { base: 101, total: 1010, paid: 2000, refunded: 990, remaining: 101 },
  { base: 101, total: 1010, paid: 2000, refunded: 1495, remaining: 50 },
  { base: 0, total: 0, paid: 0, refunded: 0, remaining: 0 },
])(
  'if $refunded of $paid paid for a total of $total are refunded, $remaining of the commission $base remain',
  ({ base, remaining, total: total_cents, paid: paid_cents, refunded: refunded_cents }) => {
    expect(commissionAfterRefunds(base, { total_cents, paid_cents, refunded_cents })).toBe(
      remaining,
    )
  },
)
