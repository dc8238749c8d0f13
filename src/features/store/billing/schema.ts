import { z } from 'zod'
import { Cents, DateTime } from '../../../kernel/shapes.ts'
import { CYCLES } from '../subscriptions/index.ts'

const TRIAL_MAX_DAYS = 730

const BillingFields = {
  billing_cycle: z.enum(CYCLES).describe('The length of a billing period.'),
  trial_days: z
    .int('Use a whole number of days.')
    .min(0, 'Use 0 or more.')
    .max(TRIAL_MAX_DAYS, `Use at most ${TRIAL_MAX_DAYS}.`)
    .describe(
      'The days between the first payment and the first renewal; 0 means that there is no trial.',
    ),
  recurring_price_cents: Cents.nullable().describe(
    'The price of one unit in each renewal, in minor units. Null means the price in the first order.',
  ),
}

export const Billing = z
  .object({
    object: z.literal('product_billing').describe('Always `product_billing`.'),
    product_id: z.string().describe('The product hash.'),
    ...BillingFields,
    created_at: DateTime.describe('The time when the billing was first set.'),
    updated_at: DateTime.describe('The time when the billing was last changed.'),
  })
  .meta({ id: 'ProductBilling', description: 'The billing of a subscription product.' })
export type Billing = z.output<typeof Billing>

export const NewBilling = z
  .strictObject({
    billing_cycle: BillingFields.billing_cycle,
    trial_days: BillingFields.trial_days.default(0),
    recurring_price_cents: BillingFields.recurring_price_cents.default(null),
  })
  .meta({ id: 'ProductBillingInput' })
export type NewBilling = z.output<typeof NewBilling>
