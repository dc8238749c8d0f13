import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type CouponLine,
  checkCoupon,
  clearFormerValue,
  discountOf,
  lineDiscounts,
  reasonAgainstUse,
  splitDiscount,
} from './coupons.rules.ts'
import type { Coupon } from './schema.ts'

const coupon = (fields: Partial<Coupon> = {}): Coupon => ({
  id: 1,
  object: 'coupon',
  code: 'TEN',
  type: 'percentage',
  discount_percent: 10,
  amount_cents: null,
  max_uses: null,
  max_uses_per_customer: null,
  uses: 0,
  min_order_cents: null,
  starts_at: null,
  expires_at: null,
  product_ids: [],
  variant_ids: [],
  category_ids: [],
  payment_methods: [],
  allowed_emails: [],
  applies_to_renewals: false,
  active: true,
  affiliate_partner_id: null,
  note: null,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  ...fields,
})

const line = (fields: Partial<CouponLine> = {}): CouponLine => ({
  product_hash: 'a1B2c3D4e5F6',
  variant_id: 7,
  accepts_coupons: true,
  in_category: false,
  total_cents: 1000,
  ...fields,
})

const NOW = '2026-06-01T12:00:00.000Z'
const usage = (fields: Partial<Parameters<typeof reasonAgainstUse>[1]> = {}) => ({
  now: NOW,
  lines: [line()],
  email: 'ada@example.com',
  customer_uses: 0,
  payment_method: undefined,
  ...fields,
})

const cents = fc.integer({ min: 0, max: 999_999_999_999 })
const totals = fc.array(cents, { minLength: 1, maxLength: 50 })
const percent = fc.integer({ min: 1, max: 10_000 }).map((hundredths) => hundredths / 100)
const sum = (list: readonly number[]) => list.reduce((total, item) => total + item, 0)

describe('a discount over several lines', () => {
  test('is split exactly, and takes no more from a line than its total', () => {
    fc.assert(
      fc.property(totals, percent, (list, discount_percent) => {
        const discount = discountOf({ discount_percent, amount_cents: null }, sum(list))
        const shares = splitDiscount(discount, list)
        expect(sum(shares)).toBe(discount)
        for (const [index, share] of shares.entries()) {
          expect(Number.isSafeInteger(share)).toBe(true)
          expect(share).toBeGreaterThanOrEqual(0)
          expect(share).toBeLessThanOrEqual(list[index] ?? 0)
        }
      }),
    )
  })

  test('gives each line its exact part, rounded up or down to a cent', () => {
    fc.assert(
      fc.property(totals, cents, (list, amount) => {
        const total = sum(list)
        const discount = Math.min(amount, total)
        const shares = splitDiscount(discount, list)
        for (const [index, share] of shares.entries()) {
          const exact = BigInt(list[index] ?? 0) * BigInt(discount)
          const difference = BigInt(share) * BigInt(total) - exact
          expect(difference < BigInt(total || 1) && difference > -BigInt(total || 1)).toBe(true)
        }
      }),
    )
  })

  test('gives the remaining cents to the lines that rounding reduced most, and among equal lines to the first', () => {
    expect(splitDiscount(100, [1, 1, 1])).toEqual([34, 33, 33])
    expect(splitDiscount(5, [10, 20, 30])).toEqual([1, 2, 2])
    expect(splitDiscount(1, [0, 5, 5])).toEqual([0, 1, 0])
    expect(splitDiscount(0, [0, 0])).toEqual([0, 0])
    fc.assert(
      fc.property(totals, cents, (list, amount) => {
        const shares = splitDiscount(Math.min(amount, sum(list)), list)
        for (const [index, total] of list.entries()) {
          const first = list.indexOf(total)
          expect(shares[first]).toBeGreaterThanOrEqual(shares[index] as number)
        }
      }),
    )
  })
})

test.each([
  [{ discount_percent: 10, amount_cents: null }, 1005, 101],
  [{ discount_percent: 10, amount_cents: null }, 1004, 100],
  [{ discount_percent: 33.33, amount_cents: null }, 100, 33],
  [{ discount_percent: 100, amount_cents: null }, 999, 999],
  [{ discount_percent: null, amount_cents: 500 }, 999, 500],
  [{ discount_percent: null, amount_cents: 500 }, 499, 499],
])('the coupon %j reduces %i by %i', (value, subtotal, expected) => {
  expect(discountOf(value, subtotal)).toBe(expected)
})

test('a percentage is rounded once on the sum, not for each line', () => {
  const lines = [line({ total_cents: 5 }), line({ total_cents: 5 }), line({ total_cents: 5 })]
  expect(lineDiscounts(coupon(), lines)).toEqual([1, 1, 0])
})

