import { z } from 'zod'
import {
  Cents,
  DateTime,
  Email,
  OneOrMoreOf,
  PageQuery,
  PathId,
  ProductRef,
  QueryBoolean,
  QueryTime,
} from '../../../kernel/shapes.ts'

export const STATUSES = [
  'pending',
  'trialing',
  'active',
  'past_due',
  'cancelled',
  'expired',
] as const
export type Status = (typeof STATUSES)[number]

export const CYCLES = ['daily', 'weekly', 'monthly', 'quarterly', 'yearly'] as const
export type Cycle = (typeof CYCLES)[number]

const TRIAL_MAX_DAYS = 730

const Product = z
  .object({
    id: z.string().describe('The product hash.'),
    name: z.string().describe('The name of the product.'),
  })
  .describe('The product of the subscription.')

const SubscriptionPayment = z
  .object({
    id: z.int().describe('The id of the payment.'),
    invoice_id: z.string().describe('The order.'),
    invoice_status: z.string().describe('The status of the order.'),
    amount_cents: z
      .int()
      .describe('The amount that the order bills for the subscription, in minor units.'),
    status: z
      .enum(['pending', 'paid', 'failed', 'refunded'])
      .describe('`failed`: the order ended before it was paid.'),
    period_start: DateTime.nullable().describe('The period that it pays; null until it begins.'),
    period_end: DateTime.nullable().describe('The end of that period.'),
    paid_at: DateTime.nullable().describe('When it was paid.'),
    created_at: DateTime.describe('When the order was created.'),
  })
  .meta({ id: 'SubscriptionPayment', description: 'An order of a subscription.' })

export const AutoRenewal = z
  .object({
    id: z.int().describe('The id of the auto-renewal.'),
    object: z.literal('auto_renewal').describe('Always `auto_renewal`.'),
    status: z.enum(['active', 'past_due', 'cancelled', 'expired']).describe('The status.'),
    provider: z.string().describe('How renewals are paid: `manual`, `balance` or a provider.'),
    customer_email: z.string().describe('The subscriber.'),
    product: Product,
    origin_invoice_id: z.string().describe('The order that started it.'),
    last_invoice_id: z.string().describe('The newest order of the subscription.'),
    period_days: z.int().describe('The length of the current period in days.'),
    price_cents: z.int().describe('The price of each renewal, in minor units.'),
    currency: z.string().describe('ISO 4217.'),
    discount_percent: z
      .number()
      .describe('A coupon that applies to renewals; the price is already reduced by it.'),
    renewals_count: z.int().describe('Renewals that were paid.'),
    current_period_end: DateTime.describe('Until when it is paid.'),
    cancelled_at: DateTime.nullable().describe('When it was cancelled.'),
    can_cancel: z.boolean().describe('True while it is active or past due.'),
    created_at: DateTime.describe('When the subscription started.'),
  })
  .meta({ id: 'AutoRenewal', description: 'The auto-renewal of a subscription.' })
export type AutoRenewal = z.output<typeof AutoRenewal>

const Fields = {
  id: z.int().describe('The id of the subscription.'),
  object: z.literal('subscription').describe('Always `subscription`.'),
  status: z.enum(STATUSES).describe('`pending` until the first order is paid.'),
  customer_email: z.string().describe('The subscriber.'),
  product: Product,
  initial_invoice_id: z.string().describe('The order that started it.'),
  billing_cycle: z.enum(CYCLES).describe('How often it renews.'),
  currency: z.string().describe('ISO 4217.'),
  initial_price_cents: z.int().describe('The price in the first order, in minor units.'),
  recurring_price_cents: z
    .int()
    .describe('The price of each renewal, in minor units; fixed when the subscription is created.'),
  trial_days: z.int().describe('Days between the first payment and the first renewal; 0: none.'),
  trial_ends_at: DateTime.nullable().describe('When the trial ends; null without a trial.'),
  current_period_start: DateTime.nullable().describe('Null until the first order is paid.'),
  current_period_end: DateTime.nullable().describe('Null until the first order is paid.'),
  next_billing_date: DateTime.nullable().describe(
    'When it is billed, or an unpaid renewal is retried; null if it will not be.',
  ),
  auto_renew: z.boolean().describe('True if a renewal follows the current period.'),
  cancelled_at: DateTime.nullable().describe('When it was cancelled, now or for the period end.'),
  created_at: DateTime.describe('When it was created.'),
  updated_at: DateTime.describe('When it was last changed.'),
}

export const ListedSubscription = z
  .object({ ...Fields, auto_renewal: AutoRenewal.nullable().describe('Null until it starts.') })
  .meta({ id: 'ListedSubscription', description: 'A subscription without its payments.' })
export type ListedSubscription = z.output<typeof ListedSubscription>

export const Subscription = z
  .object({
    ...Fields,
    payments: z.array(SubscriptionPayment).describe('Its orders, the oldest first.'),
    auto_renewal: AutoRenewal.nullable().describe('Null until it starts.'),
  })
  .meta({ id: 'Subscription', description: 'The subscription.' })
export type Subscription = z.output<typeof Subscription>

export const SubscriptionQuery = z.object({
  ...PageQuery,
  status: OneOrMoreOf(STATUSES).describe('One or several statuses.'),
  customer_email: Email.optional().describe("The customer's address, whole."),
  product_id: ProductRef.optional(),
  auto_renew: QueryBoolean.optional().describe('`true` or `false`.'),
})
export type SubscriptionQuery = z.output<typeof SubscriptionQuery>

export const AutoRenewalQuery = z.object(PageQuery)
export type AutoRenewalQuery = z.output<typeof AutoRenewalQuery>

export const SubscriptionPath = z.object({ id: PathId.describe('The subscription.') })
export const AutoRenewalPath = z.object({ id: PathId.describe('The auto-renewal.') })

export const SubscriptionPatch = z
  .strictObject({
    auto_renew: z
      .boolean()
      .describe('`false` cancels at the end of the period, `true` undoes that.'),
    next_billing_date: QueryTime.describe(
      'Later than the one it has, at most 730 days from now; the current period lasts until then.',
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
      .describe('`false` ends it now. An unpaid renewal has no period left and ends now as well.'),
  })
  .meta({ id: 'SubscriptionCancellation' })
export type Cancellation = z.output<typeof Cancellation>

const BillingFields = {
  billing_cycle: z.enum(CYCLES).describe('How often it renews.'),
  trial_days: z
    .int('Use a whole number of days.')
    .min(0, 'Use 0 or more.')
    .max(TRIAL_MAX_DAYS, `Use at most ${TRIAL_MAX_DAYS}.`)
    .describe('Days between the first payment and the first renewal. 0: no trial.'),
  recurring_price_cents: Cents.nullable().describe(
    'The price of one unit in each renewal, in minor units. Null: the price in the first order.',
  ),
}

export const Billing = z
  .object({
    object: z.literal('product_billing').describe('Always `product_billing`.'),
    product_id: z.string().describe('The product hash.'),
    ...BillingFields,
    created_at: DateTime.describe('When it was first set.'),
    updated_at: DateTime.describe('When it was last changed.'),
  })
  .meta({ id: 'ProductBilling', description: 'How a product is billed.' })
export type Billing = z.output<typeof Billing>

export const NewBilling = z
  .strictObject({
    billing_cycle: BillingFields.billing_cycle,
    trial_days: BillingFields.trial_days.default(0),
    recurring_price_cents: BillingFields.recurring_price_cents.default(null),
  })
  .meta({ id: 'NewProductBilling' })
export type NewBilling = z.output<typeof NewBilling>
