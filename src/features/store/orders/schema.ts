import { z } from 'zod'
import { isErasedEmail } from '../../../kernel/erased-email.ts'
import { LANGUAGES } from '../../../kernel/language.ts'
import { METHODS } from '../../../kernel/payment-methods.ts'
import { ReturnUrl } from '../../../kernel/return-url.ts'
import {
  Country,
  DateTime,
  Email,
  Line,
  Metadata,
  Text,
  TypedCode,
} from '../../../kernel/shapes.ts'
import { Items } from '../products/index.ts'
import { Delivery } from './delivery-schema.ts'
import { Payment, Refund } from './payment-schema.ts'

export const STATUSES = [
  'pending',
  'partially_paid',
  'manual_review',
  'paid',
  'completed',
  'expired',
  'cancelled',
  'refunded',
] as const
export type OrderStatus = (typeof STATUSES)[number]

export const REFUND_STATUSES = ['none', 'partial', 'full'] as const
export const FULFILLMENT_STATUSES = ['not_required', 'unfulfilled', 'partial', 'fulfilled'] as const
export type FulfillmentStatus = (typeof FULFILLMENT_STATUSES)[number]
export const SOURCES = ['storefront', 'api', 'embed'] as const
export const PAYMENT_METHODS = [
  'manual',
  'crypto',
  'card',
  'paypal',
  'balance',
  'test',
  'free',
] as const

const AddressFields = {
  name: Line(128).describe('The name of the recipient.'),
  line1: Line(255).describe('The street and house number.'),
  line2: Line(255).nullable().describe('The flat, floor or company.'),
  city: Line(128).describe('The town or city.'),
  region: Line(128).nullable().describe('The state or province.'),
  postal_code: Line(32).nullable().describe('The ZIP or postal code.'),
  country: Country.describe('The country, as an ISO 3166-1 alpha-2 code.'),
  phone: Line(32).nullable().describe('The phone number for the carrier.'),
}
export const Address = z
  .object(AddressFields)
  .meta({ id: 'Address', description: 'A postal address.' })

export const NewAddress = z
  .strictObject({
    ...AddressFields,
    line2: AddressFields.line2.default(null),
    region: AddressFields.region.default(null),
    postal_code: AddressFields.postal_code.default(null),
    phone: AddressFields.phone.default(null),
  })
  .meta({ id: 'AddressInput', description: 'A postal address.' })

export const OrderExplanation = z
  .object({
    lines: z
      .array(
        z.object({
          label: z.string().describe('The name of the item, discount or charge.'),
          amount_cents: z
            .int()
            .describe(
              'The amount that the line adds to the total, in minor units; negative for a discount.',
            ),
          rule: z.string().describe('The computation of the amount, in words.'),
        }),
      )
      .describe('The lines, whose sum is the total.'),
    total_cents: z.int().describe('The total of the order in minor units.'),
  })
  .meta({ id: 'Explanation', description: 'The computation of the total of an order.' })
export type OrderExplanation = z.output<typeof OrderExplanation>

const OrderItem = z
  .object({
    id: z.int().describe('The id of the line.'),
    product_id: z.string().describe('The product hash.'),
    variant_id: z.int().describe('The id of the variant.'),
    name: z.string().describe('The name of the product at the time of the order.'),
    variant_name: z.string().describe('The name of the variant at the time of the order.'),
    sku: z.string().nullable().describe('The SKU at the time of the order.'),
    delivery_type: z.string().describe('The delivery type of the variant.'),
    quantity: z.int().describe('The number of units.'),
    cancelled_quantity: z
      .int()
      .describe('The units that were refunded before their delivery, so they are not delivered.'),
    unit_price_cents: z
      .int()
      .describe(
        'The price of one unit in minor units, after the discount of the product or variant.',
      ),
    discount_cents: z.int().describe("The line's share of the coupon discount, in minor units."),
    total_cents: z
      .int()
      .describe('The quantity times the unit price, less the share of the coupon discount.'),
    bundle: z
      .object({
        product_id: z.string().describe('The product hash of the bundle.'),
        name: z.string().describe('The name of the bundle at the time of the order.'),
      })
      .nullable()
      .describe('The bundle that the line belongs to; null if the product was ordered itself.'),
  })
  .meta({ id: 'OrderItem', description: 'A line of an order.' })

/** The reasons for which an order is on hold (decision 458). */
const HOLD_REASONS = ['dispute', 'manual'] as const

