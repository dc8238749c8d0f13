import { z } from 'zod'
import { isErasedEmail } from '../../../kernel/erased-email.ts'
import {
  Country,
  DateTime,
  Email,
  HttpUrl,
  Line,
  Metadata,
  OneOrMoreOf,
  PageQuery,
  PathId,
  ProductRef,
  QueryTime,
  Text,
} from '../../../kernel/shapes.ts'
import { Items, METHODS } from '../products/index.ts'
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
export type Status = (typeof STATUSES)[number]

const REFUND_STATUSES = ['none', 'partial', 'full'] as const
const FULFILLMENT_STATUSES = ['not_required', 'unfulfilled', 'partial', 'fulfilled'] as const
export type FulfillmentStatus = (typeof FULFILLMENT_STATUSES)[number]
const SOURCES = ['storefront', 'api', 'embed'] as const
const PAYMENT_METHODS = ['manual', 'crypto', 'card', 'paypal', 'balance', 'test', 'free'] as const

const AddressFields = {
  name: Line(128).describe('The name of the recipient.'),
  line1: Line(255).describe('Street and number.'),
  line2: Line(255).nullable().describe('Flat, floor or company.'),
  city: Line(128).describe('Town or city.'),
  region: Line(128).nullable().describe('State or province.'),
  postal_code: Line(32).nullable().describe('ZIP or postal code.'),
  country: Country.describe('ISO 3166-1 alpha-2.'),
  phone: Line(32).nullable().describe('For the carrier.'),
}
export const Address = z
  .object(AddressFields)
  .meta({ id: 'Address', description: 'A postal address.' })
export type Address = z.output<typeof Address>

export const NewAddress = z
  .strictObject({
    ...AddressFields,
    line2: AddressFields.line2.default(null),
    region: AddressFields.region.default(null),
    postal_code: AddressFields.postal_code.default(null),
    phone: AddressFields.phone.default(null),
  })
  .meta({ id: 'NewAddress', description: 'A postal address to store.' })

export const Explanation = z
  .object({
    lines: z
      .array(
        z.object({
          label: z.string().describe('The name of the item, discount or charge.'),
          amount_cents: z
            .int()
            .describe('The amount that the line adds to the total; below 0 for a discount.'),
          rule: z.string().describe('How the amount came about.'),
        }),
      )
      .describe('The lines; they add up to the total.'),
    total_cents: z.int().describe('`total_cents` of the order.'),
  })
  .meta({ id: 'Explanation', description: 'How the total of an order came about.' })
export type Explanation = z.output<typeof Explanation>

export const OrderItem = z
  .object({
    id: z.int().describe('The id of the line.'),
    product_id: z.string().describe('The product hash.'),
    variant_id: z.int().describe('The variant.'),
    name: z.string().describe('The name of the product when it was bought.'),
    variant_name: z.string().describe('The name of the variant when it was bought.'),
    sku: z.string().nullable().describe("The seller's number when it was bought."),
    delivery_type: z.string().describe('The kind of delivery.'),
    quantity: z.int().describe('Units.'),
    unit_price_cents: z.int().describe('Minor units, after the discount of product or variant.'),
    discount_cents: z.int().describe("The line's share of a coupon."),
    total_cents: z.int().describe('Units times price, less the share of a coupon.'),
  })
  .meta({ id: 'OrderItem', description: 'A line of an order.' })

