import { z } from 'zod'
import { list } from '../../../kernel/bounded.ts'
import {
  Cents,
  DateTime,
  Email,
  Line,
  OneOrMoreOf,
  PageQuery,
  Percent,
  ProductRef,
  QueryBoolean,
  QueryTime,
  Text,
} from '../../../kernel/shapes.ts'
import { Items, METHODS } from '../products/index.ts'

const TYPES = ['percentage', 'fixed'] as const

/** Why a coupon cannot be used (decision 8). */
export const REASONS = [
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
const NAMED_MAX = 500
const EMAILS_MAX = 1_000

const Uses = z.int().min(1, 'Use 1 or more.').max(USES_MAX, `Use at most ${USES_MAX}.`).nullable()
const RecordId = z.int('Use the id of a record.').positive('Use the id of a record.')
const listOf = <T extends z.ZodType>(item: T, max: number) =>
  list(item, { max, error: `Name at most ${max}.` })

const CouponFields = {
  code: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, 'Use A to Z, 0 to 9, _ and -, at most 64.')
    .describe('The code that customers type; compared without case, unique in the store.'),
  type: z.enum(TYPES).describe('A part of the price, or an amount.'),
  discount_percent: Percent.gt(0, 'Use more than 0.')
    .nullable()
    .describe(
      'The percentage of a `percentage` coupon: above 0, up to 100. Null for the other type.',
    ),
  amount_cents: Cents.min(1, 'Use 1 or more.')
    .nullable()
    .describe('The amount of a `fixed` coupon, in minor units. Null for the other type.'),
  max_uses: Uses.describe('How many orders may use it; null means any number.'),
  max_uses_per_customer: Uses.describe('The same for one customer, known by email.'),
  min_order_cents: Cents.nullable().describe(
    'The least sum of the lines that it applies to, before the discount; null for no minimum.',
  ),
  starts_at: DateTime.nullable().describe('From when; null means at once.'),
  expires_at: DateTime.nullable().describe(
    'Until when, this moment no longer; null means for ever.',
  ),
  product_ids: z.array(z.string()).describe('Products it applies to, by hash.'),
  variant_ids: z.array(z.int()).describe('Variants it applies to.'),
  category_ids: z
    .array(z.int())
    .describe('Categories it applies to. With all three lists empty it applies to everything.'),
  payment_methods: z.array(z.enum(METHODS)).describe('How the order is paid; empty means any way.'),
  allowed_emails: z
    .array(z.string())
    .describe('The addresses that may use it; empty for everybody.'),
  applies_to_renewals: z.boolean().describe('True if renewals of a subscription keep it.'),
  active: z.boolean().describe('True if it can be used.'),
  affiliate_partner_id: z
    .string()
    .regex(/^par_[0-9A-Za-z]{22}$/, 'Use the id of a partner.')
    .nullable()
    .describe('The partner who earns from orders that use it.'),
  note: Text(1_000).nullable().describe('For the seller.'),
}

export const Coupon = z
  .object({
    id: z.int().describe('The id of the coupon.'),
    object: z.literal('coupon').describe('Always `coupon`.'),
    ...CouponFields,
    uses: z.int().describe('Orders that used it and did not expire and were not cancelled.'),
    created_at: DateTime.describe('When it was created.'),
    updated_at: DateTime.describe('When it was last changed.'),
  })
  .meta({ id: 'Coupon', description: 'The coupon.' })
export type Coupon = z.output<typeof Coupon>

const SentFields = {
  ...CouponFields,
  starts_at: QueryTime.nullable().describe('From when; null means at once.'),
  expires_at: QueryTime.nullable().describe(
    'Until when, this moment no longer; null means for ever.',
  ),
  product_ids: listOf(ProductRef, NAMED_MAX).describe('Products it applies to.'),
  variant_ids: listOf(RecordId, NAMED_MAX).describe('Variants it applies to.'),
  category_ids: listOf(RecordId, NAMED_MAX).describe(
    'Categories it applies to. With all three lists empty it applies to everything.',
  ),
  payment_methods: listOf(z.enum(METHODS), METHODS.length).describe(
    'How the order is paid; empty means any way.',
  ),
  allowed_emails: listOf(Email, EMAILS_MAX).describe(
    'The addresses that may use it; empty for everybody.',
  ),
}

export const NewCoupon = z
  .strictObject({
    ...SentFields,
    code: SentFields.code.optional().describe('If absent, a code is generated.'),
    discount_percent: SentFields.discount_percent.default(null),
    amount_cents: SentFields.amount_cents.default(null),
    max_uses: SentFields.max_uses.default(null),
    max_uses_per_customer: SentFields.max_uses_per_customer.default(null),
    min_order_cents: SentFields.min_order_cents.default(null),
    starts_at: SentFields.starts_at.default(null),
    expires_at: SentFields.expires_at.default(null),
    product_ids: SentFields.product_ids.default([]),
    variant_ids: SentFields.variant_ids.default([]),
    category_ids: SentFields.category_ids.default([]),
    payment_methods: SentFields.payment_methods.default([]),
    allowed_emails: SentFields.allowed_emails.default([]),
    applies_to_renewals: SentFields.applies_to_renewals.default(false),
    active: SentFields.active.default(true),
    affiliate_partner_id: SentFields.affiliate_partner_id.default(null),
    note: SentFields.note.default(null),
  })
  .meta({ id: 'NewCoupon' })
export type NewCoupon = z.output<typeof NewCoupon>

export const CouponPatch = z.strictObject(SentFields).partial().meta({ id: 'CouponPatch' })
export type CouponPatch = z.output<typeof CouponPatch>

export const CouponQuery = z.object({
  ...PageQuery,
  active: QueryBoolean.optional().describe('`true` or `false`.'),
  code: z.string().max(64).optional().describe('The code, whole and without case.'),
  type: OneOrMoreOf(TYPES).describe('`percentage`, `fixed`.'),
})
export type CouponQuery = z.output<typeof CouponQuery>

export const CouponCheck = z
  .strictObject({
    code: Line(64).describe('The code, without case.'),
    items: Items.describe('The items, 1 to 50 lines.'),
    email: Email.optional().describe(
      'The address of the buyer; if absent, limits per customer are not checked.',
    ),
  })
  .meta({ id: 'CouponCheck' })
export type CouponCheck = z.output<typeof CouponCheck>

export const CouponVerdict = z.object({
  valid: z.boolean().describe('True if an order of these items may use it.'),
  reason: z
    .enum(REASONS)
    .nullable()
    .describe('The reason of the refusal; null if the coupon may be used.'),
  discount_cents: z.int().describe('The discount, in minor units.'),
})
export type CouponVerdict = z.output<typeof CouponVerdict>
