import { z } from 'zod'
import { DateTime, Email, Text } from '../../../kernel/shapes.ts'

export const Delivery = z
  .object({
    id: z.int().describe('The id of the delivery.'),
    object: z.literal('delivery').describe('Always `delivery`.'),
    order_id: z.string().describe('The id of the order.'),
    order_item_id: z.int().describe('The id of the delivered order line.'),
    product_id: z.string().describe('The product hash.'),
    variant_id: z.int().describe('The id of the variant.'),
    type: z.string().describe('The delivery type of the variant.'),
    status: z
      .enum(['pending', 'delivered', 'failed', 'replaced', 'revoked'])
      .describe(
        'A `pending` delivery waits for stock, for the seller or for the dynamic address. A `failed` one has to be delivered by the seller.',
      ),
    keys: z
      .array(z.string())
      .describe(
        'The delivered keys, the oldest first. An order shows at most 1,000 keys of a delivery, and 10,000 in all.',
      ),
    keys_count: z
      .int()
      .describe(
        'The number of keys of the delivery. `GET /orders/{id}/deliveries/{delivery_id}/keys` lists all of them.',
      ),
    files: z
      .array(
        z.object({
          id: z.int().describe('The id of the file.'),
          name: z.string().describe('The file name.'),
          size_bytes: z.int().describe('The size in bytes.'),
          url: z.string().describe('A signed URL for the download, valid for 15 minutes.'),
          url_expires_at: DateTime.describe('The time at which the URL expires.'),
        }),
      )
      .describe(
        'The files to download, in their current version. Empty if the delivery was replaced or revoked.',
      ),
    text: z.string().nullable().describe('The delivered text.'),
    error: z.string().nullable().describe('The error of the last failed attempt.'),
    attempts: z.int().describe('The number of attempts.'),
    delivered_at: DateTime.nullable().describe('The time of the delivery.'),
    created_at: DateTime.describe(
      'The time at which the order was paid or the keys were replaced.',
    ),
  })
  .meta({ id: 'Delivery', description: 'A delivery of goods to the customer.' })
export type Delivery = z.output<typeof Delivery>

const DELIVERED_TEXT_MAX = 64 * 1024

export const DeliveryResend = z
  .strictObject({
    to: Email.optional().describe(
      'An address to use once. It is not stored with the order or the customer. Default: the address of the customer.',
    ),
  })
  .meta({ id: 'DeliveryResend', description: 'The address of a mail with deliveries.' })
export type DeliveryResend = z.output<typeof DeliveryResend>

const KEY_MAX = 10_000

export const DeliveryReplacement = z
  .strictObject({
    key: Text(KEY_MAX)
      .optional()
      .describe('The one key of the delivery to replace. Default: all of its keys.'),
    reason: Text(500)
      .optional()
      .describe('The reason, for the audit trail. The customer does not see it. Default: none.'),
  })
  .meta({ id: 'DeliveryReplacement', description: 'The key to replace, and the reason.' })
export type DeliveryReplacement = z.output<typeof DeliveryReplacement>

export const NewDelivery = z
  .strictObject({
    order_item_id: z.int().positive().describe('The id of the order line to deliver.'),
    text: Text(DELIVERED_TEXT_MAX)
      .optional()
      .describe(
        'The text to deliver. Default: keys from stock, license keys or the files of the product are delivered, or the dynamic address is called again.',
      ),
  })
  .meta({ id: 'DeliveryInput' })
export type NewDelivery = z.output<typeof NewDelivery>
