import { z } from 'zod'
import { list } from '../../../kernel/bounded.ts'
import { METHODS } from '../../../kernel/payment-methods.ts'
import {
  Cents,
  DateTime,
  Email,
  InputTime,
  ListQuery,
  OneOrMoreOf,
  ProductRef,
  QueryBoolean,
  Text,
  TypedCode,
  twoDecimals,
} from '../../../kernel/shapes.ts'
import { Items } from '../products/index.ts'

const TYPES = ['percentage', 'fixed'] as const

/** The reasons why a coupon cannot be used (decision 8). */
const REASONS = [
  'not_found',
  'inactive',
  'not_started',
  'expired',
  'max_uses',
  'max_uses_per_customer',
  'min_order',
  'not_applicable',
  'email_not_allowed',
] as const
export type Reason = (typeof REASONS)[number]

const USES_MAX = 1_000_000_000
const REFERENCES_MAX = 500
const EMAILS_MAX = 1_000

const DISCOUNT_RANGE = 'Use 0.01 to 100.'
const Discount = twoDecimals(z.number().gt(0, DISCOUNT_RANGE).max(100, DISCOUNT_RANGE))
const Uses = z.int().min(1, 'Use 1 or more.').max(USES_MAX, `Use at most ${USES_MAX}.`).nullable()
const RecordId = z.int('Use the id of a record.').positive('Use the id of a record.')
const listOf = <T extends z.ZodType>(item: T, max: number) =>
  list(item, { max, error: `Name at most ${max}.` })

const CouponFields = {
  code: z
    .string()
    .trim()
    .max(64, { error: 'Write at most 64 characters.', abort: true })
    .regex(/^[A-Za-z0-9_-]{1,64}$/, 'Use A to Z, 0 to 9, _ and -, at most 64.')
    .describe('The code that customers enter, unique in the store. Case is ignored.'),
  type: z
    .enum(TYPES)
    .describe('The type of the discount: a percentage of the price, or a fixed amount.'),
  discount_percent: Discount.nullable().describe(
    'The percentage of a `percentage` coupon: above 0, up to 100. Null for the other type.',
  ),
  amount_cents: Cents.min(1, 'Use 1 or more.')
    .nullable()
    .describe('The amount of a `fixed` coupon, in minor units. Null for the other type.'),
  max_uses: Uses.describe(
    'The maximum number of orders that may use the coupon; null for no limit.',
  ),
  max_uses_per_customer: Uses.describe(
    'The maximum number of orders of one customer, identified by email, that may use the coupon; null for no limit.',
  ),
  min_order_cents: Cents.nullable().describe(
    'The minimum sum of the lines to which the coupon applies, before the discount, in minor units; null for no minimum.',
  ),
  starts_at: DateTime.nullable().describe(
    'The time from which the coupon can be used; null for no start.',
  ),
  expires_at: DateTime.nullable().describe(
    'The time from which the coupon can no longer be used; null for no end.',
  ),
  product_ids: z
    .array(z.string())
    .describe('The hashes of the products to which the coupon applies.'),
  variant_ids: z.array(z.int()).describe('The ids of the variants to which the coupon applies.'),
  category_ids: z
    .array(z.int())
    .describe(
      'The ids of the categories to which the coupon applies. If all three lists are empty, it applies to all products.',
    ),
  payment_methods: z
    .array(z.enum(METHODS))
    .describe('The payment methods with which the coupon can be used; empty for all.'),
  allowed_emails: z
    .array(z.string())
    .describe('The email addresses of the customers who may use the coupon; empty for all.'),
  applies_to_renewals: z
    .boolean()
    .describe('True if the renewals of a subscription also get the discount.'),
  active: z.boolean().describe('True if the coupon can be used.'),
  affiliate_partner_id: z
    .string()
    .regex(/^par_[0-9A-Za-z]{22}$/, 'Use the id of a partner.')
    .nullable()
    .describe('The id of the partner who earns a commission on orders with the coupon.'),
  note: Text(1_000).nullable().describe('A note for the seller.'),
}

