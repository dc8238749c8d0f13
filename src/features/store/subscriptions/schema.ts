import { z } from 'zod'
import { METHODS } from '../../../kernel/payment-methods.ts'
import {
  DateTime,
  Email,
  InputTime,
  ListQuery,
  OneOrMoreOf,
  PathId,
  ProductRef,
  QueryBoolean,
} from '../../../kernel/shapes.ts'

const STATUSES = ['pending', 'trialing', 'active', 'past_due', 'cancelled', 'expired'] as const
export type SubscriptionStatus = (typeof STATUSES)[number]

export const CYCLES = ['daily', 'weekly', 'monthly', 'quarterly', 'yearly'] as const
export type Cycle = (typeof CYCLES)[number]

const Product = z
  .object({
    id: z.string().describe('The product hash.'),
    name: z.string().describe('The name of the product.'),
  })
  .describe('The product of the subscription.')

const SubscriptionPayment = z
  .object({
    id: z.int().describe('The id of the payment.'),
    invoice_id: z.string().describe('The id of the order.'),
    invoice_status: z.string().describe('The status of the order.'),
    amount_cents: z
      .int()
      .describe('The amount that the order bills for the subscription, in minor units.'),
    status: z
      .enum(['pending', 'paid', 'failed', 'refunded'])
      .describe(
        'The status of the payment. `failed` means that the order expired or was cancelled before it was paid.',
      ),
    period_start: DateTime.nullable().describe(
      'The start of the paid period; null until the period begins.',
    ),
    period_end: DateTime.nullable().describe(
      'The end of the paid period; null until the period begins.',
    ),
    paid_at: DateTime.nullable().describe('The time when the order was paid.'),
    created_at: DateTime.describe('The time when the order was created.'),
  })
  .meta({ id: 'SubscriptionPayment', description: 'An order of a subscription.' })

export const AutoRenewal = z
  .object({
    id: z.int().describe('The id of the auto-renewal.'),
    object: z.literal('auto_renewal').describe('Always `auto_renewal`.'),
    status: z
      .enum(['active', 'past_due', 'cancelled', 'expired'])
      .describe('The status of the auto-renewal.'),
    provider: z
      .string()
      .describe('The payment method of renewals: `manual`, `balance` or a payment provider.'),
    customer_email: z.string().describe('The email address of the customer.'),
    product: Product,
    origin_invoice_id: z.string().describe('The id of the order that created the subscription.'),
    last_invoice_id: z.string().describe('The id of the newest order of the subscription.'),
    period_days: z.int().describe('The length of the current period in days.'),
    price_cents: z.int().describe('The price of each renewal, in minor units.'),
    currency: z.string().describe('The currency, an ISO 4217 code.'),
    discount_percent: z
      .number()
      .describe(
        'The percentage of a coupon that applies to renewals; 0 if there is none. `price_cents` includes the discount.',
      ),
    renewals_count: z.int().describe('The number of paid renewals.'),
    current_period_end: DateTime.describe('The end of the current period.'),
    cancelled_at: DateTime.nullable().describe(
      'The time when the auto-renewal was cancelled; null if it was not.',
    ),
    can_cancel: z.boolean().describe('True if the auto-renewal is active or past due.'),
    created_at: DateTime.describe('The time when the subscription started.'),
  })
  .meta({ id: 'AutoRenewal', description: 'The auto-renewal of a subscription.' })
export type AutoRenewal = z.output<typeof AutoRenewal>

const StartedAutoRenewal = AutoRenewal.nullable().describe(
  'The auto-renewal; null until the first order is paid.',
)

