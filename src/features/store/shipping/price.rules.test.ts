import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Goods, parcelOf, priceOf, ratesFor, subtotalOf, tierFor } from './price.rules.ts'
import { checkTiers } from './rates.rules.ts'
import type { Rate, Tier } from './schema.ts'

const goods = (fields: Partial<Goods> = {}): Goods => ({
  quantity: 1,
  delivery_type: 'physical',
  price_cents: 1000,
  discount_percent: 0,
  product_discount_percent: 0,
  weight_grams: null,
  length_cm: null,
  width_cm: null,
  height_cm: null,
  ...fields,
})

const rate = (fields: Partial<Rate> = {}): Rate => ({
  id: 1,
  name: 'Post',
  description: null,
  carrier_code: 'custom',
  calc_type: 'flat',
  price_cents: 500,
  tiers: [],
  volumetric_divisor: null,
  free_over_cents: null,
  min_days: null,
  max_days: null,
  active: true,
  ...fields,
})

/** A tier for each value, so that the price shows which value was measured. */
const exactly = (calc_type: Rate['calc_type'], ...values: number[]): Rate =>
  rate({
    calc_type,
    tiers: values.map((value) => ({ min: value, max: value, price_cents: value })),
  })

const measured = (by: Rate, lines: Goods[], subtotal_cents = 0) =>
  priceOf(by, parcelOf(lines, subtotal_cents))

describe('the measure of a rate', () => {
  test('flat: nothing but its price', () => {
    expect(measured(rate({ price_cents: 490 }), [goods({ quantity: 9 })])).toBe(490)
  })

  test('weight: grams times units, of physical goods', () => {
    const lines = [
      goods({ weight_grams: 250, quantity: 3 }),
      goods({ weight_grams: null, quantity: 5 }),
      goods({ weight_grams: 9_999, delivery_type: 'file' }),
    ]
    expect(measured(exactly('weight', 750), lines)).toBe(750)
  })

  test('item_count: physical units', () => {
    const lines = [goods({ quantity: 3 }), goods({ quantity: 2 }), goods({ delivery_type: 'file' })]
    expect(measured(exactly('item_count', 5), lines)).toBe(5)
  })

  test('order_total: the subtotal after discount, digital goods and all', () => {
    expect(measured(exactly('order_total', 4_321), [goods()], 4_321)).toBe(4_321)
  })

  const box = { length_cm: 30, width_cm: 20, height_cm: 10 }

  test('volumetric: the volume in grams, or the weight where that is more', () => {
    const light = goods({ ...box, weight_grams: 1_000 })
    const heavy = goods({ ...box, weight_grams: 1_300 })
    expect(measured(exactly('volumetric', 1_200), [light])).toBe(1_200)
    expect(measured(exactly('volumetric', 1_300), [heavy])).toBe(1_300)
    expect(measured(exactly('volumetric', 2_400), [{ ...light, quantity: 2 }])).toBe(2_400)
    const smaller = { ...exactly('volumetric', 1_500), volumetric_divisor: 4_000 }
    expect(measured(smaller, [light])).toBe(1_500)
  })

  test('volumetric: weights and volumes of all goods are compared together', () => {
    const pillow = goods({ ...box, weight_grams: 200 })
    const anvil = goods({ weight_grams: 900 })
    expect(measured(exactly('volumetric', 1_200), [pillow, anvil])).toBe(1_200)
  })

  test('volumetric: a side that is missing leaves the weight', () => {
    const flat = goods({ ...box, height_cm: null, weight_grams: 70 })
    expect(measured(exactly('volumetric', 70), [flat])).toBe(70)
  })

  test.each([
    [30.3, 10, 10, 606],
    [10.01, 10, 5, 101],
    [0.01, 0.01, 0.01, 1],
    [12.1, 11.1, 10.1, 272],
  ])('volumetric: %d × %d × %d cm is %d g, exact, with a begun gram as a whole', (...box) => {
    const [length_cm, width_cm, height_cm, grams] = box
    expect(
      measured(exactly('volumetric', grams), [goods({ length_cm, width_cm, height_cm })]),
    ).toBe(grams)
  })
})

/** Tiers that begin at 0 and touch, the last of them open. */
const cents = fc.nat(10_000)
const touching = fc
  .uniqueArray(fc.integer({ min: 1, max: 1_000 }), { minLength: 0, maxLength: 10 })
  .chain((edges) => {
    const bounds = [0, ...edges.sort((a, b) => a - b)]
    return fc
      .array(cents, { minLength: bounds.length, maxLength: bounds.length })
      .map((prices) =>
        bounds.map(
          (min, at): Tier => ({ min, max: bounds[at + 1] ?? null, price_cents: prices[at] ?? 0 }),
        ),
      )
  })
const value = fc.oneof(fc.nat(1_100), fc.double({ min: 0, max: 1_100, noNaN: true }))

