import { z } from 'zod'
import { list } from '../../../kernel/bounded.ts'
import { TOTAL_MAX } from '../../../kernel/money.ts'
import { DateTime, HttpUrl, Line, Text, unlessMissing } from '../../../kernel/shapes.ts'

const CENTS_ERROR = 'Use an integer in minor units, such as 1999 for 19.99.'

/** The maximum is that of an order's total. */
const Amount = z
  .int({ error: unlessMissing(CENTS_ERROR) })
  .min(1, 'Use 1 or more.')
  .max(TOTAL_MAX, `Use at most ${TOTAL_MAX}.`)

/** The statuses of a payment that its buyer may still pay, or that its provider is processing. */
export const OPEN_STATUSES = ['pending', 'processing'] as const
const PAYMENT_STATUSES = [
  ...OPEN_STATUSES,
  'succeeded',
  'failed',
  'expired',
  'cancelled',
  'pending_review',
  'approved',
  'rejected',
  'disputed',
] as const
const KINDS = ['manual', 'crypto', 'paypal', 'balance', 'card', 'free', 'test'] as const

const Actor = z.object({
  type: z
    .enum(['api_key', 'user', 'command_line', 'customer', 'system'])
    .describe('The kind of actor.'),
  id: z.string().nullable().describe('The id of the API key or the user.'),
  name: z.string().nullable().describe('The name of the API key or the user at that time.'),
})

const Failure = z.object({
  code: z.string().describe('The code of the reason.'),
  message: z.string().describe('The reason in words.'),
})

const Dispute = z.object({
  id: z.string().describe('The id of the dispute at the provider.'),
  status: z.enum(['open', 'won', 'lost']).describe('The status, as the seller sees it.'),
  reason: z.string().nullable().describe('The reason, in the words of the provider.'),
  amount_cents: z.int().describe('The disputed amount in minor units.'),
  due_at: DateTime.nullable().describe('The time until which the seller can answer.'),
  fee_cents: z
    .int()
    .nullable()
    .describe('The fee of the provider in minor units; null until it is known.'),
})

export const OpenDispute = z
  .object({
    order_id: z.string().describe('The id of the order.'),
    order_number: z.int().describe('The number of the order.'),
    customer_email: z.string().describe('The email address of the buyer.'),
    payment_id: z.int().describe('The id of the payment.'),
    provider: z.string().describe('The payment provider.'),
    reason: Dispute.shape.reason,
    amount_cents: Dispute.shape.amount_cents,
    currency: z.string().describe('The currency, as an ISO 4217 code.'),
    due_at: Dispute.shape.due_at,
  })
  .meta({ id: 'OpenDispute', description: 'A dispute that the seller can still answer.' })
export type OpenDispute = z.output<typeof OpenDispute>

/** The reasons for which a person decides about a payment that arrived. */
const REVIEW_REASONS = ['amount_mismatch', 'currency_mismatch'] as const

