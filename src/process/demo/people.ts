import { addressForm } from './addresses.ts'
import type { Random } from './random.ts'

/** The invented names of customers. Their addresses are at example.com and example.org, which are reserved. */
const FIRST_NAMES = [
  'Ada',
  'Bruno',
  'Clara',
  'Daniel',
  'Elif',
  'Felix',
  'Grace',
  'Hugo',
  'Ines',
  'Jonas',
  'Kaya',
  'Leo',
  'Mara',
  'Nils',
  'Olga',
  'Pablo',
  'Quinn',
  'Rosa',
  'Sami',
  'Tilda',
  'Umar',
  'Vera',
  'Wanda',
  'Yara',
] as const
const LAST_NAMES = [
  'Appleby',
  'Birkmoor',
  'Castellane',
  'Dunmarsh',
  'Eastwick',
  'Fairfax-Lane',
  'Greywater',
  'Hollowell',
  'Ironbridge',
  'Juniper',
  'Kestrelton',
  'Larkspur',
] as const

const COUNTRIES = [
  ['US', 44],
  ['DE', 14],
  ['FR', 8],
  ['GB', 9],
  ['NL', 5],
  ['ES', 5],
  ['CA', 7],
  ['JP', 4],
  ['AU', 4],
] as const

export interface DemoPerson {
  email: string
  name: string
  country: string
  address: { name: string; line1: string; city: string; postal_code: string; country: string }
}

export function makePeople(random: Random, count: number): DemoPerson[] {
  return Array.from({ length: count }, (_, index) => {
    const first = FIRST_NAMES[index % FIRST_NAMES.length] ?? ''
    // The shift after each round of first names gives every pair of names once.
    const last =
      LAST_NAMES[(index + Math.floor(index / FIRST_NAMES.length)) % LAST_NAMES.length] ?? ''
    const name = `${first} ${last}`
    const host = random.chance(0.7) ? 'example.com' : 'example.org'
    const country = random.weighted(COUNTRIES)
    const { street, cities, postalCode } = addressForm(country)
    const address = {
      name,
      line1: street(random.whole(1, 98)),
      city: random.pick(cities),
      postal_code: postalCode(random.whole(10_000, 98_999)),
      country,
    }
    return { email: `${first}.${last}@${host}`.toLowerCase(), name, country, address }
  })
}

export const PARTNERS = [
  { email: 'hello@pixel-diary.example.com', name: 'Pixel Diary', code: 'pixel-diary' },
  { email: 'team@orbit-fans.example.org', name: 'Orbit Fans', code: 'orbit-fans' },
  { email: 'mail@slow-light.example.com', name: 'Slow Light Magazine', code: 'slow-light' },
] as const