const OrderFields = {
  id: z
    .string()
    .describe('The id of the order. Conversions and subscriptions call it `invoice_id`.'),
  object: z.literal('order').describe('Always `order`.'),
  number: z
    .int()
    .describe('The order number that people see. It increases within the store and may have gaps.'),
  status: z.enum(STATUSES).describe('The status of the order.'),
  refund_status: z
    .enum(REFUND_STATUSES)
    .describe('The part of the paid amount that was refunded: none, a part or all.'),
  fulfillment_status: z
    .enum(FULFILLMENT_STATUSES)
    .describe('The part of the physical units that was shipped: none, some or all.'),
  source: z.enum(SOURCES).describe('The channel in which the order was created.'),
  currency: z.string().describe('The currency, as an ISO 4217 code.'),
  subtotal_cents: z
    .int()
    .describe('The sum of the lines before the coupon discount, in minor units.'),
  discount_cents: z.int().describe('The discount of the coupon in minor units.'),
  shipping_cents: z.int().describe('The price of shipping in minor units.'),
  total_cents: z.int().describe('The subtotal, less the discount, plus shipping.'),
  paid_cents: z.int().describe('The sum of accepted payments; it may exceed the total.'),
  refunded_cents: z.int().describe('The sum of refunds.'),
  payment_method: z.string().nullable().describe('The payment method; null until it is chosen.'),
  customer: z
    .object({
      id: z.int().describe('The id of the customer.'),
      email: z.string().describe('The email address in lower case.'),
      name: z
        .string()
        .nullable()
        .describe('The name that was sent with the order, or the stored name of the customer.'),
      country: z.string().nullable().describe('The country, as an ISO 3166-1 alpha-2 code.'),
    })
    .describe('The buyer.'),
  items: z
    .array(OrderItem)
    .describe('The lines of the order. A bundle has a line for each of its contents.'),
  coupon: z
    .object({
      code: z.string().describe('The code of the coupon.'),
      type: z.string().describe('`percentage` or `fixed`.'),
      discount_cents: z.int().describe('The discount in minor units.'),
    })
    .nullable()
    .describe('The coupon of the order.'),
  affiliate: z
    .object({
      partner_id: z.string().describe('The id of the partner who earns a commission.'),
      link_code: z.string().describe('The code of the referral link, or of the coupon.'),
    })
    .nullable()
    .describe('The partner who referred the customer.'),
  shipping_address: Address.nullable().describe('The address that the order is shipped to.'),
  shipping: z
    .object({
      zone_id: z.int().describe('The id of the shipping zone.'),
      rate_id: z.int().describe('The id of the shipping rate.'),
      name: z.string().describe('The name of the rate.'),
      carrier_code: z.string().describe('The code of the carrier.'),
      min_days: z.int().nullable().describe('The shortest delivery time in days.'),
      max_days: z.int().nullable().describe('The longest delivery time in days.'),
    })
    .nullable()
    .describe('The shipping rate of the order.'),
  custom_fields: z
    .record(z.string(), z.string())
    .describe("The customer's answers to the custom fields of the product."),
  metadata: z
    .record(z.string(), z.string())
    .describe('Data that the caller stored with the order.'),
  note: z.string().nullable().describe('A note that only the seller sees.'),
  ip: z.string().nullable().describe("The customer's IP address."),
  user_agent: z.string().nullable().describe("The user agent of the customer's browser."),
  language: z.enum(LANGUAGES).describe('The language of mail to the buyer.'),
  expires_at: DateTime.nullable().describe(
    'The time at which the order expires if it is not paid.',
  ),
  hold: z
    .object({
      reason: z.enum(HOLD_REASONS).describe('`dispute` if its buyer disputes a payment.'),
      since: DateTime.describe('The time since which it is on hold.'),
    })
    .nullable()
    .describe('Null unless the order is on hold. Nothing of an order on hold is delivered.'),
  order_url: z
    .string()
    .nullable()
    .describe(
      'The page of the order for its buyer, with the receipt and the delivered goods. Null for callers who may not see those.',
    ),
  paid_at: DateTime.nullable().describe('The time at which it was paid in full.'),
  completed_at: DateTime.nullable().describe('The time at which everything was delivered.'),
  cancelled_at: DateTime.nullable().describe('The time of the cancellation.'),
  created_at: DateTime.describe('The time of creation.'),
  updated_at: DateTime.describe('The time of the last change.'),
}

/** An order as lists show it: with its items, but without its payments and history (decision 29). */
export const ListedOrder = z
  .object(OrderFields)
  .meta({ id: 'ListedOrder', description: 'An order with its items.' })
export type ListedOrder = z.output<typeof ListedOrder>

export const Order = z
  .object({
    ...OrderFields,
    payments: z.array(Payment).describe('All payments of the order.'),
    refunds: z.array(Refund).describe('All refunds of the order.'),
    deliveries: z.array(Delivery).describe('All deliveries of the order.'),
    status_history: z
      .array(
        z.object({
          status: z.string().describe('The new status.'),
          at: DateTime.describe('The time of the change.'),
          reason: z.string().nullable().describe('The reason, if one was sent.'),
        }),
      )
      .describe('The statuses that the order has had, the oldest first.'),
    mail_problem: z
      .object({
        message_id: z.int().describe('The id of the message in the outbox.'),
        at: DateTime.describe('The time of the refusal.'),
        answer: z.string().describe('The answer of the mail server.'),
      })
      .nullable()
      .describe(
        'The permanent refusal of the last mail about the order; null without one, after a later mail was sent, and after the address of the customer has changed.',
      ),
  })
  .meta({
    id: 'Order',
    description: 'An order with its payments, refunds, deliveries and history.',
  })
