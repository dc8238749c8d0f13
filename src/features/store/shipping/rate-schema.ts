import { z } from 'zod'

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