const Fields = {
  id: z.int().describe('The id of the subscription.'),
  object: z.literal('subscription').describe('Always `subscription`.'),
  status: z
    .enum(STATUSES)
    .describe('The status of the subscription; `pending` until the first order is paid.'),
  customer_email: z.string().describe('The email address of the customer.'),
  product: Product,
  initial_invoice_id: z.string().describe('The id of the order that created the subscription.'),
  billing_cycle: z.enum(CYCLES).describe('The length of a billing period.'),
  currency: z.string().describe('The currency, an ISO 4217 code.'),
  initial_price_cents: z.int().describe('The price in the first order, in minor units.'),
  recurring_price_cents: z
    .int()
    .describe(
      'The price of each renewal, in minor units. It is set when the subscription is created and does not change.',
    ),
  trial_days: z
    .int()
    .describe(
      'The days between the first payment and the first renewal; 0 means that there is no trial.',
    ),
  trial_ends_at: DateTime.nullable().describe(
    'The time when the trial ends; null without a trial.',
  ),
  current_period_start: DateTime.nullable().describe(
    'The start of the current period; null until the first order is paid.',
  ),
  current_period_end: DateTime.nullable().describe(
    'The end of the current period; null until the first order is paid.',
  ),
  next_billing_date: DateTime.nullable().describe(
    'The time when the next renewal is billed, or the payment of an unpaid renewal is retried; null if neither will happen.',
  ),
  auto_renew: z.boolean().describe('True if a renewal follows the current period.'),
  cancelled_at: DateTime.nullable().describe(
    'The time when the subscription was cancelled, also if it ends later; null if it was not.',
  ),
  created_at: DateTime.describe('The time when the subscription was created.'),
  updated_at: DateTime.describe('The time when the subscription was last changed.'),
}

export const ListedSubscription = z
  .object({
    ...Fields,
    auto_renewal: StartedAutoRenewal,
  })
  .meta({ id: 'ListedSubscription', description: 'A subscription without its payments.' })
export type ListedSubscription = z.output<typeof ListedSubscription>

export const Subscription = z
  .object({
    ...Fields,
    payments: z
      .array(SubscriptionPayment)
      .describe('The orders of the subscription, the oldest first.'),
    auto_renewal: StartedAutoRenewal,
  })
  .meta({ id: 'Subscription', description: 'A subscription with its payments.' })
export type Subscription = z.output<typeof Subscription>

export const SubscriptionQuery = z.object({
  ...ListQuery,
  status: OneOrMoreOf(STATUSES).describe('Only subscriptions with one of these statuses.'),
  customer_email: Email.optional().describe('The full email address of the customer.'),
  product_id: ProductRef.optional(),
  auto_renew: QueryBoolean.optional().describe(
    'Only subscriptions with this value of `auto_renew`.',
  ),
  sort: z
    .enum(['-created_at', 'next_billing_date'])
    .default('-created_at')
    .describe(
      '`-created_at` sorts the newest first. `next_billing_date` sorts the earliest next renewal first, and subscriptions that are no longer billed last.',
    ),
})
export type SubscriptionQuery = z.output<typeof SubscriptionQuery>

export const AutoRenewalQuery = z.object(ListQuery)
export type AutoRenewalQuery = z.output<typeof AutoRenewalQuery>

export const SubscriptionPath = z.object({ id: PathId.describe('The id of the subscription.') })
export const AutoRenewalPath = z.object({
  id: PathId.describe('The id of the auto-renewal, which is the id of its subscription.'),
})

export const SubscriptionPatch = z
  .strictObject({
    auto_renew: z
      .boolean()
      .describe(
        '`false` cancels the subscription at the end of the period, `true` undoes this cancellation.',
      ),
    next_billing_date: InputTime.describe(
      'The new billing date, later than the present one and at most 730 days from now. The current period, and the license keys of the subscription, are extended until this date.',
    ),
    payment_method: z
      .enum(METHODS)
      .describe(
        'The payment method of the renewals, which the store and the product must accept. An unpaid renewal is charged by it at its next attempt.',
      ),
  })
  .partial()
  .meta({ id: 'SubscriptionPatch' })
export type SubscriptionPatch = z.output<typeof SubscriptionPatch>

export const Cancellation = z
  .strictObject({
    at_period_end: z
      .boolean()
      .default(true)
      .describe(
        '`false` ends the subscription now. A subscription with an unpaid renewal has no paid period and always ends now.',
      ),
  })
  .meta({ id: 'SubscriptionCancellation' })
export type Cancellation = z.output<typeof Cancellation>
