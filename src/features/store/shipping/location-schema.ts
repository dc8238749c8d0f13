import { z } from 'zod'
import { Country, Line, PageQuery } from '../../../kernel/shapes.ts'
import { Region } from './schema.ts'

export const LOCATIONS_MAX = 100

const LocationFields = {
  name: Line(128).describe('The name of the location.'),
  line1: Line(255).describe('The street and house number.'),
  line2: Line(255).nullable().describe('The flat, floor or company.'),
  city: Line(128).describe('The town or city.'),
  region: Region.nullable().describe('The state or province.'),
  postal_code: Line(32).nullable().describe('The ZIP or postal code.'),
  country: Country.describe('The country, as an ISO 3166-1 alpha-2 code.'),
  phone: Line(32).nullable().describe('The phone number for the carrier.'),
  active: z.boolean().describe('True if parcels are sent from this location.'),
  is_default: z
    .boolean()
    .describe('True if parcels are sent from this location when no other is requested.'),
}

export const Location = z
  .object({
    id: z.int().describe('The id of the location.'),
    object: z.literal('location').describe('Always `location`.'),
    ...LocationFields,
  })
  .meta({ id: 'Location', description: 'An address from which parcels are sent.' })
export type Location = z.output<typeof Location>

export const NewLocation = z
  .strictObject({
    ...LocationFields,
    line2: LocationFields.line2.default(null),
    region: LocationFields.region.default(null),
    postal_code: LocationFields.postal_code.default(null),
    phone: LocationFields.phone.default(null),
    active: LocationFields.active.default(true),
    is_default: LocationFields.is_default
      .optional()
      .describe(
        'True if parcels are sent from this location when no other is requested. Default: true for the first location of the store, otherwise false.',
      ),
  })
  .meta({ id: 'LocationInput' })
export type NewLocation = z.output<typeof NewLocation>

export const LocationPatch = z.strictObject(LocationFields).partial().meta({ id: 'LocationPatch' })
export type LocationPatch = z.output<typeof LocationPatch>

export const LocationQuery = z.object(PageQuery)