describe('tiers', () => {
  test('that touch leave no gap: every value has a tier, and it is the first that holds it', () => {
    fc.assert(
      fc.property(touching, value, (tiers, v) => {
        expect(() => checkTiers(tiers, 'rates[0]')).not.toThrow()
        const holding = tiers.flatMap(({ min, max }, n) =>
          v >= min && v <= (max ?? Number.POSITIVE_INFINITY) ? [n] : [],
        )
        expect(tierFor(tiers, v)).toBe(tiers[holding[0] ?? -1])
        expect(holding.length).toBeGreaterThanOrEqual(1)
        expect(holding.length).toBeLessThanOrEqual(2)
      }),
    )
  })

  test('do not overlap: a shared edge is the lower tier’s, a hair above it the upper one’s', () => {
    fc.assert(
      fc.property(touching, (tiers) => {
        for (const [at, { max }] of tiers.entries()) {
          if (max === null) continue
          expect(tierFor(tiers, max)).toBe(tiers[at])
          expect(tierFor(tiers, max + 2 ** -20)).toBe(tiers[at + 1])
        }
      }),
    )
  })

  test('are monotone: more never falls into an earlier tier, and costs no less where prices rise', () => {
    fc.assert(
      fc.property(touching, value, value, (tiers, a, b) => {
        const rising = tiers.map((tier, at) => ({ ...tier, price_cents: at * 100 }))
        const [less, more] = [Math.min(a, b), Math.max(a, b)]
        const [low, high] = [tierFor(rising, less), tierFor(rising, more)]
        expect(low?.price_cents).toBeLessThanOrEqual(high?.price_cents ?? -1)
      }),
    )
  })

  test('with gaps have no tier in them, below the first and above the last', () => {
    const tiers = [
      { min: 10, max: 20, price_cents: 1 },
      { min: 30, max: 40, price_cents: 2 },
    ]
    expect([9, 10, 20, 20.5, 29, 30, 40, 41].map((v) => tierFor(tiers, v)?.price_cents)).toEqual([
      undefined,
      1,
      1,
      undefined,
      undefined,
      2,
      2,
      undefined,
    ])
  })

  test('a parcel of a tier of whole grams always has one: 0 to 1000, then 1001 and more', () => {
    const tiers = [
      { min: 0, max: 1_000, price_cents: 1 },
      { min: 1_001, max: null, price_cents: 2 },
    ]
    const side = fc.integer({ min: 1, max: 3_000 }).map((hundredths) => hundredths / 100)
    const box = fc.record({ length_cm: side, width_cm: side, height_cm: side })
    fc.assert(
      fc.property(box, fc.integer({ min: 1, max: 1_000_000 }), (sides, volumetric_divisor) => {
        const by = rate({ calc_type: 'volumetric', tiers, volumetric_divisor })
        expect(measured(by, [goods(sides)])).toBeDefined()
      }),
    )
  })
})

describe('free shipping', () => {
  test('begins exactly at its amount, for every calc_type', () => {
    const free = { free_over_cents: 5_000 }
    const tiers = [{ min: 0, max: null, price_cents: 700 }]
    for (const by of [
      rate({ ...free, price_cents: 700 }),
      rate({ ...free, calc_type: 'weight', tiers }),
    ]) {
      expect(measured(by, [goods()], 4_999)).toBe(700)
      expect(measured(by, [goods()], 5_000)).toBe(0)
    }
    expect(measured(rate({ free_over_cents: 0 }), [goods()])).toBe(0)
  })

  test('does not make a rate carry a parcel beyond its tiers', () => {
    const small = { ...exactly('item_count', 1), free_over_cents: 0 }
    expect(measured(small, [goods({ quantity: 2 })])).toBeUndefined()
  })
})

describe('the rates of a zone', () => {
  const zone = {
    id: 7,
    name: 'Here',
    countries: ['DE'],
    regions: {},
    active: true,
    position: 0,
    rates: [
      rate({ id: 1, min_days: 1, max_days: 2, carrier_code: 'dhl' }),
      rate({ id: 2, active: false }),
      { ...exactly('item_count', 5), id: 3 },
      rate({ id: 4, name: 'Express' }),
    ],
  }

  test('are offered in their order, but for those that are off or have no tier', () => {
    expect(ratesFor(zone, parcelOf([goods()], 0))).toEqual([
      {
        zone_id: 7,
        rate_id: 1,
        name: 'Post',
        carrier_code: 'dhl',
        price_cents: 500,
        min_days: 1,
        max_days: 2,
      },
      expect.objectContaining({ rate_id: 4, name: 'Express', min_days: null }),
    ])
  })

  test('are not offered for digital goods', () => {
    expect(ratesFor(zone, parcelOf([goods({ delivery_type: 'serial' })], 0))).toEqual([])
  })
})

test('the subtotal takes the discount of the variant, or else of the product, off each unit', () => {
  expect(
    subtotalOf([
      goods({ price_cents: 999, quantity: 3, product_discount_percent: 50 }),
      goods({ price_cents: 1_000, discount_percent: 10, product_discount_percent: 50 }),
      goods({ price_cents: 100, delivery_type: 'file' }),
    ]),
  ).toBe(3 * 500 + 900 + 100)
  const dear = goods({ price_cents: 99_999_999_999, quantity: 10_000 })
  expect(subtotalOf([dear])).toBe(999_999_999_990_000)
  expect(() => subtotalOf([dear, dear])).toThrow(
    expect.objectContaining({ details: { field: 'items' } }),
  )
})