export const Payment = z
  .object({
    id: z.int().describe('The id of the payment.'),
    object: z.literal('payment').describe('Always `payment`.'),
    order_id: z.string().describe('The id of the order.'),
    kind: z.enum(KINDS).describe('The payment method.'),
    status: z
      .enum(PAYMENT_STATUSES)
      .describe(
        'The status. A manual payment is approved or rejected after a review. A payment through a provider is `pending` until the buyer pays and `processing` while the provider is not sure, and ends as `succeeded`, `failed`, `expired` or `cancelled`; it is `disputed` while its buyer disputes it, and after a lost dispute. Only `approved`, `succeeded` and `disputed` count as paid.',
      ),
    amount_cents: z
      .int()
      .describe(
        'The amount in minor units. When a payment through a provider succeeds, it becomes the amount that arrived.',
      ),
    currency: z.string().describe('The currency, as an ISO 4217 code.'),
    reference: z
      .string()
      .nullable()
      .describe('A reference, such as the number of a bank transfer.'),
    proof_text: z.string().nullable().describe("The customer's description of the payment."),
    proof_url: z
      .string()
      .nullable()
      .describe('The URL of a picture or document that proves the payment.'),
    note: z.string().nullable().describe("The seller's note."),
    provider: z
      .string()
      .nullable()
      .describe('The payment provider; null for payments without one.'),
    external_id: z.string().nullable().describe('The id of the payment at its provider.'),
    checkout_url: z
      .string()
      .nullable()
      .describe('The page of the provider on which the buyer pays.'),
    expires_at: DateTime.nullable().describe('The time until which the buyer can pay there.'),
    failure: Failure.nullable().describe(
      'The reason for which a payment with the status `failed` failed.',
    ),
    refunded_cents: z
      .int()
      .nullable()
      .describe('The amount that went back through the provider; null for payments without one.'),
    dispute: Dispute.nullable().describe('The dispute of the buyer; null if there is none.'),
    review_reason: z
      .enum(REVIEW_REASONS)
      .nullable()
      .describe(
        'The reason for which a payment through a provider waits, or has waited, for a review: another amount or another currency arrived.',
      ),
    fee_cents: z
      .int()
      .nullable()
      .describe(
        'The fee of the provider in the minor units of `fee_currency`; null until the provider has told it, and if it takes none.',
      ),
    fee_currency: z
      .string()
      .nullable()
      .describe('The currency of the fee, in which the provider pays the seller.'),
    reviewed_at: DateTime.nullable().describe(
      'The time at which it was approved or rejected, or at which a provider said that it succeeded.',
    ),
    actor: Actor.nullable().describe(
      'The actor that recorded the payment; null if an earlier version of Tradepost recorded it.',
    ),
    reviewed_by: Actor.nullable().describe(
      'The actor that approved or rejected the payment after a review.',
    ),
    created_at: DateTime.describe('The time at which it was recorded.'),
  })
  .meta({ id: 'Payment', description: 'A payment for an order.' })
export type Payment = z.output<typeof Payment>

const REFUND_STATUSES = ['pending', 'succeeded', 'failed'] as const
const REFUND_SOURCES = ['seller', 'provider', 'dispute'] as const
const REASONS = ['requested_by_customer', 'duplicate', 'fraudulent', 'other'] as const

export const Refund = z
  .object({
    id: z.int().describe('The id of the refund.'),
    object: z.literal('refund').describe('Always `refund`.'),
    order_id: z.string().describe('The id of the order.'),
    amount_cents: z.int().describe('The amount in minor units.'),
    currency: z.string().describe('The currency, as an ISO 4217 code.'),
    status: z
      .enum(REFUND_STATUSES)
      .describe(
        '`pending` until the payment provider has confirmed it, then `succeeded` or `failed`. Only a refund that succeeded counts.',
      ),
    reason: z.enum(REASONS).describe('The reason for the refund.'),
    note: z.string().nullable().describe("The seller's note."),
    restock: z.boolean().describe('True if the items were added to stock again.'),
    items: z
      .array(
        z.object({
          order_item_id: z.int().describe('The id of the order line.'),
          quantity: z.int().describe('The number of refunded units.'),
          amount_cents: z.int().describe('The part of the amount for these units.'),
        }),
      )
      .describe(
        'The refunded lines, whose amounts add up to the amount. Empty if the refund names no lines.',
      ),
    source: z
      .enum(REFUND_SOURCES)
      .describe(
        '`seller` if it was made here, `provider` if it was made at the payment provider, `dispute` if a lost dispute took the money.',
      ),
    payment_id: z
      .int()
      .nullable()
      .describe('The payment whose provider returns the money; null if none does.'),
    external_id: z.string().nullable().describe('The id of the refund at the provider.'),
    failure: Failure.nullable().describe(
      'The reason for which a refund with the status `failed` failed. With the status `succeeded`, the bank of the buyer has sent the money back later: the refund counts, and the money has to reach the buyer in another way.',
    ),
    actor: Actor.nullable().describe(
      'The actor that recorded the refund; null if an earlier version of Tradepost recorded it.',
    ),
    created_at: DateTime.describe(
      'The time at which it was recorded; for a refund through a provider, the time at which it was confirmed.',
    ),
  })
  .meta({ id: 'Refund', description: 'A refund of an order.' })
