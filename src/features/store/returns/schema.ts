import { z } from 'zod'
import { list } from '../../../kernel/bounded.ts'
import { TOTAL_MAX } from '../../../kernel/money.ts'
import {
  DateTime,
  Email,
  Line,
  OneOrMoreOf,
  PageQuery,
  PathId,
  Text,
} from '../../../kernel/shapes.ts'
import { OrderPath } from '../orders/index.ts'

const STATUSES = [
  'requested',
  'approved',
  'rejected',
  'cancelled',
  'received',
  'refunded',
  'closed',
] as const
export type Status = (typeof STATUSES)[number]

const REASONS = [
  'damaged_or_defective',
  'not_as_described',
  'wrong_item',
  'changed_mind',
  'too_small',
  'too_large',
  'other',
] as const

/** An order has at most 50 lines. */
const ITEMS_MAX = 50
const NOTE_MAX = 1_000

const Reason = z.enum(REASONS)

export const Return = z
  .object({
    id: z.int().describe('The id of the return.'),
    object: z.literal('return').describe('Always `return`.'),
    rma: z
      .string()
      .describe('The number for the customer, such as `RMA-000123`; unique in the store.'),
    order_id: z.string().describe('The order.'),
    customer_email: z.string().describe('The e-mail address of the order.'),
    status: z.enum(STATUSES).describe('`closed` ends a return without a refund.'),
    items: z
      .array(
        z.object({
          order_item_id: z.int().describe('The line of the order.'),
          quantity: z.int().describe('Units that the customer sends back.'),
          received_quantity: z.int().describe('Units that arrived.'),
          damaged_quantity: z.int().describe('Units of these that do not go back into stock.'),
          reason: Reason.describe('Why they are sent back.'),
          note: z.string().nullable().describe('The note of the customer.'),
        }),
      )
      .describe('The items that are sent back.'),
    refund_amount_cents: z.int().nullable().describe('Minor units; null until it is refunded.'),
    refund_id: z.int().nullable().describe('The refund of the order; null until it is refunded.'),
    tracking_number: z.string().nullable().describe("The carrier's number of the parcel."),
    carrier_code: z.string().nullable().describe('The carrier.'),
    rejection_note: z.string().nullable().describe('Why it was rejected.'),
    requested_at: DateTime.describe('The time of the request.'),
    approved_at: DateTime.nullable().describe('The time of the approval.'),
    received_at: DateTime.nullable().describe('The time at which it was received.'),
    closed_at: DateTime.nullable().describe('When it was rejected, cancelled, refunded or closed.'),
    created_at: DateTime.describe('The time of creation.'),
    updated_at: DateTime.describe('The time of the last change.'),
  })
  .meta({ id: 'Return', description: 'Goods that a customer sends back.' })
export type Return = z.output<typeof Return>

export const ReturnQuery = z.object({
  ...PageQuery,
  status: OneOrMoreOf(STATUSES).describe('One or several statuses.'),
  order_id: z.string().max(64).optional().describe('The order.'),
  email: Email.optional().describe('The e-mail address of the customer, whole.'),
})
export type ReturnQuery = z.output<typeof ReturnQuery>

const LineId = z.int('Use the id of a line.').positive('Use the id of a line.')
const Units = z.int('Use a whole number.').max(1_000_000_000, 'Use at most 1000000000.')

const Tracking = {
  tracking_number: Line(128).nullable().optional().describe("The carrier's number of the parcel."),
  carrier_code: Line(64).nullable().optional().describe('The carrier.'),
}

export const NewReturn = z
  .strictObject({
    order_id: OrderPath.shape.id.describe('A paid or completed order.'),
    items: list(
      z.strictObject({
        order_item_id: LineId.describe('A physical line of the order.'),
        quantity: Units.min(1, 'Use 1 or more.').describe('Units to send back.'),
        reason: Reason.default('other').describe('Why they are sent back.'),
        note: Text(NOTE_MAX).nullable().default(null).describe('The note of the customer.'),
      }),
      { max: ITEMS_MAX, error: `Send at most ${ITEMS_MAX} items.` },
    )
      .min(1, 'Send at least one item.')
      .describe('The items that are sent back, each line once.'),
    ...Tracking,
  })
  .meta({ id: 'NewReturn' })
export type NewReturn = z.output<typeof NewReturn>

export const Approval = z.strictObject(Tracking).meta({ id: 'ReturnApproval' })
export type Approval = z.output<typeof Approval>

export const Rejection = z
  .strictObject({
    note: Text(NOTE_MAX).nullable().default(null).describe('Why it is rejected.'),
  })
  .meta({ id: 'ReturnRejection' })

export const Receipt = z
  .strictObject({
    items: list(
      z.strictObject({
        order_item_id: LineId.describe('A line of the return.'),
        received_quantity: Units.min(0, 'Use 0 or more.').describe('Units that arrived.'),
        damaged_quantity: Units.min(0, 'Use 0 or more.')
          .default(0)
          .describe('Units of these that do not go back into stock.'),
      }),
      { max: ITEMS_MAX, error: `Send at most ${ITEMS_MAX} items.` },
    )
      .min(1, 'Send at least one item.')
      .optional()
      .describe(
        'The items that arrived, each line once. A line that is left out did not arrive. If omitted, everything arrived undamaged.',
      ),
  })
  .meta({ id: 'ReturnReceipt' })
export type Receipt = z.output<typeof Receipt>

export const ReturnRefund = z
  .strictObject({
    amount_cents: z
      .int('Use an integer in minor units, such as 1999 for 19.99.')
      .min(0, 'Use 0 or more.')
      .max(TOTAL_MAX, `Use at most ${TOTAL_MAX}.`)
      .optional()
      .describe(
        'Minor units; if absent, the price paid for the units that arrived. 0 closes the return without a refund.',
      ),
  })
  .meta({ id: 'ReturnRefund' })
export type ReturnRefund = z.output<typeof ReturnRefund>

export const ReturnPath = z.object({ id: PathId.describe('The return.') })
