import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { refusedField } from '../../../../test/refusal.ts'
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

const chosenZone = (zones: Zone[], country: string, region: string | null = null) =>
  zoneFor(zones, { country, region })?.id

describe('the zone of an address', () => {
  const world = zone({ id: 1, position: 0, countries: ['*'] })
  const germany = zone({ id: 2, position: 1 })
  const bavaria = zone({ id: 3, position: 2, regions: { DE: ['BY', 'Bayern'] } })
  const zonesByPosition = [world, germany, bavaria]

  test('is the zone with its region, or else with its whole country, or else with the rest of the world', () => {
    expect(chosenZone(zonesByPosition, 'DE', 'BY')).toBe(3)
    expect(chosenZone(zonesByPosition, 'DE', 'BE')).toBe(2)
    expect(chosenZone(zonesByPosition, 'DE')).toBe(2)
    expect(chosenZone(zonesByPosition, 'FR', 'BY')).toBe(1)
    expect(chosenZone([world, bavaria], 'DE', 'BE')).toBe(1)
    expect(chosenZone([bavaria], 'DE', 'BE')).toBeUndefined()
    expect(chosenZone([bavaria], 'DE')).toBeUndefined()
    expect(chosenZone([germany], 'FR')).toBeUndefined()
    expect(chosenZone([], 'DE')).toBeUndefined()
  })

  test('is found in any case of its region, and with spaces around it', () => {
    for (const region of ['by', ' BY ', 'bayern', 'BAYERN']) {
      expect(chosenZone(zonesByPosition, 'DE', region)).toBe(3)
    }
    expect(chosenZone(zonesByPosition, 'DE', 'B')).toBe(2)
    expect(chosenZone(zonesByPosition, 'DE', '')).toBe(2)
  })

  test('is the first of two equal matches by position, and then by id', () => {
    const [last, first] = [zone({ id: 5, position: 9 }), zone({ id: 6, position: 3 })]
    expect(chosenZone([last, first], 'DE')).toBe(6)
    expect(chosenZone([zone({ id: 8 }), zone({ id: 7 })], 'DE')).toBe(7)
  })

  const COUNTRIES = ['DE', 'FR', 'US']
  const REGIONS = ['N', 'S']
  const zones = fc.array(
    fc
      .record({
        position: fc.nat(4),
        active: fc.boolean(),
        countries: fc.subarray([...COUNTRIES, '*'], { minLength: 1 }),
        regionsByCountry: fc.record({
          DE: fc.subarray(REGIONS),
          FR: fc.subarray(REGIONS),
          US: fc.subarray(REGIONS),
        }),
      })
      .map(({ regionsByCountry, ...fields }) => ({
        ...fields,
        regions: Object.fromEntries(
          Object.entries(regionsByCountry).filter(
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

  test('is the first active zone with the region, or else with the country, or else with the rest of the world', () => {
    fc.assert(
      fc.property(zones, address, (randomZones, { country, region }) => {
        const zonesWithIds = randomZones.map((fields, id) => ({ ...fields, id }))
        const withRegion = zonesWithIds.filter(
          ({ active, countries, regions }) =>
            active && countries.includes(country) && regions[country]?.includes(region ?? '-'),
        )
        const withCountry = zonesWithIds.filter(
          ({ active, countries, regions }) =>
            active && countries.includes(country) && !(country in regions),
        )
        const withRest = zonesWithIds.filter(
          ({ active, countries }) => active && countries.includes('*'),
        )
        const matches = [withRegion, withCountry, withRest].find((group) => group.length > 0) ?? []
        const [first] = matches.toSorted((a, b) => a.position - b.position || a.id - b.id)
        expect(zoneFor(zonesWithIds, { country, region })).toEqual(first)
      }),
      { numRuns: 1_000 },
    )
  })

  test('does not depend on the order in which the zones are read', () => {
    fc.assert(
      fc.property(zones, address, (randomZones, destination) => {
        const zonesWithIds = randomZones.map((fields, id) => ({ ...fields, id }))
        expect(zoneFor(zonesWithIds.toReversed(), destination)).toEqual(
          zoneFor(zonesWithIds, destination),
        )
      }),
    )
  })

  test('exists for every address if a zone contains the rest of the world', () => {
    fc.assert(
      fc.property(zones, address, (randomZones, destination) => {
        const zonesWithIds = randomZones.map((fields, id) => ({ ...fields, id }))
        expect(
          zoneFor([...zonesWithIds, zone({ id: 99, countries: ['*'] })], destination),
        ).toBeDefined()
      }),
    )
  })
})

test('a region matches in any case and any normalization of its letters', () => {
  const brazil = zone({ countries: ['BR'], regions: { BR: ['S\u00e3o Paulo'] } })
  expect(chosenZone([brazil], 'BR', ' SA\u0303O PAULO ')).toBe(1)
  expect(chosenZone([brazil], 'BR', 'Sao Paulo')).toBeUndefined()
})

test('regions must belong to a country of the zone', () => {
  const regions = { DE: ['BY'] }
  expect(refusedField(() => checkRegions({ countries: ['FR', 'DE'], regions }))).toBeUndefined()
  expect(refusedField(() => checkRegions({ countries: ['FR', '*'], regions }))).toBe('regions.DE')
})
