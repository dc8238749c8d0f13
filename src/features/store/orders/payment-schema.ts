import { z } from 'zod'
import { TOTAL_MAX } from '../../../kernel/money.ts'
import { DateTime, HttpUrl, Line, Text } from '../../../kernel/shapes.ts'

const NO_CENTS = 'Use an integer in minor units, such as 1999 for 19.99.'

/** The largest payment: the largest total of an order. */
const Amount = z.int(NO_CENTS).min(1, 'Use 1 or more.').max(TOTAL_MAX, `Use at most ${TOTAL_MAX}.`)

const KINDS = ['manual', 'crypto', 'balance', 'card', 'free', 'test'] as const

const Actor = z.object({
  type: z
    .enum(['api_key', 'user', 'command_line', 'customer', 'system'])
    .describe('The kind of actor.'),
  id: z.string().nullable().describe('The id of the API key or the user.'),
  name: z.string().nullable().describe('The name of the API key or the user, as it was then.'),
})

export const Payment = z
  .object({
    id: z.int().describe('The id of the payment.'),
    object: z.literal('payment').describe('Always `payment`.'),
    order_id: z.string().describe('The order.'),
    kind: z.enum(KINDS).describe('How it was paid.'),
    status: z
      .enum(['pending_review', 'approved', 'rejected', 'succeeded'])
      .describe('A manual payment is approved or rejected; others succeed.'),
    amount_cents: z.int().describe('Minor units.'),
    currency: z.string().describe('ISO 4217.'),
    reference: z.string().nullable().describe('Such as the number of a transfer.'),
    proof_text: z.string().nullable().describe('The note of the customer.'),
    proof_url: z.string().nullable().describe('A picture or document.'),
    note: z.string().nullable().describe("The seller's note."),
    reviewed_at: DateTime.nullable().describe('When it was approved or rejected.'),
    actor: Actor.nullable().describe(
      'The actor that recorded it; null for a payment of an earlier version.',
    ),
    reviewed_by: Actor.nullable().describe(
      'The actor that approved or rejected it after a review.',
    ),
    created_at: DateTime.describe('When it was recorded.'),
  })
  .meta({ id: 'Payment', description: 'The payment.' })
export type Payment = z.output<typeof Payment>

const REASONS = ['requested_by_customer', 'duplicate', 'fraudulent', 'other'] as const

export const Refund = z
  .object({
    id: z.int().describe('The id of the refund.'),
    object: z.literal('refund').describe('Always `refund`.'),
    order_id: z.string().describe('The order.'),
    amount_cents: z.int().describe('Minor units.'),
    currency: z.string().describe('ISO 4217.'),
    reason: z.enum(REASONS).describe('Why it was given back.'),
    note: z.string().nullable().describe("The seller's note."),
    restock: z.boolean().describe('True if unopened keys went back into stock.'),
    actor: Actor.nullable().describe(
      'The actor that recorded it; null for a refund of an earlier version.',
    ),
    created_at: DateTime.describe('When it was recorded.'),
  })
  .meta({ id: 'Refund', description: 'A refund of an order.' })
export type Refund = z.output<typeof Refund>

export const NewManualPayment = z
  .strictObject({
    amount_cents: Amount.optional().describe('Minor units; if absent, the owed amount.'),
    reference: Line(255).nullable().default(null).describe('Such as the number of a transfer.'),
    note: Text(1_000).nullable().default(null).describe('For the seller.'),
    proof_text: Text(5_000).nullable().default(null).describe('The note of the customer.'),
    proof_url: HttpUrl.nullable().default(null).describe('A picture or document.'),
    status: z
      .enum(['approved', 'pending_review'])
      .default('approved')
      .describe('`pending_review` waits for approve or reject.'),
  })
  .meta({ id: 'NewManualPayment' })
export type NewManualPayment = z.output<typeof NewManualPayment>

export const NewBalancePayment = z
  .strictObject({
    amount_cents: Amount.optional().describe(
      'Minor units, at most the owed amount; if absent, the lesser of the owed amount and the balance.',
    ),
  })
  .meta({ id: 'NewBalancePayment' })
export type NewBalancePayment = z.output<typeof NewBalancePayment>

export const Review = z
  .strictObject({
    note: Text(1_000).nullable().optional().describe('For the seller; null clears.'),
  })
  .meta({ id: 'PaymentReview' })
export type Review = z.output<typeof Review>

export const NewRefund = z
  .strictObject({
    amount_cents: z
      .int(NO_CENTS)
      .min(0, 'Use 0 or more.')
      .max(TOTAL_MAX, `Use at most ${TOTAL_MAX}.`)
      .optional()
      .describe(
        'Minor units; if absent, the paid amount that is not refunded yet. 0 only if the total of the order is 0.',
      ),
    reason: z.enum(REASONS).default('other').describe('Why it is given back.'),
    note: Text(1_000).nullable().default(null).describe('For the seller.'),
    restock: z
      .boolean()
      .default(false)
      .describe('Puts the items back into stock; only with the refund of the last paid amount.'),
    to_balance: z
      .boolean()
      .optional()
      .describe(
        "True refunds all of it to the customer's balance, false nothing. If absent, only the part that was paid from the balance goes back there, after the part that was paid otherwise.",
      ),
  })
  .meta({ id: 'NewRefund' })
export type NewRefund = z.output<typeof NewRefund>
