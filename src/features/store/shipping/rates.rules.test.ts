import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Refusal } from '../../../kernel/errors.ts'
import { checkTiers, planRates, readRates } from './rates.rules.ts'
import type { Rate, RatePatch, Tier } from './schema.ts'

const post: Rate = {
  id: 1,
  name: 'Post',
  description: null,
  carrier_code: 'custom',
  calc_type: 'flat',
  price_cents: 500,
  tiers: [],
  volumetric_divisor: null,
  free_over_cents: null,
  min_days: 2,
  max_days: null,
  active: true,
}

function fieldOf(work: () => unknown) {
  try {
    work()
  } catch (error) {
    if (error instanceof Refusal) return error.details?.field
    throw error
  }
  return undefined
}

const plan = (existing: readonly Rate[], sent: readonly RatePatch[]) =>
  planRates(existing, readRates(sent))

describe('a sent list', () => {
  const existing = [1, 2, 3, 4, 5].map((id) => ({ ...post, id, name: `Rate ${id}` }))
  const sent = fc
    .tuple(fc.subarray(existing), fc.array(fc.string({ minLength: 1 }), { maxLength: 5 }))
    .chain(([kept, added]) => {
      const list: RatePatch[] = [
        ...kept.map(({ id }) => ({ id, price_cents: id * 100 })),
        ...added.map((name) => ({ name, calc_type: 'flat' as const })),
      ]
      return fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length })
    })

  test('becomes the plan in its order: kept rates with what they had, new ones with defaults', () => {
    fc.assert(
      fc.property(sent, (list) => {
        const placed = plan(existing, list)
        expect(placed.map(({ position }) => position)).toEqual(list.map((_, at) => at))
        for (const [at, { id, name }] of list.entries()) {
          const expected =
            id === undefined
              ? { ...post, id: null, name, price_cents: 0, min_days: null }
              : { ...existing[id - 1], price_cents: id * 100 }
          expect(placed[at]).toEqual({ ...expected, position: at })
        }
      }),
    )
  })

  test('with a stranger, or with one id twice, is refused at the first such place', () => {
    fc.assert(
      fc.property(sent, fc.nat(10), fc.constantFrom(9, 1), (list, place, id) => {
        const at = Math.min(place, list.length)
        const bad: RatePatch[] = [...list.slice(0, at), { id }, ...list.slice(at)]
        const ids = bad.map((rate) => rate.id)
        const second = ids.findIndex((item, n) => item === id && (id === 9 || ids.indexOf(id) < n))
        expect(fieldOf(() => plan(existing, bad))).toBe(
          second < 0 ? undefined : `rates[${second}].id`,
        )
      }),
    )
  })
})

test('a patch is checked alone before it is checked with the stored fields', () => {
  const refused = (sent: RatePatch) => fieldOf(() => readRates([sent]))
  expect(refused({ id: 1, calc_type: 'weight', tiers: [] })).toBe('rates[0].tiers')
  expect(refused({ id: 1, min_days: 2, max_days: 1 })).toBe('rates[0].max_days')
  expect(refused({ id: 1, calc_type: 'weight' })).toBeUndefined()
  expect(refused({ id: 1, max_days: 1 })).toBeUndefined()
  expect(fieldOf(() => plan([post], [{ id: 1, calc_type: 'weight' }]))).toBe('rates[0].tiers')
  expect(fieldOf(() => plan([post], [{ id: 1, max_days: 1 }]))).toBe('rates[0].max_days')
  expect(fieldOf(() => plan([post], [{ id: 1, max_days: 2 }]))).toBeUndefined()
  expect(fieldOf(() => plan([post], [{ id: 1, max_days: 1, min_days: null }]))).toBeUndefined()
})

test.each(['weight', 'volumetric', 'order_total', 'item_count'] as const)(
  'a rate by %s needs a tier, new or changed, and a flat one has none',
  (calc_type) => {
    for (const before of [{ name: 'New' }, { id: 1 }]) {
      expect(fieldOf(() => plan([post], [{ ...before, calc_type }]))).toBe('rates[0].tiers')
      expect(fieldOf(() => plan([post], [{ ...before, calc_type: 'flat' }]))).toBeUndefined()
    }
  },
)

describe('tiers', () => {
  const tiers = (...bounds: [min: number, max: number | null][]): Tier[] =>
    bounds.map(([min, max]) => ({ min, max, price_cents: 100 }))
  const fieldOfTiers = (list: Tier[]) => fieldOf(() => checkTiers(list, 'rates[1]'))

  test.each([
    ['one open tier', tiers([0, null])],
    ['one of a single value', tiers([5, 5])],
    ['touching tiers', tiers([0, 10], [10, null])],
    ['a gap', tiers([0, 10], [20, 30])],
  ])('%s: fine', (_, list) => {
    expect(fieldOfTiers(list)).toBeUndefined()
  })

  test.each([
    ['overlapping tiers', tiers([0, 10], [9, null]), 'tiers[1].min'],
    ['falling tiers', tiers([10, 20], [0, 5]), 'tiers[1].min'],
    ['two tiers of one beginning', tiers([5, 5], [5, 9]), 'tiers[1].min'],
    ['an open tier before the last', tiers([0, null], [10, null]), 'tiers[0].max'],
    ['the third below the second', tiers([0, 1], [2, 3], [2.5, null]), 'tiers[2].min'],
  ])('%s: refused', (_, list, field) => {
    expect(fieldOfTiers(list)).toBe(`rates[1].${field}`)
  })

  test('are fine exactly if they rise and no two share more than an edge', () => {
    const bound = fc.integer({ min: 0, max: 8 })
    const tier = fc
      .tuple(bound, fc.option(bound, { freq: 6 }))
      .map(([min, max]): [number, number | null] => [min, max === null ? null : Math.max(min, max)])
    fc.assert(
      fc.property(fc.array(tier, { maxLength: 4 }), (bounds) => {
        const fine = bounds.every(([min, max], at) =>
          bounds.slice(at + 1).every(([next]) => max !== null && min < next && max <= next),
        )
        expect(fieldOfTiers(tiers(...bounds)) === undefined).toBe(fine)
      }),
    )
  })
})
