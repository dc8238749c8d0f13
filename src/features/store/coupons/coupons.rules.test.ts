import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type CouponLine,
  checkCoupon,
  discountOf,
  sharesOf,
  spread,
  whyNotUse,
  withType,
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
const usage = (fields: Partial<Parameters<typeof whyNotUse>[1]> = {}) => ({
  now: NOW,
  lines: [line()],
  email: 'ada@example.com',
  own_uses: 0,
  payment_method: undefined,
  ...fields,
})

const cents = fc.integer({ min: 0, max: 999_999_999_999 })
const totals = fc.array(cents, { minLength: 1, maxLength: 50 })
const percent = fc.integer({ min: 1, max: 10_000 }).map((hundredths) => hundredths / 100)
const sum = (list: readonly number[]) => list.reduce((all, item) => all + item, 0)

describe('a discount over lines', () => {
  test('is spread exactly, and takes from no line more than there is', () => {
    fc.assert(
      fc.property(totals, percent, (list, discount_percent) => {
        const discount = discountOf({ discount_percent, amount_cents: null }, sum(list))
        const shares = spread(discount, list)
        expect(sum(shares)).toBe(discount)
        for (const [at, share] of shares.entries()) {
          expect(Number.isSafeInteger(share)).toBe(true)
          expect(share).toBeGreaterThanOrEqual(0)
          expect(share).toBeLessThanOrEqual(list[at] ?? 0)
        }
      }),
    )
  })

  test('gives each line its part, off by less than a cent, and equal lines equal within a cent', () => {
    fc.assert(
      fc.property(totals, cents, (list, amount) => {
        const all = sum(list)
        const discount = Math.min(amount, all)
        const shares = spread(discount, list)
        for (const [at, share] of shares.entries()) {
          const exact = BigInt(list[at] ?? 0) * BigInt(discount)
          const off = BigInt(share) * BigInt(all) - exact
          expect(off < BigInt(all || 1) && off > -BigInt(all || 1)).toBe(true)
        }
      }),
    )
  })

  test('is the same each time, and the remainder goes to the line that lost most, then the first', () => {
    expect(spread(100, [1, 1, 1])).toEqual([34, 33, 33])
    expect(spread(5, [10, 20, 30])).toEqual([1, 2, 2])
    expect(spread(1, [0, 5, 5])).toEqual([0, 1, 0])
    expect(spread(0, [0, 0])).toEqual([0, 0])
    fc.assert(
      fc.property(totals, cents, (list, amount) => {
        const discount = Math.min(amount, sum(list))
        expect(spread(discount, list)).toEqual(spread(discount, [...list]))
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
])('%j takes off %i: %i', (value, subtotal, expected) => {
  expect(discountOf(value, subtotal)).toBe(expected)
})

test('a percentage is rounded once on the sum, not on each line', () => {
  const lines = [line({ total_cents: 5 }), line({ total_cents: 5 }), line({ total_cents: 5 })]
  expect(sharesOf(coupon(), lines)).toEqual([1, 1, 0])
})

describe('a line counts', () => {
  const lines = [
    line(),
    line({ product_hash: 'zzzzzzzzzzzz', variant_id: 8 }),
    line({ product_hash: 'yyyyyyyyyyyy', variant_id: 9, in_category: true }),
    line({ product_hash: 'xxxxxxxxxxxx', variant_id: 10, accepts_coupons: false }),
  ]
  test.each([
    ['everywhere it is accepted', {}, [100, 100, 100, 0]],
    ['by product', { product_ids: ['a1B2c3D4e5F6'] }, [100, 0, 0, 0]],
    ['by variant', { variant_ids: [8, 10] }, [0, 100, 0, 0]],
    ['by category', { category_ids: [3] }, [0, 0, 100, 0]],
    ['if any list names it', { variant_ids: [8], category_ids: [3] }, [0, 100, 100, 0]],
  ])('%s', (_, fields, shares) => {
    const named = lines.map((item) => ({
      ...item,
      in_category: 'category_ids' in fields && item.in_category,
    }))
    expect(sharesOf(coupon(fields as Partial<Coupon>), named)).toEqual(shares)
  })
})

describe('a coupon may not be used', () => {
  test.each<[string, Partial<Coupon>, ReturnType<typeof usage>]>([
    ['inactive', { active: false }, usage()],
    ['not_started', { starts_at: '2026-06-01T12:00:00.001Z' }, usage()],
    ['expired', { expires_at: NOW }, usage()],
    ['max_uses', { max_uses: 3, uses: 3 }, usage()],
    ['max_uses_per_customer', { max_uses_per_customer: 2 }, usage({ own_uses: 2 })],
    ['min_order', { min_order_cents: 1001 }, usage()],
    ['not_applicable', { variant_ids: [8] }, usage()],
    ['not_applicable', { payment_methods: ['crypto'] }, usage({ payment_method: 'manual' })],
    ['not_applicable', {}, usage({ lines: [line({ accepts_coupons: false })] })],
    ['email_not_allowed', { allowed_emails: ['bob@example.com'] }, usage()],
  ])('%s', (reason, fields, asked) => {
    expect(whyNotUse(coupon(fields), asked)).toBe(reason)
  })

  test.each<[string, Partial<Coupon>, ReturnType<typeof usage>]>([
    ['from its start on', { starts_at: NOW }, usage()],
    ['to the last moment', { expires_at: '2026-06-01T12:00:00.001Z' }, usage()],
    ['once more', { max_uses: 3, uses: 2, max_uses_per_customer: 1 }, usage()],
    ['exactly at the least', { min_order_cents: 1000 }, usage()],
    ['paid as it says', { payment_methods: ['card'] }, usage({ payment_method: 'card' })],
    ['by who is allowed', { allowed_emails: ['ada@example.com'] }, usage()],
  ])('but %s it may', (_, fields, asked) => {
    expect(whyNotUse(coupon(fields), asked)).toBeUndefined()
  })

  test('the least it asks for counts only the lines it applies to', () => {
    const lines = [line(), line({ variant_id: 8, total_cents: 5000 })]
    const few = coupon({ variant_ids: [7], min_order_cents: 1001 })
    expect(whyNotUse(few, usage({ lines }))).toBe('min_order')
  })
})

test.each([
  [{ type: 'percentage' as const, discount_percent: null, amount_cents: null }, 'discount_percent'],
  [{ type: 'percentage' as const, discount_percent: 5, amount_cents: 5 }, 'amount_cents'],
  [{ type: 'fixed' as const, discount_percent: null, amount_cents: null }, 'amount_cents'],
  [{ type: 'fixed' as const, discount_percent: 5, amount_cents: 5 }, 'discount_percent'],
  [{ starts_at: NOW, expires_at: NOW }, 'expires_at'],
])('%j is refused', (fields, field) => {
  expect(() => checkCoupon(coupon(fields))).toThrow(expect.objectContaining({ details: { field } }))
})

test('a new type takes the value of the other one away, unless it is sent', () => {
  expect(withType(coupon(), { type: 'fixed', amount_cents: 5 })).toEqual({
    type: 'fixed',
    amount_cents: 5,
    discount_percent: null,
  })
  expect(withType(coupon(), { type: 'percentage', discount_percent: 5 })).toEqual({
    type: 'percentage',
    discount_percent: 5,
  })
  expect(withType(coupon(), { type: 'fixed', discount_percent: 5 })).toEqual({
    type: 'fixed',
    discount_percent: 5,
  })
})
