import { z } from 'zod'
import { DateTime, Text } from '../../../kernel/shapes.ts'

export const Delivery = z
  .object({
    id: z.int().describe('The id of the delivery.'),
    object: z.literal('delivery').describe('Always `delivery`.'),
    order_id: z.string().describe('The order.'),
    order_item_id: z.int().describe('The line it delivers.'),
    product_id: z.string().describe('The product hash.'),
    variant_id: z.int().describe('The variant.'),
    type: z.string().describe('The delivery type of the variant.'),
    status: z
      .enum(['pending', 'delivered', 'failed', 'replaced', 'revoked'])
      .describe(
        '`pending` waits for stock, for the seller or for the dynamic address. `failed` waits for the seller.',
      ),
    keys: z
      .array(z.string())
      .describe(
        'The keys, the oldest of the stock first: at most 1,000 of a delivery, and 10,000 of an order.',
      ),
    keys_count: z
      .int()
      .describe(
        'How many keys there are. `GET /orders/{id}/deliveries/{delivery_id}/keys` lists all.',
      ),
    files: z
      .array(
        z.object({
          id: z.int().describe('The file.'),
          name: z.string().describe('Its name.'),
          size_bytes: z.int().describe('Its size.'),
          url: z.string().describe('A signed address, good for 15 minutes.'),
          url_expires_at: DateTime.describe('Until when.'),
        }),
      )
      .describe(
        'Files to download, in their current version; none if the delivery was replaced or revoked.',
      ),
    text: z.string().nullable().describe('The text that was delivered.'),
    error: z.string().nullable().describe('Why it failed.'),
    attempts: z.int().describe('How often it was tried.'),
    delivered_at: DateTime.nullable().describe('When it was handed over.'),
    created_at: DateTime.describe('When it was due.'),
  })
  .meta({ id: 'Delivery', description: 'A delivery of goods to the customer.' })
export type Delivery = z.output<typeof Delivery>

const DELIVERED_TEXT_MAX = 64 * 1024

export const NewDelivery = z
  .strictObject({
    order_item_id: z.int().positive().describe('The line that is delivered.'),
    text: Text(DELIVERED_TEXT_MAX)
      .optional()
      .describe(
        'The text to deliver. If absent: keys from stock, the files of the product, or a new call of the dynamic address.',
      ),
  })
  .meta({ id: 'NewDelivery' })
export type NewDelivery = z.output<typeof NewDelivery>
