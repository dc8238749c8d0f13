import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { zone } from '../../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { Line } from '../../../kernel/shapes.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const text = fc
  .string({ minLength: 1, maxLength: 30, unit: 'grapheme' })
  .filter((line) => Line(64).safeParse(line).success)

const cents = fc.oneof(fc.nat(10_000), fc.constantFrom(0, 99_999_999_999))
const bound = fc.oneof(
  fc.nat(5_000),
  fc.double({ min: 0, max: 1e15 - 1, noNaN: true }),
  fc.constantFrom(0.1, 1e-7, 999_999_999_999_999),
)
/** Rising tiers without gaps. The last one may have no upper bound. */
const tiers = fc
  .tuple(fc.uniqueArray(bound, { minLength: 2, maxLength: 6 }), fc.boolean(), cents)
  .map(([bounds, isOpen, price_cents]) => {
    const risingBounds = bounds.map(Math.abs).sort((a, b) => a - b)
    return risingBounds.slice(0, -1).map((min, index) => ({
      min,
      max: isOpen && index === risingBounds.length - 2 ? null : (risingBounds[index + 1] ?? null),
      price_cents,
    }))
  })
const days = fc.uniqueArray(fc.nat(365), { minLength: 2, maxLength: 2 })
const rate = fc
  .record({
    name: text,
    description: fc.option(text),
    carrier_code: text,
    calc_type: fc.constantFrom('flat', 'weight', 'volumetric', 'order_total', 'item_count'),
    price_cents: cents,
    tiers,
    volumetric_divisor: fc.option(fc.integer({ min: 1, max: 1_000_000 })),
    free_over_cents: fc.option(cents),
    days,
    active: fc.boolean(),
  })
  .map(({ days: [first = 0, second = 0], ...fields }) => ({
    ...fields,
    min_days: Math.min(first, second),
    max_days: Math.max(first, second),
  }))
const destination = fc.subarray(['DE', 'FR', 'US', '*'], { minLength: 1 }).chain((countries) =>
  fc.subarray(countries.filter((code) => code !== '*')).chain((countriesWithRegions) =>
    fc
      .array(fc.uniqueArray(text, { minLength: 1, maxLength: 4 }), {
        minLength: countriesWithRegions.length,
        maxLength: countriesWithRegions.length,
      })
      .map((regions) => ({
        countries,
        regions: Object.fromEntries(
          countriesWithRegions.map((country, index) => [country, regions[index]]),
        ),
      })),
  ),
)
const change = fc
  .tuple(
    fc.record({ name: text, active: fc.boolean(), rates: fc.array(rate, { maxLength: 5 }) }),
    destination,
  )
  .map(([fields, countriesAndRegions]) => ({ ...fields, ...countriesAndRegions }))

test('a change of a zone is returned and read back unchanged, to the last digit', async () => {
  const { id, position } = await zone(tradepost)
  const url = `/shipping/zones/${id}`
  await fc.assert(
    fc.asyncProperty(change, async (body) => {
      const { status, json, text } = await tradepost.patch(url, body)
      expect(status, text).toBe(200)
      const rates = json.zone.rates.map(({ id: _, ...fields }: Json) => fields)
      expect({ ...json.zone, rates }).toEqual({ id, position, ...body })
      expect((await tradepost.get(url)).text).toBe(text)
      const repeat = await tradepost.patch(url, { rates: json.zone.rates })
      expect(repeat.text).toBe(text)
    }),
    { numRuns: 60 },
  )
})
