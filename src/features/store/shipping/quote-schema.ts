import { z } from 'zod'
import { Country } from '../../../kernel/shapes.ts'
import { Items } from '../products/index.ts'
import { Region } from './schema.ts'

export const NewQuote = z
  .strictObject({
    country: Country.describe('The country of destination, ISO 3166-1 alpha-2.'),
    region: Region.nullable()
      .default(null)
      .describe('State or province; compared with those of the zones without case.'),
    items: Items.describe('The items to ship, 1 to 50 lines.'),
  })
  .meta({ id: 'NewShippingQuote' })
export type NewQuote = z.output<typeof NewQuote>

export const OfferedRate = z
  .object({
    zone_id: z.int().describe('The shipping zone.'),
    rate_id: z.int().describe('The shipping rate; what an order names.'),
    name: z.string().describe('The name of the rate.'),
    carrier_code: z.string().describe('The code of the carrier.'),
    price_cents: z.int().describe('The price of shipping, in minor units.'),
    min_days: z.int().nullable().describe('Earliest arrival, in days.'),
    max_days: z.int().nullable().describe('Latest arrival, in days.'),
  })
  .meta({ id: 'OfferedShippingRate', description: 'A way to ship these items there.' })
export type OfferedRate = z.output<typeof OfferedRate>