const OrderFields = {
  id: z.string().describe('The id of the order; other records name it `invoice_id`.'),
  object: z.literal('order').describe('Always `order`.'),
  number: z.int().describe('For people; counts up in the store, with gaps.'),
  status: z.enum(STATUSES).describe('The status of the order.'),
  refund_status: z.enum(REFUND_STATUSES).describe('How much was refunded.'),
  fulfillment_status: z.enum(FULFILLMENT_STATUSES).describe('How much was shipped.'),
  source: z.enum(SOURCES).describe('The channel in which the order was created.'),
  currency: z.string().describe('ISO 4217.'),
  subtotal_cents: z.int().describe('The sum of the lines before any coupon.'),
  discount_cents: z.int().describe('The discount of the coupon.'),
  shipping_cents: z.int().describe('The price of shipping.'),
  total_cents: z.int().describe('Subtotal, less discount, plus shipping.'),
  paid_cents: z.int().describe('The sum of accepted payments; it may exceed the total.'),
  refunded_cents: z.int().describe('The sum of refunds.'),
  payment_method: z.string().nullable().describe('How it is paid; null until that is known.'),
  customer: z
    .object({
      id: z.int().describe('The customer.'),
      email: z.string().describe('In lower case.'),
      name: z.string().nullable().describe('As given with the order.'),
      country: z.string().nullable().describe('ISO 3166-1 alpha-2.'),
    })
    .describe('The buyer.'),
  items: z.array(OrderItem).describe('The lines, as they were sent.'),
  coupon: z
    .object({
      code: z.string().describe('The code that was used.'),
      type: z.string().describe('`percentage` or `fixed`.'),
      discount_cents: z.int().describe('The discount.'),
    })
    .nullable()
    .describe('The coupon that was used.'),
  affiliate: z
    .object({
      partner_id: z.string().describe('The id of the partner who earns a commission.'),
      link_code: z.string().describe('The link or coupon that led here.'),
    })
    .nullable()
    .describe('The partner who referred the customer.'),
  shipping_address: Address.nullable().describe('The address that the order is shipped to.'),
  shipping: z
    .object({
      zone_id: z.int().describe('The shipping zone.'),
      rate_id: z.int().describe('The shipping rate.'),
      name: z.string().describe('The name of the rate.'),
      carrier_code: z.string().describe('The code of the carrier.'),
      min_days: z.int().nullable().describe('Earliest arrival.'),
      max_days: z.int().nullable().describe('Latest arrival.'),
    })
    .nullable()
    .describe('How it goes.'),
  custom_fields: z
    .record(z.string(), z.string())
    .describe('The answers of the customer to the fields of the product.'),
  metadata: z.record(z.string(), z.string()).describe("The caller's notes."),
  note: z.string().nullable().describe('Seen by the seller only.'),
  ip: z.string().nullable().describe("The customer's address."),
  user_agent: z.string().nullable().describe("The customer's browser."),
  expires_at: DateTime.nullable().describe('When it expires unless it is paid.'),
  paid_at: DateTime.nullable().describe('When it was paid in full.'),
  completed_at: DateTime.nullable().describe('When everything was delivered.'),
  cancelled_at: DateTime.nullable().describe('When it was cancelled.'),
  created_at: DateTime.describe('When it was created.'),
  updated_at: DateTime.describe('When it was last changed.'),
}

/** An order in a list: with its items, without its history (decision 29). */
export const ListedOrder = z
  .object(OrderFields)
  .meta({ id: 'ListedOrder', description: 'An order with its items.' })
export type ListedOrder = z.output<typeof ListedOrder>

export const Order = z
  .object({
    ...OrderFields,
    payments: z.array(Payment).describe('The payments.'),
    refunds: z.array(Refund).describe('The refunds.'),
    deliveries: z.array(Delivery).describe('The deliveries.'),
    status_history: z
      .array(
        z.object({
          status: z.string().describe('The status it took.'),
          at: DateTime.describe('When.'),
          reason: z.string().nullable().describe('The reason, if one was sent.'),
        }),
      )
      .describe('Every status it had, the oldest first.'),
  })
  .meta({ id: 'Order', description: 'The order, with all that happened to it.' })
export type Order = z.output<typeof Order>

/** An order with the fields that no answer shows. */
export type StoredOrder = Order & {
  /** `first` starts subscriptions, `renewal` renews one; null for other orders. */
  recurring: 'first' | 'renewal' | null
}

/** Refuses the address that replaces that of an erased customer, so that no order joins the erased record. */
const BuyerEmail = Email.refine(
  (email) => !isErasedEmail(email),
  "Use the buyer's own address; this one replaces that of an erased customer.",
).meta({ openapi: { type: 'string', format: 'email', maxLength: 254 } })

