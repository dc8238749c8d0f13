import { z } from 'zod'

/** `data.object` of the events, by family. Amounts are decimals in major units. */

const Amount = (name: string) => z.number().describe(`${name}, in major units.`)
const Moment = (description: string) => z.iso.datetime({ precision: 3 }).describe(description)

const OrderFields = {
  object: z.literal('order').describe('Always `order`.'),
  id: z.string().describe('The order id.'),
  number: z.int().describe('The number of the order in the store.'),
  status: z.string().describe('The status of the order.'),
  currency: z.string().describe('The ISO 4217 code of the currency.'),
  total: Amount('The total of the order'),
  paid_amount: Amount('The amount paid'),
  refunded_amount: Amount('The amount refunded'),
  customer: z
    .object({
      email: z.string().describe('The email address, in lower case.'),
      country: z.string().nullable().describe('The ISO 3166-1 alpha-2 code of the country.'),
    })
    .describe('The customer.'),
  items: z
    .array(
      z.object({
        product_id: z.string().describe('The product hash.'),
        variant_id: z.int().describe('The id of the variant.'),
        name: z.string().describe('The name of the product when it was bought.'),
        variant_name: z.string().describe('The name of the variant when it was bought.'),
        sku: z.string().nullable().describe('The SKU of the variant when it was bought.'),
        bundle: z
          .object({
            product_id: z.string().describe('The product hash of the bundle.'),
            name: z.string().describe('The name of the bundle when it was bought.'),
          })
          .nullable()
          .describe('The bundle that the item belongs to; null if it was bought itself.'),
        quantity: z.int().describe('The number of units.'),
        unit_price: Amount('The price of one unit'),
        total: Amount('The price of all units of the item'),
      }),
    )
    .describe('The items of the order.'),
  custom_fields: z
    .record(z.string(), z.string())
    .describe("The customer's answers to the custom fields of the product."),
  paid_at: Moment('The time when the order was fully paid.').nullable(),
}

export const OrderObject = z.object(OrderFields)

export const CompletedOrderObject = z.object({
  ...OrderFields,
  deliveries: z
    .array(
      z.object({
        order_item_id: z.int().describe('The id of the delivered order item.'),
        product_id: z.string().describe('The product hash.'),
        variant_id: z.int().describe('The id of the variant.'),
        type: z.string().describe('The delivery type.'),
        keys: z
          .array(z.string())
          .describe('The delivered keys: at most 1,000 here, and 10,000 for the order.'),
        keys_count: z.int().describe('The number of delivered keys.'),
        files: z
          .array(
            z.object({
              id: z.int().describe('The file id.'),
              name: z.string().describe('The file name.'),
              size_bytes: z.int().describe('The size in bytes.'),
              url: z.string().describe('A signed URL, valid for 15 minutes after the event.'),
              url_expires_at: z.string().describe('The time when the URL expires.'),
            }),
          )
          .describe('The delivered files.'),
        text: z.string().nullable().describe('The delivered text.'),
      }),
    )
    .describe('The deliveries of the order.'),
})

export const PartiallyPaidOrderObject = z.object({
  ...OrderFields,
  remaining_amount: Amount('The amount that is not paid yet'),
})

export const ReviewedOrderObject = z.object({
  ...OrderFields,
  payment: z
    .object({
      id: z.int().describe('The payment id.'),
      amount: Amount('The amount of the payment'),
      reference: z.string().nullable().describe('A reference, such as the number of a transfer.'),
    })
    .describe('The payment that waits for review.'),
})

export const CancelledOrderObject = z.object({
  ...OrderFields,
  reason: z.string().nullable().describe('The reason, if one was entered.'),
})

export const RefundedOrderObject = z.object({
  ...OrderFields,
  refund: z
    .object({
      id: z.int().describe('The refund id.'),
      amount: Amount('The amount refunded'),
      reason: z.string().describe('The reason of the refund.'),
      note: z.string().nullable().describe("The seller's note."),
      return_id: z
        .int()
        .nullable()
        .describe('The id of the return that was refunded; null for any other refund.'),
      items: z
        .array(
          z.object({
            product_id: z.string().describe('The product hash.'),
            variant_id: z.int().describe('The id of the variant.'),
            quantity: z.int().describe('The number of refunded units.'),
            amount: Amount('The part of the refund for these units'),
          }),
        )
        .describe(
          'The refunded items, whose amounts add up to the amount. Empty for a refund that names no items.',
        ),
    })
    .describe('The recorded refund.'),
})

const ProductFields = {
  object: z.literal('product').describe('Always `product`.'),
  id: z.string().describe('The product hash.'),
  name: z.string().describe('The name of the product.'),
  slug: z.string().describe('The name of the product in URLs.'),
  status: z.string().describe('The status of the product.'),
  stock: z.int().nullable().describe('Units that can be sold; null if unlimited.'),
}

export const ProductObject = z.object(ProductFields)

