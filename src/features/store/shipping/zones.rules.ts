import { invalid } from '../../../kernel/errors.ts'
import { REST_OF_WORLD, type Zone } from './schema.ts'

type Area = Pick<Zone, 'countries' | 'regions'>

/** Regions narrow a country of the zone; they do not add one (decision 43). */
export function checkRegions({ countries, regions }: Area): void {
  const unlisted = Object.keys(regions).find((country) => !countries.includes(country))
  if (unlisted === undefined) return
  throw invalid(
    `regions.${unlisted}`,
    `${unlisted} is not in countries: add it there, or remove it here.`,
  )
}

export interface Destination {
  country: string
  region: string | null
}

/**
 * The zone a parcel goes to: one that names the region, else the country, else the rest of the
 * world; of several the first (decision 75).
 */
export function zoneFor<Z extends Pick<Zone, 'id' | 'active' | 'position'> & Area>(
  zones: readonly Z[],
  destination: Destination,
): Z | undefined {
  const [best] = zones
    .filter((zone) => zone.active)
    .map((zone) => ({ zone, closeness: closenessOf(zone, destination) }))
    .filter(({ closeness }) => closeness !== undefined)
    .sort(
      (a, b) =>
        Number(a.closeness) - Number(b.closeness) ||
        a.zone.position - b.zone.position ||
        a.zone.id - b.zone.id,
    )
  return best?.zone
}

const [REGION, COUNTRY, REST] = [0, 1, 2]

function closenessOf(zone: Area, { country, region }: Destination): number | undefined {
  const rest = zone.countries.includes(REST_OF_WORLD) ? REST : undefined
  if (!zone.countries.includes(country)) return rest
  const regions = zone.regions[country]
  if (!regions) return COUNTRY
  return region !== null && regions.some((item) => isSame(item, region)) ? REGION : rest
}

const isSame = (a: string, b: string) => plain(a) === plain(b)

const plain = (text: string) => text.normalize('NFC').trim().toLowerCase()
