import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { OfferedRate } from '../shipping/index.ts'
import { quoteShipping } from './quote-shipping.ts'
import { NewQuote } from './schema.ts'

export const quoteEndpoints = [
  endpoint({
    id: 'shipping.quote',
    method: 'POST',
    path: '/shipping/quote',
    permission: 'fulfillment:read',
    feature: 'shipping',
    audit: 'nothing',
    summary: 'Get the shipping rates for items and a destination, with their prices.',
    description:
      'The rates are those of the zone that matches best: by region, else by country, else `*`. The list is empty if no zone or rate matches, or if no item is physical. The prices are those that an order of the same contents pays, with its coupon. Contents or a coupon that an order would refuse are refused here too, but stock is not checked.',
    body: NewQuote,
    example: { country: 'DE', items: [{ product_id: 'a1B2c3D4e5F6', quantity: 2 }] },
    response: z.object({
      rates: z.array(OfferedRate).describe('The available rates, in the order of the zone.'),
    }),
    errors: ['VALIDATION_FAILED', 'COUPON_INVALID'],
    handle: async ({ context, body }) => ({ rates: await quoteShipping(context, body) }),
  }),
]
