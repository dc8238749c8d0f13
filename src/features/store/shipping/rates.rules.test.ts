import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { refusedField } from '../../../../test/refusal.ts'
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

const plan = (existing: readonly Rate[], requested: readonly RatePatch[]) =>
  planRates(existing, readRates(requested))

describe('a requested list of rates', () => {
  const existing = [1, 2, 3, 4, 5].map((id) => ({ ...post, id, name: `Rate ${id}` }))
  const requestedRates = fc
    .tuple(fc.subarray(existing), fc.array(fc.string({ minLength: 1 }), { maxLength: 5 }))
    .chain(([keptRates, newNames]) => {
      const list: RatePatch[] = [
        ...keptRates.map(({ id }) => ({ id, price_cents: id * 100 })),
        ...newNames.map((name) => ({ name, calc_type: 'flat' as const })),
      ]
      return fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length })
    })

  test('is planned in its sort order, with the values of existing rates and the defaults of new ones', () => {
    fc.assert(
      fc.property(requestedRates, (list) => {
        const plannedRates = plan(existing, list)
        expect(plannedRates.map(({ position }) => position)).toEqual(list.map((_, index) => index))
        for (const [index, { id, name }] of list.entries()) {
          const expectedRate =
            id === undefined
              ? { ...post, id: null, name, price_cents: 0, min_days: null }
              : { ...existing[id - 1], price_cents: id * 100 }
          expect(plannedRates[index]).toEqual({ ...expectedRate, position: index })
        }
      }),
    )
  })

  test('with an unknown or a repeated id is refused, and the error names its position', () => {
    fc.assert(
      fc.property(requestedRates, fc.nat(10), fc.constantFrom(9, 1), (list, position, id) => {
        const index = Math.min(position, list.length)
        const badList: RatePatch[] = [...list.slice(0, index), { id }, ...list.slice(index)]
        const ids = badList.map((rate) => rate.id)
        const refusedPosition = ids.findIndex(
          (item, n) => item === id && (id === 9 || ids.indexOf(id) < n),
        )
        expect(refusedField(() => plan(existing, badList))).toBe(
          refusedPosition < 0 ? undefined : `rates[${refusedPosition}].id`,
        )
      }),
    )
  })
})

test('a change of a rate is checked alone, and then with the stored fields of the rate', () => {
  const refusedFieldOfPatch = (patch: RatePatch) => refusedField(() => readRates([patch]))
  expect(refusedFieldOfPatch({ id: 1, calc_type: 'weight', tiers: [] })).toBe('rates[0].tiers')
  expect(refusedFieldOfPatch({ id: 1, min_days: 2, max_days: 1 })).toBe('rates[0].max_days')
  expect(refusedFieldOfPatch({ id: 1, calc_type: 'weight' })).toBeUndefined()
  expect(refusedFieldOfPatch({ id: 1, max_days: 1 })).toBeUndefined()
  expect(refusedField(() => plan([post], [{ id: 1, calc_type: 'weight' }]))).toBe('rates[0].tiers')
  expect(refusedField(() => plan([post], [{ id: 1, max_days: 1 }]))).toBe('rates[0].max_days')
  expect(refusedField(() => plan([post], [{ id: 1, max_days: 2 }]))).toBeUndefined()
  expect(refusedField(() => plan([post], [{ id: 1, max_days: 1, min_days: null }]))).toBeUndefined()
})

test.each(['weight', 'volumetric', 'order_total', 'item_count'] as const)(
  'a new or changed rate by %s needs a tier, and a flat rate needs none',
  (calc_type) => {
    for (const rate of [{ name: 'New' }, { id: 1 }]) {
      expect(refusedField(() => plan([post], [{ ...rate, calc_type }]))).toBe('rates[0].tiers')
      expect(refusedField(() => plan([post], [{ ...rate, calc_type: 'flat' }]))).toBeUndefined()
    }
  },
)

describe('tiers', () => {
  const tiers = (...bounds: [min: number, max: number | null][]): Tier[] =>
    bounds.map(([min, max]) => ({ min, max, price_cents: 100 }))
  const refusedTier = (list: Tier[]) => refusedField(() => checkTiers(list, 'rates[1]'))

  test.each([
    ['if one has no upper bound', tiers([0, null])],
    ['if one contains a single value', tiers([5, 5])],
    ['if they share a bound', tiers([0, 10], [10, null])],
    ['if there is a gap between them', tiers([0, 10], [20, 30])],
  ])('are accepted %s', (_, list) => {
    expect(refusedTier(list)).toBeUndefined()
  })

  test.each([
    ['if they overlap', tiers([0, 10], [9, null]), 'tiers[1].min'],
    ['if they do not rise', tiers([10, 20], [0, 5]), 'tiers[1].min'],
    ['if two of them begin at the same value', tiers([5, 5], [5, 9]), 'tiers[1].min'],
    ['if one before the last has no upper bound', tiers([0, null], [10, null]), 'tiers[0].max'],
    ['if the third begins within the second', tiers([0, 1], [2, 3], [2.5, null]), 'tiers[2].min'],
  ])('are refused %s', (_, list, field) => {
    expect(refusedTier(list)).toBe(`rates[1].${field}`)
  })

  test('are refused with a bound that is accepted instead', () => {
    const refuse = (list: Tier[]) => () => checkTiers(list, 'rates[1]')
    expect(refuse(tiers([5, 5], [5, 9]))).toThrow('Use more than 5: the tier before begins there.')
    expect(refuse(tiers([5, 8], [5, 9]))).toThrow('Use 8 or more: the tier before ends there.')
    expect(refuse(tiers([5, 8], [6, 9]))).toThrow('Use 8 or more: the tier before ends there.')
  })

  test('are accepted exactly if they rise and share at most a bound', () => {
    const bound = fc.integer({ min: 0, max: 8 })
    const tier = fc
      .tuple(bound, fc.option(bound, { freq: 6 }))
      .map(([min, max]): [number, number | null] => [min, max === null ? null : Math.max(min, max)])
    fc.assert(
      fc.property(fc.array(tier, { maxLength: 4 }), (bounds) => {
        const isAccepted = bounds.every(([min, max], index) =>
          bounds.slice(index + 1).every(([next]) => max !== null && min < next && max <= next),
        )
        expect(refusedTier(tiers(...bounds)) === undefined).toBe(isAccepted)
      }),
    )
  })
})