export const RestockedProductObject = z.object({
  ...ProductFields,
  added: z.int().describe('The number of units added.'),
})

const NamedProduct = z.object({
  id: z.string().describe('The product hash.'),
  name: z.string().describe('The name of the product.'),
})

export const ReviewObject = z.object({
  object: z.literal('review').describe('Always `review`.'),
  id: z.int().describe('The review id.'),
  order_id: z.string().describe('The order id.'),
  product: NamedProduct.describe('The reviewed product.'),
  rating: z.int().describe('The rating, from 1 to 5.'),
  message: z.string().nullable().describe('The text of the review.'),
  automatic: z
    .boolean()
    .describe('True if the review was created automatically because the customer wrote none.'),
  created_at: Moment('The time when the review was created.'),
})

const QuestionFields = {
  object: z.literal('question').describe('Always `question`.'),
  id: z.int().describe('The question id.'),
  product: NamedProduct.describe('The product of the question.'),
  body: z.string().describe('The text of the question.'),
  customer: z
    .object({
      email: z.string().describe('The email address, in lower case.'),
      name: z.string().nullable().describe('The name, as it was entered.'),
    })
    .describe('The customer who asks.'),
  created_at: Moment('The time of the question.'),
}

export const QuestionObject = z.object(QuestionFields)

export const AnsweredQuestionObject = z.object({
  ...QuestionFields,
  answer: z
    .object({
      id: z.int().describe('The answer id.'),
      body: z.string().describe('The text of the answer.'),
      first: z.boolean().describe('True for the first answer.'),
      created_at: Moment('The time of the answer.'),
    })
    .describe('The answer.'),
})

export const CustomerObject = z.object({
  object: z.literal('customer').describe('Always `customer`.'),
  id: z.int().describe('The customer id.'),
  email: z.string().describe('The email address, in lower case.'),
  name: z.string().nullable().describe('The name, as it was entered.'),
  country: z.string().nullable().describe('The ISO 3166-1 alpha-2 code of the country.'),
  created_at: Moment('The time when the customer was added.'),
})

export const WithdrawalObject = z.object({
  object: z.literal('withdrawal').describe('Always `withdrawal`.'),
  id: z.int().describe('The withdrawal id.'),
  amount: Amount('The amount withdrawn'),
  fee: Amount('The fee of the withdrawal'),
  net_amount: Amount('The amount received'),
  currency: z.string().describe('The ISO 4217 code of the currency.'),
  method: z.string().describe('The method of the withdrawal.'),
  address: z.string().describe('The destination of the withdrawal.'),
  reference: z.string().nullable().describe('A reference, such as the number of a transfer.'),
  completed_at: Moment('The time when the withdrawal was sent.'),
})

export const PartnerObject = z.object({
  object: z.literal('affiliate_partner').describe('Always `affiliate_partner`.'),
  id: z.string().describe('The partner id.'),
  email: z.string().describe('The email address, in lower case.'),
  name: z.string().nullable().describe('The name, as it was entered.'),
  status: z.string().describe('The status of the partner.'),
  created_at: Moment('The time when the partner applied.'),
})

const NamedPartner = z.object({
  id: z.string().describe('The partner id.'),
  email: z.string().describe('The email address, in lower case.'),
  name: z.string().nullable().describe('The name, as it was entered.'),
})

export const ConversionObject = z.object({
  object: z.literal('affiliate_conversion').describe('Always `affiliate_conversion`.'),
  invoice_id: z.string().describe('The order id.'),
  partner: NamedPartner.describe('The partner who earns the commission.'),
  link_code: z.string().describe('The code of the link or coupon that led to the order.'),
  source: z.string().describe('The source of the attribution: `link`, `coupon` or `manual`.'),
  status: z.string().describe('The status of the conversion: `valid`, `flagged` or `rejected`.'),
  flags: z.array(z.string()).describe('Signs that the conversion may be invalid.'),
  order_total: Amount('The total of the order'),
  order_currency: z.string().describe('The ISO 4217 code of the currency.'),
  commission: Amount('The commission of the partner'),
  commission_currency: z.string().describe('The ISO 4217 code of the currency.'),
  available_at: Moment('The time from which the commission can be paid out.').nullable(),
})

export const PayoutObject = z.object({
  object: z.literal('affiliate_payout').describe('Always `affiliate_payout`.'),
  id: z.int().describe('The payout id.'),
  partner: NamedPartner.describe('The partner who is paid.'),
  amount: Amount('The amount of the payout'),
  currency: z.string().describe('The ISO 4217 code of the currency.'),
  status: z.string().describe('The status.'),
  method: z.string().nullable().describe('The method of the payout; null if none was entered.'),
  reference: z.string().nullable().describe('A reference, such as the number of a transfer.'),
  requested_at: Moment('The time of the request.'),
  sent_at: Moment('The time when the payout was sent.').nullable(),
})
