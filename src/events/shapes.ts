import { z } from 'zod'

/** `data.object` of the events, by family. Amounts are decimals in major units. */

const Amount = (what: string) => z.number().describe(`${what}, in major units.`)
const Moment = (what: string) => z.iso.datetime({ precision: 3 }).describe(what)

const OrderFields = {
  object: z.literal('order').describe('Always `order`.'),
  id: z.string().describe('The order.'),
  number: z.int().describe('Its number in the store.'),
  status: z.string().describe('Where it stands.'),
  currency: z.string().describe('ISO 4217.'),
  total: Amount('What it costs'),
  paid_amount: Amount('What was paid'),
  refunded_amount: Amount('What was given back'),
  customer: z
    .object({
      email: z.string().describe('In lower case.'),
      country: z.string().nullable().describe('ISO 3166-1 alpha-2.'),
    })
    .describe('Who bought.'),
  items: z
    .array(
      z.object({
        product_id: z.string().describe('The product hash.'),
        name: z.string().describe('The name of the product when it was bought.'),
        quantity: z.int().describe('Units.'),
        unit_price: Amount('The price of one'),
        total: Amount('The price of the line'),
      }),
    )
    .describe('The lines.'),
  paid_at: Moment('When it was paid in full.').nullable(),
}

export const OrderObject = z.object(OrderFields)

export const CompletedOrderObject = z.object({
  ...OrderFields,
  deliveries: z
    .array(
      z.object({
        product_id: z.string().describe('The product hash.'),
        type: z.string().describe('The delivery type.'),
        keys: z
          .array(z.string())
          .describe('The keys that were handed over: at most 1,000, and 10,000 of the order.'),
        keys_count: z.int().describe('How many keys were handed over.'),
        files: z
          .array(
            z.object({
              id: z.int().describe('The file.'),
              name: z.string().describe('Its name.'),
              size_bytes: z.int().describe('Its size.'),
              url: z.string().describe('A signed address, good for 15 minutes from the event on.'),
              url_expires_at: z.string().describe('Until when.'),
            }),
          )
          .describe('The files that were handed over.'),
        text: z.string().nullable().describe('What was handed over as text.'),
      }),
    )
    .describe('What was handed over.'),
})

export const PartiallyPaidOrderObject = z.object({
  ...OrderFields,
  remaining_amount: Amount('What is still owed'),
})

export const ReviewedOrderObject = z.object({
  ...OrderFields,
  payment: z
    .object({
      id: z.int().describe('The payment.'),
      amount: Amount('What it brings'),
      reference: z.string().nullable().describe('Such as the number of a transfer.'),
    })
    .describe('What waits for review.'),
})

export const CancelledOrderObject = z.object({
  ...OrderFields,
  reason: z.string().nullable().describe('Why, where somebody said so.'),
})

export const RefundedOrderObject = z.object({
  ...OrderFields,
  refund: z
    .object({
      id: z.int().describe('The refund.'),
      amount: Amount('What was given back'),
      reason: z.string().describe('Why.'),
    })
    .describe('The refund that was recorded.'),
})

const ProductFields = {
  object: z.literal('product').describe('Always `product`.'),
  id: z.string().describe('The product hash.'),
  name: z.string().describe('Its name.'),
  slug: z.string().describe('Its name in addresses.'),
  status: z.string().describe('Whether it is sold.'),
  stock: z.int().nullable().describe('Units that can be sold; null where there is no end.'),
}

export const ProductObject = z.object(ProductFields)

export const RestockedProductObject = z.object({
  ...ProductFields,
  added: z.int().describe('Units that were added.'),
})

const NamedProduct = z.object({
  id: z.string().describe('The product hash.'),
  name: z.string().describe('Its name.'),
})

