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
  .filter((some) => Line(64).safeParse(some).success)

const cents = fc.oneof(fc.nat(10_000), fc.constantFrom(0, 99_999_999_999))
const bound = fc.oneof(
  fc.nat(5_000),
  fc.double({ min: 0, max: 1e15 - 1, noNaN: true }),
  fc.constantFrom(0.1, 1e-7, 999_999_999_999_999),
)
/** Rising tiers that touch, with one open end or none. */
const tiers = fc
  .tuple(fc.uniqueArray(bound, { minLength: 2, maxLength: 6 }), fc.boolean(), cents)
  .map(([edges, isOpen, price_cents]) => {
    const rising = edges.map(Math.abs).sort((a, b) => a - b)
    return rising.slice(0, -1).map((min, at) => ({
      min,
      max: isOpen && at === rising.length - 2 ? null : (rising[at + 1] ?? null),
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
  .map(({ days: [a = 0, b = 0], ...fields }) => ({
    ...fields,
    min_days: Math.min(a, b),
    max_days: Math.max(a, b),
  }))
const area = fc.subarray(['DE', 'FR', 'US', '*'], { minLength: 1 }).chain((countries) =>
  fc.subarray(countries.filter((code) => code !== '*')).chain((narrowed) =>
    fc
      .array(fc.uniqueArray(text, { minLength: 1, maxLength: 4 }), {
        minLength: narrowed.length,
        maxLength: narrowed.length,
      })
      .map((regions) => ({
        countries,
        regions: Object.fromEntries(narrowed.map((country, at) => [country, regions[at]])),
      })),
  ),
)
const change = fc
  .tuple(
    fc.record({ name: text, active: fc.boolean(), rates: fc.array(rate, { maxLength: 5 }) }),
    area,
  )
  .map(([fields, where]) => ({ ...fields, ...where }))

test('an accepted body is answered and read back unchanged, to the last digit', async () => {
  const { id, position } = await zone(tradepost)
  const url = `/shipping/zones/${id}`
  await fc.assert(
    fc.asyncProperty(change, async (sent) => {
      const { status, json, text } = await tradepost.patch(url, sent)
      expect(status, text).toBe(200)
      const rates = json.zone.rates.map(({ id: _, ...fields }: Json) => fields)
      expect({ ...json.zone, rates }).toEqual({ id, position, ...sent })
      expect((await tradepost.get(url)).text).toBe(text)
      const again = await tradepost.patch(url, { rates: json.zone.rates })
      expect(again.text).toBe(text)
    }),
    { numRuns: 60 },
  )
})