describe('a line is eligible for a coupon', () => {
  const lines = [
    line(),
    line({ product_hash: 'zzzzzzzzzzzz', variant_id: 8 }),
    line({ product_hash: 'yyyyyyyyyyyy', variant_id: 9, in_category: true }),
    line({ product_hash: 'xxxxxxxxxxxx', variant_id: 10, accepts_coupons: false }),
  ]
  test.each([
    ['without lists, if its product accepts coupons', {}, [100, 100, 100, 0]],
    ['by its product', { product_ids: ['a1B2c3D4e5F6'] }, [100, 0, 0, 0]],
    ['by its variant', { variant_ids: [8, 10] }, [0, 100, 0, 0]],
    ['by its category', { category_ids: [3] }, [0, 0, 100, 0]],
    ['if any list names it', { variant_ids: [8], category_ids: [3] }, [0, 100, 100, 0]],
  ])('%s', (_, fields, shares) => {
    const linesOfCoupon = lines.map((item) => ({
      ...item,
      in_category: 'category_ids' in fields && item.in_category,
    }))
    expect(lineDiscounts(coupon(fields as Partial<Coupon>), linesOfCoupon)).toEqual(shares)
  })
})

describe('a coupon', () => {
  test.each<[string, Partial<Coupon>, ReturnType<typeof usage>]>([
    ['inactive', { active: false }, usage()],
    ['not_started', { starts_at: '2026-06-01T12:00:00.001Z' }, usage()],
    ['expired', { expires_at: NOW }, usage()],
    ['max_uses', { max_uses: 3, uses: 3 }, usage()],
    ['max_uses_per_customer', { max_uses_per_customer: 2 }, usage({ customer_uses: 2 })],
    ['min_order', { min_order_cents: 1001 }, usage()],
    ['not_applicable', { variant_ids: [8] }, usage()],
    ['not_applicable', { payment_methods: ['crypto'] }, usage({ payment_method: 'manual' })],
    ['not_applicable', {}, usage({ lines: [line({ accepts_coupons: false })] })],
    ['email_not_allowed', { allowed_emails: ['bob@example.com'] }, usage()],
  ])('is refused with the reason %s', (reason, fields, request) => {
    expect(reasonAgainstUse(coupon(fields), request)).toBe(reason)
  })

  test.each<[string, Partial<Coupon>, ReturnType<typeof usage>]>([
    ['at its starts_at', { starts_at: NOW }, usage()],
    ['a millisecond before its expires_at', { expires_at: '2026-06-01T12:00:00.001Z' }, usage()],
    ['for its last use', { max_uses: 3, uses: 2, max_uses_per_customer: 1 }, usage()],
    ['at exactly min_order_cents', { min_order_cents: 1000 }, usage()],
    [
      'with a listed payment method',
      { payment_methods: ['card'] },
      usage({ payment_method: 'card' }),
    ],
    ['for a listed address', { allowed_emails: ['ada@example.com'] }, usage()],
  ])('is accepted %s', (_, fields, request) => {
    expect(reasonAgainstUse(coupon(fields), request)).toBeUndefined()
  })

  test('counts only eligible lines towards min_order_cents', () => {
    const lines = [line(), line({ variant_id: 8, total_cents: 5000 })]
    const restrictedCoupon = coupon({ variant_ids: [7], min_order_cents: 1001 })
    expect(reasonAgainstUse(restrictedCoupon, usage({ lines }))).toBe('min_order')
  })
})

test.each([
  [{ type: 'percentage' as const, discount_percent: null, amount_cents: null }, 'discount_percent'],
  [{ type: 'percentage' as const, discount_percent: 5, amount_cents: 5 }, 'amount_cents'],
  [{ type: 'fixed' as const, discount_percent: null, amount_cents: null }, 'amount_cents'],
  [{ type: 'fixed' as const, discount_percent: 5, amount_cents: 5 }, 'discount_percent'],
  [{ starts_at: NOW, expires_at: NOW }, 'expires_at'],
])('a coupon with %j is refused, and the error names %s', (fields, field) => {
  expect(() => checkCoupon(coupon(fields))).toThrow(expect.objectContaining({ details: { field } }))
})

test('a new type clears the value of the other type, unless it is sent', () => {
  expect(clearFormerValue(coupon(), { type: 'fixed', amount_cents: 5 })).toEqual({
    type: 'fixed',
    amount_cents: 5,
    discount_percent: null,
  })
  expect(clearFormerValue(coupon(), { type: 'percentage', discount_percent: 5 })).toEqual({
    type: 'percentage',
    discount_percent: 5,
  })
  expect(clearFormerValue(coupon(), { type: 'fixed', discount_percent: 5 })).toEqual({
    type: 'fixed',
    discount_percent: 5,
  })
})