export const ReviewObject = z.object({
  object: z.literal('review').describe('Always `review`.'),
  id: z.int().describe('The review.'),
  order_id: z.string().describe('The order.'),
  product: NamedProduct.describe('What is reviewed.'),
  rating: z.int().describe('1 to 5.'),
  message: z.string().nullable().describe('What the customer says.'),
  automatic: z.boolean().describe('Whether it was made because none came.'),
  created_at: Moment('When it was made.'),
})

const QuestionFields = {
  object: z.literal('question').describe('Always `question`.'),
  id: z.int().describe('The question.'),
  product: NamedProduct.describe('What is asked about.'),
  body: z.string().describe('The question.'),
  customer: z
    .object({
      email: z.string().describe('In lower case.'),
      name: z.string().nullable().describe('As given.'),
    })
    .describe('Who asks.'),
  created_at: Moment('When it was asked.'),
}

export const QuestionObject = z.object(QuestionFields)

export const AnsweredQuestionObject = z.object({
  ...QuestionFields,
  answer: z
    .object({
      id: z.int().describe('The answer.'),
      body: z.string().describe('What the team says.'),
      first: z.boolean().describe('Whether it is the first answer.'),
      created_at: Moment('When it was given.'),
    })
    .describe('The answer.'),
})

export const CustomerObject = z.object({
  object: z.literal('customer').describe('Always `customer`.'),
  id: z.int().describe('The customer.'),
  email: z.string().describe('In lower case.'),
  name: z.string().nullable().describe('As given.'),
  country: z.string().nullable().describe('ISO 3166-1 alpha-2.'),
  created_at: Moment('When the customer was added.'),
})

export const WithdrawalObject = z.object({
  object: z.literal('withdrawal').describe('Always `withdrawal`.'),
  id: z.int().describe('The withdrawal.'),
  amount: Amount('What was taken out'),
  fee: Amount('What it cost'),
  net_amount: Amount('What arrived'),
  currency: z.string().describe('ISO 4217.'),
  method: z.string().describe('How it was sent.'),
  address: z.string().describe('Where it was sent.'),
  reference: z.string().nullable().describe('Such as the number of a transfer.'),
  completed_at: Moment('When it was sent.'),
})

export const PartnerObject = z.object({
  object: z.literal('affiliate_partner').describe('Always `affiliate_partner`.'),
  id: z.string().describe('The partner.'),
  email: z.string().describe('In lower case.'),
  name: z.string().nullable().describe('As given.'),
  status: z.string().describe('Whether the partner may earn.'),
  created_at: Moment('When the partner applied.'),
})

const NamedPartner = z.object({
  id: z.string().describe('The partner.'),
  email: z.string().describe('In lower case.'),
  name: z.string().nullable().describe('As given.'),
})

export const ConversionObject = z.object({
  object: z.literal('affiliate_conversion').describe('Always `affiliate_conversion`.'),
  invoice_id: z.string().describe('The order.'),
  partner: NamedPartner.describe('Who earns.'),
  link_code: z.string().describe('What led to the order.'),
  source: z.string().describe('`link`, `coupon` or `manual`.'),
  status: z.string().describe('`valid`, `flagged` or `rejected`.'),
  flags: z.array(z.string()).describe('What is odd about it.'),
  order_total: Amount('What the order cost'),
  order_currency: z.string().describe('ISO 4217.'),
  commission: Amount('What the partner earns'),
  commission_currency: z.string().describe('ISO 4217.'),
  available_at: Moment('When it can be paid out.').nullable(),
})

export const PayoutObject = z.object({
  object: z.literal('affiliate_payout').describe('Always `affiliate_payout`.'),
  id: z.int().describe('The payout.'),
  partner: NamedPartner.describe('Who is paid.'),
  amount: Amount('What is paid'),
  currency: z.string().describe('ISO 4217.'),
  status: z.string().describe('Where it stands.'),
  method: z.string().describe('How it is paid.'),
  reference: z.string().nullable().describe('Such as the number of a transfer.'),
  requested_at: Moment('When it was asked for.'),
  sent_at: Moment('When it was sent.').nullable(),
})