export type Order = z.output<typeof Order>

/** An order with fields that no answer shows. */
export type StoredOrder = Order & {
  /** `first` if the order starts subscriptions, `renewal` if it renews one; otherwise null. */
  recurring: 'first' | 'renewal' | null
  /** Counts the links to its page that were replaced. */
  link_version: number
  /** True if a user of the dashboard made the order. A renewal has the value of its first order. */
  by_user: boolean
}

/** Refuses the placeholder address of an erased customer, who would become the buyer of the order. */
const BuyerEmail = Email.refine(
  (email) => !isErasedEmail(email),
  "This address is the placeholder of an erased customer. Use the buyer's own address.",
).meta({ openapi: { type: 'string', format: 'email', maxLength: 254 } })

export const NewOrder = z
  .strictObject({
    items: Items.describe('The items, 1 to 50 lines.'),
    customer: z
      .strictObject({
        email: BuyerEmail.describe(
          'The email address. It is stored in lower case. A new address creates a customer.',
        ),
        name: Line(128)
          .nullish()
          .describe(
            'The name of the customer. Default: the stored name of a known customer, otherwise none.',
          ),
        country: Country.nullish().describe(
          'The country, as an ISO 3166-1 alpha-2 code. Default: the stored country of a known customer, otherwise none.',
        ),
      })
      .describe('The buyer.'),
    payment_method: z
      .enum(METHODS)
      .optional()
      .describe(
        'The payment method. Unless `mark_paid` is true, it must be connected to the store and enabled for every product. If it is refused, `details.allowed` lists the accepted methods. Default: none; it is chosen with the payment.',
      ),
    coupon_code: TypedCode(64).optional().describe('The code of a coupon to apply. Default: none.'),
    affiliate_code: TypedCode(32)
      .optional()
      .describe(
        'The code of the referral link through which the customer came. A code that is unknown, or whose partner is not approved, is ignored: unless the coupon has a partner, `affiliate` of the order is then null. Default: none.',
      ),
    shipping_address: NewAddress.nullish()
      .describe('The shipping address. Required for physical products.')
      .meta({ default: null }),
    shipping_rate_id: z
      .int()
      .positive()
      .optional()
      .describe('The id of a shipping rate. Required for physical products. Default: none.'),
    custom_fields: Metadata.optional()
      .meta({ default: {} })
      .describe('The answers of the customer to the fields of the product.'),
    metadata: Metadata.optional()
      .meta({ default: {} })
      .describe('Your own data to store with the order.'),
    ip: z
      .union([z.ipv4(), z.ipv6()], 'Use an IPv4 or IPv6 address.')
      .nullish()
      .meta({ default: null })
      .describe("The customer's IP address."),
    user_agent: Line(512)
      .nullish()
      .meta({ default: null })
      .describe("The user agent of the customer's browser."),
    source: z
      .enum(['api', 'embed'])
      .default('api')
      .describe('The channel in which the order is created.'),
    language: z
      .enum(LANGUAGES)
      .optional()
      .describe('The language of mail to the buyer. Default: the language of the store.'),
    return_url: ReturnUrl.optional().describe(
      'The URL to which the customer returns after paying: https, or http to localhost. Default: none; payments then return to the page of the order.',
    ),
    mark_paid: z
      .boolean()
      .default(false)
      .describe('If true, a manual payment of the whole total is recorded at once.'),
  })
  .meta({ id: 'OrderInput' })
export type NewOrder = z.output<typeof NewOrder>

export const OrderPatch = z
  .strictObject({
    note: Text(5_000).nullable().describe('A note for the seller; null removes it.'),
    metadata: Metadata.describe('Your own data. It replaces all stored metadata.'),
    customer_email: BuyerEmail.describe(
      'The email address of the buyer. It can be changed while the order is unpaid. A new address creates a customer.',
    ),
    shipping_address: NewAddress.nullable().describe(
      'The shipping address. It can be changed while the order is unpaid, within the zone of its shipping rate.',
    ),
  })
  .partial()
  .meta({ id: 'OrderPatch' })
export type OrderPatch = z.output<typeof OrderPatch>

export const NewHold = z
  .strictObject({
    reason: z.enum(HOLD_REASONS).default('manual').describe('The reason for the hold.'),
  })
  .meta({ id: 'HoldInput' })

export const OrderPath = z.object({
  id: z
    .string()
    .regex(/^ord_[0-9A-Za-z]{22}$/, 'Use the id of an order: ord_ and 22 letters or digits.')
    .describe('The id of the order.'),
})
