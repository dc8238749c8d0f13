import { z } from 'zod'
import { Country } from '../../../kernel/shapes.ts'
import { Items } from '../products/index.ts'
import { Region } from './schema.ts'

export const NewQuote = z
  .strictObject({
    country: Country.describe('The country of the destination, as an ISO 3166-1 alpha-2 code.'),
    region: Region.nullable()
      .default(null)
      .describe('The state or province of the destination. Case is ignored.'),
    items: Items.describe('The items to ship, 1 to 50 lines.'),
  })
  .meta({ id: 'ShippingQuoteInput' })
export type NewQuote = z.output<typeof NewQuote>

export const OfferedRate = z
  .object({
    zone_id: z.int().describe('The id of the shipping zone.'),
    rate_id: z
      .int()
      .describe('The id of the shipping rate. Send it as `shipping_rate_id` with an order.'),
    name: z.string().describe('The name of the rate.'),
    carrier_code: z.string().describe('The code of the carrier.'),
    price_cents: z.int().describe('The price of shipping, in minor units.'),
    min_days: z.int().nullable().describe('The shortest delivery time in days.'),
    max_days: z.int().nullable().describe('The longest delivery time in days.'),
  })
  .meta({
    id: 'OfferedShippingRate',
    description: 'A shipping rate for the items and the destination, with its price.',
  })
export type OfferedRate = z.output<typeof OfferedRate>
