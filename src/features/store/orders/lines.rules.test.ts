import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { refusedField } from '../../../../test/refusal.ts'
import { unitPrice } from '../../../kernel/money.ts'
import type { SellableItem } from '../products/index.ts'
import { checkSellLimits, type OrderLine, planLines, totalsOf } from './lines.rules.ts'

const itemOf = (fields: Partial<SellableItem> = {}): SellableItem => ({
  quantity: 1,
  field: 'items[0]',
  product_id: 1,
  product_hash: 'a1B2c3D4e5F6',
  product_name: 'Game',
  product_sku: 'P-1',
  product_status: 'active',
  product_active: true,
  product_kind: 'single',
  has_billing: false,
  visibility: 'public',
  product_discount_percent: 0,
  min_qty: 1,
  max_qty: null,
  sell_limit: null,
  accepts_coupons: true,
  methods: [{ method: 'manual', enabled: true }],
  variant_id: 10,
  variant_name: 'Default',
  variant_sku: null,
  variant_active: true,
  delivery_type: 'serial',
  price_cents: 1000,
  discount_percent: 0,
  weight_grams: null,
  stock_mode: 'unlimited',
  track_inventory: true,
  allow_backorder: false,
  mode_changes: 0,
  on_hand: 0,
  reserved: 0,
  owed: 0,
  length_cm: null,
  width_cm: null,
  height_cm: null,
  ...fields,
})

const refusedFieldOfPlan = (items: SellableItem[], quantities: number[]) =>
  refusedField(() => {
    const lines = items.map((item, index) => ({
      ...item,
      quantity: quantities[index] ?? 1,
      field: `items[${index}]`,
    }))
    return planLines(lines)
  })

describe('an order is refused, and the error names the first line that has', () => {
  test.each([
    ['a draft', itemOf({ product_status: 'draft' }), 'items[1].product_id'],
    ['an archived product', itemOf({ product_status: 'archived' }), 'items[1].product_id'],
    ['an inactive product', itemOf({ product_active: false }), 'items[1].product_id'],
    ['a product on hold', itemOf({ visibility: 'on_hold' }), 'items[1].product_id'],
    ['an inactive variant', itemOf({ variant_active: false }), 'items[1].variant_id'],
  ])('%s', (_, item, field) => {
    const first = itemOf({ product_id: 2 })
    expect(refusedFieldOfPlan([first, item], [1, 1])).toBe(field)
  })

  test('fewer than min_qty or more than max_qty units, in all lines of a product together', () => {
    const limitedItem = itemOf({ min_qty: 3, max_qty: 5 })
    expect(refusedFieldOfPlan([limitedItem], [2])).toBe('items[0].quantity')
    expect(refusedFieldOfPlan([limitedItem], [3])).toBeUndefined()
    expect(refusedFieldOfPlan([limitedItem], [6])).toBe('items[0].quantity')
    expect(refusedFieldOfPlan([limitedItem, limitedItem], [1, 2])).toBeUndefined()
    expect(refusedFieldOfPlan([limitedItem, limitedItem], [3, 3])).toBe('items[0].quantity')
    expect(refusedFieldOfPlan([itemOf({ product_id: 2 }), limitedItem], [1, 1])).toBe(
      'items[1].quantity',
    )
  })
})

test.each(['unlisted', 'private'])('a product that is %s can be ordered', (visibility) => {
  expect(refusedFieldOfPlan([itemOf({ visibility })], [1])).toBeUndefined()
})

test('a limit per customer counts earlier purchases and all lines together', () => {
  const limitedItem = itemOf({ sell_limit: 5 })
  const check = (quantities: number[], boughtBefore: number) =>
    refusedField(() =>
      checkSellLimits(
        quantities.map((quantity) => ({ ...limitedItem, quantity })),
        new Map([[1, boughtBefore]]),
      ),
    )
  expect(check([5], 0)).toBeUndefined()
  expect(check([2, 3], 0)).toBeUndefined()
  expect(check([3, 3], 0)).toBe('items[0].quantity')
  expect(check([3], 2)).toBeUndefined()
  expect(check([3], 3)).toBe('items[0].quantity')
})

test.each([
  [1000, 0, 0, 1000],
  [1000, 0, 25, 750],
  [1000, 10, 25, 900],
  [999, 50, 0, 500],
  [1000, 100, 0, 0],
])(
  'the price %i less %i %% of the variant or %i %% of the product is %i',
  (price_cents, discount_percent, product_discount_percent, expected) => {
    const price = { price_cents, discount_percent, product_discount_percent }
    expect(unitPrice(price)).toBe(expected)
  },
)

test('a line shows the SKU of the bought variant, or else of the product', () => {
  const lines = [itemOf({ variant_sku: 'V-1', quantity: 2 }), itemOf()]
  const [ofVariant, ofProduct] = planLines(lines)
  expect(ofVariant).toMatchObject({
    sku: 'V-1',
    quantity: 2,
    unit_price_cents: 1000,
    total_cents: 2000,
  })
  expect(ofProduct).toMatchObject({ sku: 'P-1', quantity: 1, total_cents: 1000 })
})

test('the total of an order is its subtotal less the discount plus the shipping, in whole cents', () => {
  const line = fc
    .record({
      quantity: fc.integer({ min: 1, max: 100 }),
      unit_price_cents: fc.integer({ min: 0, max: 1_000_000 }),
      share: fc.integer({ min: 0, max: 100 }),
    })
    .map(({ quantity, unit_price_cents, share }) => {
      const fullCents = quantity * unit_price_cents
      const discount_cents = Number((BigInt(fullCents) * BigInt(share)) / 100n)
      return {
        quantity,
        unit_price_cents,
        discount_cents,
        total_cents: fullCents - discount_cents,
      }
    })
  fc.assert(
    fc.property(fc.array(line, { maxLength: 20 }), fc.nat(10_000), (lines, shipping) => {
      const totals = totalsOf(lines as OrderLine[], shipping)
      const sum = lines.reduce((total, item) => total + BigInt(item.total_cents), 0n)
      expect(BigInt(totals.total_cents)).toBe(sum + BigInt(shipping))
      expect(totals.subtotal_cents - totals.discount_cents + totals.shipping_cents).toBe(
        totals.total_cents,
      )
      expect(
        Object.values(totals).every((cents) => Number.isSafeInteger(cents) && cents >= 0),
      ).toBe(true)
    }),
  )
})