export const Coupon = z
  .object({
    id: z.int().describe('The id of the coupon.'),
    object: z.literal('coupon').describe('Always `coupon`.'),
    ...CouponFields,
    uses: z
      .int()
      .describe('The number of orders that use the coupon, without expired and cancelled ones.'),
    created_at: DateTime.describe('The time of creation.'),
    updated_at: DateTime.describe('The time of the last change.'),
  })
  .meta({ id: 'Coupon', description: 'A code for a discount.' })
export type Coupon = z.output<typeof Coupon>

const RequestFields = {
  ...CouponFields,
  starts_at: InputTime.nullable().describe(
    'The time from which the coupon can be used; null for no start.',
  ),
  expires_at: InputTime.nullable().describe(
    'The time from which the coupon can no longer be used; null for no end.',
  ),
  product_ids: listOf(ProductRef, REFERENCES_MAX).describe(
    'The ids of the products to which the coupon applies.',
  ),
  variant_ids: listOf(RecordId, REFERENCES_MAX).describe(
    'The ids of the variants to which the coupon applies.',
  ),
  category_ids: listOf(RecordId, REFERENCES_MAX).describe(
    'The ids of the categories to which the coupon applies. If all three lists are empty, it applies to all products.',
  ),
  payment_methods: listOf(z.enum(METHODS), METHODS.length).describe(
    'The payment methods with which the coupon can be used; empty for all.',
  ),
  allowed_emails: listOf(Email, EMAILS_MAX).describe(
    'The email addresses of the customers who may use the coupon; empty for all.',
  ),
}

export const NewCoupon = z
  .strictObject({
    ...RequestFields,
    code: RequestFields.code
      .optional()
      .describe('The code, which the customer types. Default: a generated code.'),
    discount_percent: RequestFields.discount_percent.default(null),
    amount_cents: RequestFields.amount_cents.default(null),
    max_uses: RequestFields.max_uses.default(null),
    max_uses_per_customer: RequestFields.max_uses_per_customer.default(null),
    min_order_cents: RequestFields.min_order_cents.default(null),
    starts_at: RequestFields.starts_at.prefault(null),
    expires_at: RequestFields.expires_at.prefault(null),
    product_ids: RequestFields.product_ids.default([]),
    variant_ids: RequestFields.variant_ids.default([]),
    category_ids: RequestFields.category_ids.default([]),
    payment_methods: RequestFields.payment_methods.default([]),
    allowed_emails: RequestFields.allowed_emails.default([]),
    applies_to_renewals: RequestFields.applies_to_renewals.default(false),
    active: RequestFields.active.default(true),
    affiliate_partner_id: RequestFields.affiliate_partner_id.default(null),
    note: RequestFields.note.default(null),
  })
  .meta({ id: 'CouponInput' })
export type NewCoupon = z.output<typeof NewCoupon>

export const CouponPatch = z.strictObject(RequestFields).partial().meta({ id: 'CouponPatch' })
export type CouponPatch = z.output<typeof CouponPatch>

export const CouponQuery = z.object({
  ...ListQuery,
  active: QueryBoolean.optional().describe('Only coupons with this value of `active`.'),
  code: z.string().trim().max(64).optional().describe('The complete code; case is ignored.'),
  type: OneOrMoreOf(TYPES).describe('Only coupons of one of these types.'),
})
export type CouponQuery = z.output<typeof CouponQuery>

export const CouponCheck = z
  .strictObject({
    code: TypedCode(64).describe('The code of the coupon; case is ignored.'),
    items: Items.describe('The items, 1 to 50 lines.'),
    email: Email.optional().describe(
      'The email address of the buyer. Default: none; limits per customer are then not checked.',
    ),
  })
  .meta({ id: 'CouponCheck' })
export type CouponCheck = z.output<typeof CouponCheck>

export const CouponVerdict = z.object({
  valid: z.boolean().describe('True if an order of these items can use the coupon.'),
  reason: z
    .enum(REASONS)
    .nullable()
    .describe('The reason why the coupon cannot be used; null if it can.'),
  discount_cents: z.int().describe('The discount in minor units.'),
})
export type CouponVerdict = z.output<typeof CouponVerdict>