export const NewOrder = z
  .strictObject({
    items: Items.describe('The items, 1 to 50 lines.'),
    customer: z
      .strictObject({
        email: BuyerEmail.describe('Kept in lower case; a new one makes a customer.'),
        name: Line(128).nullish().describe('The name to address.'),
        country: Country.nullish().describe('ISO 3166-1 alpha-2.'),
      })
      .describe('The buyer.'),
    payment_method: z
      .enum(METHODS)
      .optional()
      .describe(
        'Has to be connected to the store and enabled for every product, unless `mark_paid`; `details.allowed` of a refusal names those that are.',
      ),
    coupon_code: Line(64).optional().describe('A coupon to apply.'),
    affiliate_code: Line(32)
      .optional()
      .describe('The link that led here; an unknown one is ignored.'),
    shipping_address: NewAddress.nullish().describe('Needed for physical products.'),
    shipping_rate_id: z.int().positive().optional().describe('Needed for physical products.'),
    custom_fields: Metadata.optional().describe(
      'The answers of the customer to the fields of the product.',
    ),
    metadata: Metadata.optional().describe('Notes of your own.'),
    ip: z
      .union([z.ipv4(), z.ipv6()], 'Use an IPv4 or IPv6 address.')
      .nullish()
      .describe("The customer's address."),
    user_agent: Line(512).nullish().describe("The customer's browser."),
    source: z
      .enum(['api', 'embed'])
      .default('api')
      .describe('The channel in which the order is created.'),
    return_url: HttpUrl.optional().describe('The URL to which the customer returns after paying.'),
    mark_paid: z
      .boolean()
      .default(false)
      .describe('Records a manual payment of the whole total at once.'),
  })
  .meta({ id: 'NewOrder' })
export type NewOrder = z.output<typeof NewOrder>

export const OrderPatch = z
  .strictObject({
    note: Text(5_000).nullable().describe('For the seller; null clears.'),
    metadata: Metadata.describe('Notes of your own; replaces all that were there.'),
    customer_email: BuyerEmail.describe(
      'The buyer; can be changed while the order is unpaid. A new address creates a customer.',
    ),
    shipping_address: NewAddress.nullable().describe(
      'The shipping address; can be changed while the order is unpaid, within the zone of its shipping rate.',
    ),
  })
  .partial()
  .meta({ id: 'OrderPatch' })
export type OrderPatch = z.output<typeof OrderPatch>

const SORTS = ['created_at', 'paid_at', 'total_cents'] as const

export const OrderQuery = z.object({
  ...PageQuery,
  status: OneOrMoreOf(STATUSES).describe('One or several statuses.'),
  refund_status: OneOrMoreOf(REFUND_STATUSES).describe('`none`, `partial`, `full`.'),
  fulfillment_status: OneOrMoreOf(FULFILLMENT_STATUSES).describe('How much was shipped.'),
  email: Email.optional().describe("The customer's address, whole."),
  customer_id: PathId.optional().describe('The customer.'),
  product_id: ProductRef.optional(),
  coupon_code: Line(64).optional().describe('The coupon, without case.'),
  payment_method: OneOrMoreOf(PAYMENT_METHODS).describe('How it is paid.'),
  source: OneOrMoreOf(SOURCES).describe('`storefront`, `api`, `embed`.'),
  created_from: QueryTime.optional().describe('Made at this moment or later.'),
  created_to: QueryTime.optional().describe('Made before this moment.'),
  paid_from: QueryTime.optional().describe('Paid at this moment or later.'),
  paid_to: QueryTime.optional().describe('Paid before this moment.'),
  search: z
    .string()
    .max(200)
    .optional()
    .describe('Part of the id, number or email, without case; or a whole stock key.'),
  sort: z
    .enum(SORTS.flatMap((name) => [name, `-${name}`] as const))
    .default('-created_at')
    .describe('A field, with `-` for falling order; ties by id.'),
})
export type OrderQuery = z.output<typeof OrderQuery>

export const OrderPath = z.object({
  id: z
    .string()
    .regex(/^ord_[0-9A-Za-z]{22}$/, 'Use the id of an order: ord_ and 22 letters or digits.')
    .describe('The order.'),
})
