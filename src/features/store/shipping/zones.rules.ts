import { invalid } from '../../../kernel/errors.ts'
import { REST_OF_WORLD, type Zone } from './schema.ts'

type ZoneArea = Pick<Zone, 'countries' | 'regions'>

/** Refuses regions of a country that is not in the zone (decision 43). */
export function checkRegions({ countries, regions }: ZoneArea): void {
  const unlistedCountry = Object.keys(regions).find((country) => !countries.includes(country))
  if (unlistedCountry === undefined) return
  throw invalid(
    `regions.${unlistedCountry}`,
    `${unlistedCountry} is not in countries. Add it there, or remove it here.`,
  )
}

export interface ShippingDestination {
  country: string
  region: string | null
}

/**
 * Returns the zone of a destination: the first one with its region, else with its country, else with
 * the rest of the world.
 */
export function zoneFor<Z extends Pick<Zone, 'id' | 'active' | 'position'> & ZoneArea>(
  zones: readonly Z[],
  destination: ShippingDestination,
): Z | undefined {
  const [closestZone] = zones
    .filter((zone) => zone.active)
    .map((zone) => ({ zone, distance: distanceOf(zone, destination) }))
    .filter(({ distance }) => distance !== undefined)
    .sort(
      (a, b) =>
        Number(a.distance) - Number(b.distance) ||
        a.zone.position - b.zone.position ||
        a.zone.id - b.zone.id,
    )
  return closestZone?.zone
}

/** The distances of a zone from a destination. */
const [REGION, COUNTRY, REST] = [0, 1, 2]

function distanceOf(zone: ZoneArea, { country, region }: ShippingDestination): number | undefined {
  const restOfWorld = zone.countries.includes(REST_OF_WORLD) ? REST : undefined
  if (!zone.countries.includes(country)) return restOfWorld
  const regions = zone.regions[country]
  if (!regions) return COUNTRY
  return region !== null && regions.some((item) => isSame(item, region)) ? REGION : restOfWorld
}

const isSame = (name: string, other: string) => normalize(name) === normalize(other)

const normalize = (text: string) => text.normalize('NFC').trim().toLowerCase()
