import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Refusal } from '../../../kernel/errors.ts'
import { checkRegions, zoneFor } from './zones.rules.ts'

interface Zone {
  id: number
  position: number
  active: boolean
  countries: string[]
  regions: Record<string, string[]>
}

const zone = (fields: Partial<Zone> = {}): Zone => ({
  id: 1,
  position: 0,
  active: true,
  countries: ['DE'],
  regions: {},
  ...fields,
})

const chosen = (zones: Zone[], country: string, region: string | null = null) =>
  zoneFor(zones, { country, region })?.id

function fieldOf(work: () => unknown) {
  try {
    work()
  } catch (error) {
    if (error instanceof Refusal) return error.details?.field
    throw error
  }
  return undefined
}

describe('the zone of an address', () => {
  const world = zone({ id: 1, position: 0, countries: ['*'] })
  const germany = zone({ id: 2, position: 1 })
  const bavaria = zone({ id: 3, position: 2, regions: { DE: ['BY', 'Bayern'] } })
  const all = [world, germany, bavaria]

  test('is the one that names its region, else its country, else the rest of the world', () => {
    expect(chosen(all, 'DE', 'BY')).toBe(3)
    expect(chosen(all, 'DE', 'BE')).toBe(2)
    expect(chosen(all, 'DE')).toBe(2)
    expect(chosen(all, 'FR', 'BY')).toBe(1)
    expect(chosen([world, bavaria], 'DE', 'BE')).toBe(1)
    expect(chosen([bavaria], 'DE', 'BE')).toBeUndefined()
    expect(chosen([bavaria], 'DE')).toBeUndefined()
    expect(chosen([germany], 'FR')).toBeUndefined()
    expect(chosen([], 'DE')).toBeUndefined()
  })

  test('knows its region without case and blanks around it', () => {
    for (const region of ['by', ' BY ', 'bayern', 'BAYERN']) {
      expect(chosen(all, 'DE', region)).toBe(3)
    }
    expect(chosen(all, 'DE', 'B')).toBe(2)
    expect(chosen(all, 'DE', '')).toBe(2)
  })

  test('of two equal matches is the first by position, then the older', () => {
    const [late, early] = [zone({ id: 5, position: 9 }), zone({ id: 6, position: 3 })]
    expect(chosen([late, early], 'DE')).toBe(6)
    expect(chosen([zone({ id: 8 }), zone({ id: 7 })], 'DE')).toBe(7)
  })

  const COUNTRIES = ['DE', 'FR', 'US']
  const REGIONS = ['N', 'S']
  const zones = fc.array(
    fc
      .record({
        position: fc.nat(4),
        active: fc.boolean(),
        countries: fc.subarray([...COUNTRIES, '*'], { minLength: 1 }),
        narrowed: fc.record({
          DE: fc.subarray(REGIONS),
          FR: fc.subarray(REGIONS),
          US: fc.subarray(REGIONS),
        }),
      })
      .map(({ narrowed, ...fields }) => ({
        ...fields,
        regions: Object.fromEntries(
          Object.entries(narrowed).filter(
            ([country, regions]) => regions.length > 0 && fields.countries.includes(country),
          ),
        ),
      })),
    { maxLength: 8 },
  )
  const address = fc.record({
    country: fc.constantFrom(...COUNTRIES, 'JP'),
    region: fc.constantFrom('N', 'S', 'W', null),
  })

  test('is always active and covers the address, and no other has precedence', () => {
    fc.assert(
      fc.property(zones, address, (drawn, { country, region }) => {
        const numbered = drawn.map((fields, id) => ({ ...fields, id }))
        const named = numbered.filter(
          ({ active, countries, regions }) =>
            active && countries.includes(country) && regions[country]?.includes(region ?? '-'),
        )
        const wide = numbered.filter(
          ({ active, countries, regions }) =>
            active && countries.includes(country) && !(country in regions),
        )
        const rest = numbered.filter(({ active, countries }) => active && countries.includes('*'))
        const best = [named, wide, rest].find((group) => group.length > 0) ?? []
        const [first] = best.toSorted((a, b) => a.position - b.position || a.id - b.id)
        expect(zoneFor(numbered, { country, region })).toEqual(first)
      }),
      { numRuns: 1_000 },
    )
  })

  test('does not depend on the order in which the zones are read', () => {
    fc.assert(
      fc.property(zones, address, (drawn, to) => {
        const numbered = drawn.map((fields, id) => ({ ...fields, id }))
        expect(zoneFor(numbered.toReversed(), to)).toEqual(zoneFor(numbered, to))
      }),
    )
  })

  test('exists for every address as soon as a zone has the rest of the world', () => {
    fc.assert(
      fc.property(zones, address, (drawn, to) => {
        const numbered = drawn.map((fields, id) => ({ ...fields, id }))
        expect(zoneFor([...numbered, zone({ id: 99, countries: ['*'] })], to)).toBeDefined()
      }),
    )
  })
})

test('a region is the same however its letters are written', () => {
  const brazil = zone({ countries: ['BR'], regions: { BR: ['S\u00e3o Paulo'] } })
  expect(chosen([brazil], 'BR', ' SA\u0303O PAULO ')).toBe(1)
  expect(chosen([brazil], 'BR', 'Sao Paulo')).toBeUndefined()
})

test('regions belong to a country of the zone', () => {
  const regions = { DE: ['BY'] }
  expect(fieldOf(() => checkRegions({ countries: ['FR', 'DE'], regions }))).toBeUndefined()
  expect(fieldOf(() => checkRegions({ countries: ['FR', '*'], regions }))).toBe('regions.DE')
})