export type Refund = z.output<typeof Refund>

export const NewManualPayment = z
  .strictObject({
    amount_cents: Amount.optional().describe(
      'The amount in minor units. Default: the owed amount.',
    ),
    reference: Line(255)
      .nullable()
      .default(null)
      .describe('A reference, such as the number of a bank transfer.'),
    note: Text(1_000).nullable().default(null).describe('A note for the seller.'),
    proof_text: Text(5_000)
      .nullable()
      .default(null)
      .describe("The customer's description of the payment."),
    proof_url: HttpUrl.nullable()
      .default(null)
      .describe('The URL of a picture or document that proves the payment.'),
    status: z
      .enum(['approved', 'pending_review'])
      .default('approved')
      .describe('A payment with `pending_review` counts only after it is approved.'),
  })
  .meta({ id: 'ManualPaymentInput' })
export type NewManualPayment = z.output<typeof NewManualPayment>

export const NewBalancePayment = z
  .strictObject({
    amount_cents: Amount.optional().describe(
      'The amount in minor units, at most the owed amount. Default: the owed amount, or the balance if that is lower.',
    ),
  })
  .meta({ id: 'BalancePaymentInput' })
export type NewBalancePayment = z.output<typeof NewBalancePayment>

export const PaymentReview = z
  .strictObject({
    note: Text(1_000)
      .nullable()
      .optional()
      .describe('A note for the seller; null removes it. Default: the stored note is kept.'),
  })
  .meta({ id: 'PaymentReview' })
export type PaymentReview = z.output<typeof PaymentReview>

/** An order has at most 50 lines. */
const REFUNDED_LINES_MAX = 50
const UNITS_MAX = 1_000_000_000

const NewRefundedLines = list(
  z.strictObject({
    order_item_id: z
      .int('Use the id of an order line.')
      .positive('Use the id of an order line.')
      .describe('The id of a line of the order.'),
    quantity: z
      .int('Use a whole number.')
      .min(1, 'Use 1 or more.')
      .max(UNITS_MAX, `Use at most ${UNITS_MAX}.`)
      .describe('The number of units that are refunded.'),
    amount_cents: z
      .int(CENTS_ERROR)
      .min(0, 'Use 0 or more.')
      .max(TOTAL_MAX, `Use at most ${TOTAL_MAX}.`)
      .optional()
      .describe(
        "The amount for these units in minor units. Default: the unit price less the line's share of the discount, for each unit.",
      ),
  }),
  { max: REFUNDED_LINES_MAX, error: `Send at most ${REFUNDED_LINES_MAX} lines.` },
).min(1, 'Send at least one line.')

export const NewRefund = z
  .strictObject({
    amount_cents: z
      .int(CENTS_ERROR)
      .min(0, 'Use 0 or more.')
      .max(TOTAL_MAX, `Use at most ${TOTAL_MAX}.`)
      .optional()
      .describe(
        'The amount in minor units. It can be 0 only if the total of the order is 0. Default: the sum of `items` or, without them, the paid amount that is not refunded yet.',
      ),
    items: NewRefundedLines.optional().describe(
      'The refunded lines, each line once. If `amount_cents` is sent too, it must be their sum. Default: the refund names no lines.',
    ),
    reason: z.enum(REASONS).default('other').describe('The reason for the refund.'),
    note: Text(1_000).nullable().default(null).describe('A note for the seller.'),
    restock: z
      .boolean()
      .default(false)
      .describe(
        'If true, the items are added to stock again. Allowed if the whole paid amount is then refunded, or for `items` that are not delivered yet.',
      ),
    to_balance: z
      .boolean()
      .optional()
      .describe(
        "If true, the whole refund goes to the customer's balance; if false, no part of it. Default: the part that was paid from the balance goes there, after the part that was paid in other ways is refunded.",
      ),
  })
  .meta({ id: 'RefundInput' })
export type NewRefund = z.output<typeof NewRefund>
