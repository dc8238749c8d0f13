import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { measureItems, priceOf, ratesFor, type ShippingItem, tierFor } from './price.rules.ts'
import { checkTiers } from './rates.rules.ts'
import type { Rate, Tier } from './schema.ts'

const goods = (fields: Partial<ShippingItem> = {}): ShippingItem => ({
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

/** Returns a rate with a tier for each value, whose price is the value itself. */
const rateWithTiersAt = (calc_type: Rate['calc_type'], ...values: number[]): Rate =>
  rate({
    calc_type,
    tiers: values.map((value) => ({ min: value, max: value, price_cents: value })),
  })

const priceBy = (shippingRate: Rate, lines: ShippingItem[], subtotal_cents = 0) =>
  priceOf(shippingRate, measureItems(lines, subtotal_cents))

describe('a rate is priced by its calc_type:', () => {
  test('flat, by its price alone', () => {
    expect(priceBy(rate({ price_cents: 490 }), [goods({ quantity: 9 })])).toBe(490)
  })

  test('weight, by the grams of all physical units', () => {
    const lines = [
      goods({ weight_grams: 250, quantity: 3 }),
      goods({ weight_grams: null, quantity: 5 }),
      goods({ weight_grams: 9_999, delivery_type: 'file' }),
    ]
    expect(priceBy(rateWithTiersAt('weight', 750), lines)).toBe(750)
  })

  test('item_count, by the number of physical units', () => {
    const lines = [goods({ quantity: 3 }), goods({ quantity: 2 }), goods({ delivery_type: 'file' })]
    expect(priceBy(rateWithTiersAt('item_count', 5), lines)).toBe(5)
  })

  test('order_total, by the subtotal after discount, including digital goods', () => {
    expect(priceBy(rateWithTiersAt('order_total', 4_321), [goods()], 4_321)).toBe(4_321)
  })

  const box = { length_cm: 30, width_cm: 20, height_cm: 10 }

  test('volumetric, by the volume in grams, or the weight if it is higher', () => {
    const light = goods({ ...box, weight_grams: 1_000 })
    const heavy = goods({ ...box, weight_grams: 1_300 })
    expect(priceBy(rateWithTiersAt('volumetric', 1_200), [light])).toBe(1_200)
    expect(priceBy(rateWithTiersAt('volumetric', 1_300), [heavy])).toBe(1_300)
    expect(priceBy(rateWithTiersAt('volumetric', 2_400), [{ ...light, quantity: 2 }])).toBe(2_400)
    const smallerDivisor = { ...rateWithTiersAt('volumetric', 1_500), volumetric_divisor: 4_000 }
    expect(priceBy(smallerDivisor, [light])).toBe(1_500)
  })

  test('volumetric, by the sums of the weights and of the volumes of all goods', () => {
    const pillow = goods({ ...box, weight_grams: 200 })
    const anvil = goods({ weight_grams: 900 })
    expect(priceBy(rateWithTiersAt('volumetric', 1_200), [pillow, anvil])).toBe(1_200)
  })

  test('volumetric, by the weight if a dimension is missing', () => {
    const unmeasured = goods({ ...box, height_cm: null, weight_grams: 70 })
    expect(priceBy(rateWithTiersAt('volumetric', 70), [unmeasured])).toBe(70)
  })

  test.each([
    [30.3, 10, 10, 606],
    [10.01, 10, 5, 101],
    [0.01, 0.01, 0.01, 1],
    [12.1, 11.1, 10.1, 272],
  ])('volumetric, where %d × %d × %d cm are %d g, rounded up to whole grams', (...box) => {
    const [length_cm, width_cm, height_cm, grams] = box
    expect(
      priceBy(rateWithTiersAt('volumetric', grams), [goods({ length_cm, width_cm, height_cm })]),
    ).toBe(grams)
  })
})

const cents = fc.nat(10_000)
/** Tiers without gaps that begin at 0. The last one has no upper bound. */
const touchingTiers = fc
  .uniqueArray(fc.integer({ min: 1, max: 1_000 }), { minLength: 0, maxLength: 10 })
  .chain((edges) => {
    const bounds = [0, ...edges.sort((a, b) => a - b)]
    return fc.array(cents, { minLength: bounds.length, maxLength: bounds.length }).map((prices) =>
      bounds.map(
        (min, index): Tier => ({
          min,
          max: bounds[index + 1] ?? null,
          price_cents: prices[index] ?? 0,
        }),
      ),
    )
  })
const measure = fc.oneof(fc.nat(1_100), fc.double({ min: 0, max: 1_100, noNaN: true }))

describe('tiers', () => {
  test('that touch have a match for every value, which is the first tier that contains the value', () => {
    fc.assert(
      fc.property(touchingTiers, measure, (tiers, measured) => {
        expect(() => checkTiers(tiers, 'rates[0]')).not.toThrow()
        const matching = tiers.flatMap(({ min, max }, index) =>
          measured >= min && measured <= (max ?? Number.POSITIVE_INFINITY) ? [index] : [],
        )
        expect(tierFor(tiers, measured)).toBe(tiers[matching[0] ?? -1])
        expect(matching.length).toBeGreaterThanOrEqual(1)
        expect(matching.length).toBeLessThanOrEqual(2)
      }),
    )
  })

  test('that touch share a bound, which belongs to the lower tier, while a value above it belongs to the upper one', () => {
    fc.assert(
      fc.property(touchingTiers, (tiers) => {
        for (const [index, { max }] of tiers.entries()) {
          if (max === null) continue
          expect(tierFor(tiers, max)).toBe(tiers[index])
          expect(tierFor(tiers, max + 2 ** -20)).toBe(tiers[index + 1])
        }
      }),
    )
  })

  test('with rising prices never cost less for a larger value', () => {
    fc.assert(
      fc.property(touchingTiers, measure, measure, (tiers, first, second) => {
        const risingTiers = tiers.map((tier, index) => ({ ...tier, price_cents: index * 100 }))
        const [lower, higher] = [Math.min(first, second), Math.max(first, second)]
        const [lowerTier, higherTier] = [tierFor(risingTiers, lower), tierFor(risingTiers, higher)]
        expect(lowerTier?.price_cents).toBeLessThanOrEqual(higherTier?.price_cents ?? -1)
      }),
    )
  })

  test('have no match for a value in a gap, below the first tier or above the last', () => {
    const tiers = [
      { min: 10, max: 20, price_cents: 1 },
      { min: 30, max: 40, price_cents: 2 },
    ]
    expect(
      [9, 10, 20, 20.5, 29, 30, 40, 41].map((measured) => tierFor(tiers, measured)?.price_cents),
    ).toEqual([undefined, 1, 1, undefined, undefined, 2, 2, undefined])
  })

  test('of whole grams, such as 0 to 1000 and 1001 and more, always match a parcel', () => {
    const tiers = [
      { min: 0, max: 1_000, price_cents: 1 },
      { min: 1_001, max: null, price_cents: 2 },
    ]
    const length = fc.integer({ min: 1, max: 3_000 }).map((hundredths) => hundredths / 100)
    const box = fc.record({ length_cm: length, width_cm: length, height_cm: length })
    fc.assert(
      fc.property(box, fc.integer({ min: 1, max: 1_000_000 }), (sides, volumetric_divisor) => {
        const volumetric = rate({ calc_type: 'volumetric', tiers, volumetric_divisor })
        expect(priceBy(volumetric, [goods(sides)])).toBeDefined()
      }),
    )
  })
})

describe('free shipping', () => {
  test('begins exactly at free_over_cents, for flat rates and for rates with tiers', () => {
    const freeOver = { free_over_cents: 5_000 }
    const tiers = [{ min: 0, max: null, price_cents: 700 }]
    for (const freeRate of [
      rate({ ...freeOver, price_cents: 700 }),
      rate({ ...freeOver, calc_type: 'weight', tiers }),
    ]) {
      expect(priceBy(freeRate, [goods()], 4_999)).toBe(700)
      expect(priceBy(freeRate, [goods()], 5_000)).toBe(0)
    }
    expect(priceBy(rate({ free_over_cents: 0 }), [goods()])).toBe(0)
  })

  test('does not extend a rate beyond its tiers', () => {
    const singleUnit = { ...rateWithTiersAt('item_count', 1), free_over_cents: 0 }
    expect(priceBy(singleUnit, [goods({ quantity: 2 })])).toBeUndefined()
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
      { ...rateWithTiersAt('item_count', 5), id: 3 },
      rate({ id: 4, name: 'Express' }),
    ],
  }

  test('are offered in their sort order, except for inactive ones and those without a tier', () => {
    expect(ratesFor(zone, measureItems([goods()], 0))).toEqual([
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
    expect(ratesFor(zone, measureItems([goods({ delivery_type: 'serial' })], 0))).toEqual([])
  })
})
