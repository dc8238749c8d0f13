import { z } from 'zod'
import { Country, Email, TypedCode } from '../../../kernel/shapes.ts'
import { Items } from '../products/index.ts'
import { Region } from '../shipping/index.ts'

export const NewQuote = z
  .strictObject({
    country: Country.describe('The country of the destination, as an ISO 3166-1 alpha-2 code.'),
    region: Region.nullable()
      .default(null)
      .describe('The state or province of the destination. Case is ignored.'),
    items: Items.describe('The items to ship, 1 to 50 lines.'),
    coupon_code: TypedCode(64)
      .optional()
      .describe(
        'The code of a coupon to apply. Its discount can change the prices that depend on the order total. No use is counted. Default: none.',
      ),
    customer_email: Email.optional().describe(
      'The email address of the buyer. Default: none; the limits of the coupon for each customer are then not checked.',
    ),
  })
  .meta({ id: 'ShippingQuoteInput' })
export type NewQuote = z.output<typeof NewQuote>
