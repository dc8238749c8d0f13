import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Refusal } from '../../../kernel/errors.ts'
import { unitPrice } from '../../../kernel/money.ts'
import type { Wanted } from '../products/index.ts'
import { checkSellLimits, type Line, planLines, totalsOf } from './lines.rules.ts'

const wanted = (fields: Partial<Wanted> = {}): Wanted => ({
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
  on_hand: 0,
  reserved: 0,
  length_cm: null,
  width_cm: null,
  height_cm: null,
  ...fields,
})

function fieldOf(work: () => unknown) {
  try {
    work()
  } catch (error) {
    if (error instanceof Refusal) return error.details?.field
    throw error
  }
  return undefined
}

const planned = (given: Wanted[], quantities: number[]) =>
  fieldOf(() => {
    const lines = given.map((item, at) => ({
      ...item,
      quantity: quantities[at] ?? 1,
      field: `items[${at}]`,
    }))
    return planLines(lines)
  })

describe('the first line that cannot be sold is named', () => {
  test.each([
    ['a draft', wanted({ product_status: 'draft' }), 'items[1].product_id'],
    ['an archived product', wanted({ product_status: 'archived' }), 'items[1].product_id'],
    ['a product switched off', wanted({ product_active: false }), 'items[1].product_id'],
    ['a product on hold', wanted({ visibility: 'on_hold' }), 'items[1].product_id'],
    ['a variant switched off', wanted({ variant_active: false }), 'items[1].variant_id'],
  ])('%s', (_, stranger, field) => {
    const first = wanted({ product_id: 2 })
    expect(planned([first, stranger], [1, 1])).toBe(field)
  })

  test.each(['unlisted', 'private'])('a product that is %s can be sold', (visibility) => {
    expect(planned([wanted({ visibility })], [1])).toBeUndefined()
  })

  test('fewer than min_qty and more than max_qty, all lines of the product together', () => {
    const limited = wanted({ min_qty: 3, max_qty: 5 })
    expect(planned([limited], [2])).toBe('items[0].quantity')
    expect(planned([limited], [3])).toBeUndefined()
    expect(planned([limited], [6])).toBe('items[0].quantity')
    expect(planned([limited, limited], [1, 2])).toBeUndefined()
    expect(planned([limited, limited], [3, 3])).toBe('items[0].quantity')
    expect(planned([wanted({ product_id: 2 }), limited], [1, 1])).toBe('items[1].quantity')
  })
})

test('a limit a customer counts earlier purchases and all lines together', () => {
  const limited = wanted({ sell_limit: 5 })
  const check = (quantities: number[], before: number) =>
    fieldOf(() =>
      checkSellLimits(
        quantities.map((quantity) => ({ ...limited, quantity })),
        new Map([[1, before]]),
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
  '%i with %i %% of its own and %i %% of the product is %i',
  (price_cents, own, of_product, sale) => {
    const price = { price_cents, discount_percent: own, product_discount_percent: of_product }
    expect(unitPrice(price)).toBe(sale)
  },
)

test('a line shows the number of the variant that was bought, else of the product', () => {
  const lines = [wanted({ variant_sku: 'V-1', quantity: 2 }), wanted()]
  const [own, inherited] = planLines(lines)
  expect(own).toMatchObject({ sku: 'V-1', quantity: 2, unit_price_cents: 1000, total_cents: 2000 })
  expect(inherited).toMatchObject({ sku: 'P-1', quantity: 1, total_cents: 1000 })
})

test('totals are the sums of whole cents: subtotal less discount plus shipping', () => {
  const line = fc
    .record({
      quantity: fc.integer({ min: 1, max: 100 }),
      unit_price_cents: fc.integer({ min: 0, max: 1_000_000 }),
      share: fc.integer({ min: 0, max: 100 }),
    })
    .map(({ quantity, unit_price_cents, share }) => {
      const whole = quantity * unit_price_cents
      const discount_cents = Number((BigInt(whole) * BigInt(share)) / 100n)
      return { quantity, unit_price_cents, discount_cents, total_cents: whole - discount_cents }
    })
  fc.assert(
    fc.property(fc.array(line, { maxLength: 20 }), fc.nat(10_000), (lines, shipping) => {
      const totals = totalsOf(lines as Line[], shipping)
      const sum = lines.reduce((all, item) => all + BigInt(item.total_cents), 0n)
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
