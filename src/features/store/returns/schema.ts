import { z } from 'zod'
import { list } from '../../../kernel/bounded.ts'
import { TOTAL_MAX } from '../../../kernel/money.ts'
import {
  DateTime,
  Email,
  Line,
  ListQuery,
  OneOrMoreOf,
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
export type ReturnStatus = (typeof STATUSES)[number]

const REASONS = [
  'damaged_or_defective',
  'not_as_described',
  'wrong_item',
  'changed_mind',
  'too_small',
  'too_large',
  'other',
] as const

/** An order has at most 50 items. */
const ITEMS_MAX = 50
const NOTE_MAX = 1_000

const Reason = z.enum(REASONS)

export const Return = z
  .object({
    id: z.int().describe('The id of the return.'),
    object: z.literal('return').describe('Always `return`.'),
    rma: z
      .string()
      .describe(
        'The return number for the customer, such as `RMA-000123`. It is unique in the store.',
      ),
    order_id: z.string().describe('The id of the order.'),
    customer_email: z.string().describe('The email address of the order.'),
    status: z.enum(STATUSES).describe('The status. A `closed` return ended without a refund.'),
    items: z
      .array(
        z.object({
          order_item_id: z.int().describe('The id of the order item.'),
          quantity: z.int().describe('The number of units that the customer sends back.'),
          received_quantity: z.int().describe('The number of units that were received.'),
          damaged_quantity: z
            .int()
            .describe('The number of received units that are damaged and not returned to stock.'),
          reason: Reason.describe('The reason of the customer.'),
          note: z.string().nullable().describe('The note of the customer.'),
        }),
      )
      .describe('The items that are sent back.'),
    refund_amount_cents: z
      .int()
      .nullable()
      .describe('The refunded amount in minor units; null until the return is refunded.'),
    refund_id: z
      .int()
      .nullable()
      .describe('The id of the refund; null until the return is refunded.'),
    tracking_number: z.string().nullable().describe('The tracking number of the parcel.'),
    carrier_code: z.string().nullable().describe('The code of the carrier, such as `dhl`.'),
    rejection_note: z.string().nullable().describe('The reason for a rejection.'),
    requested_at: DateTime.describe('The time of the request.'),
    approved_at: DateTime.nullable().describe('The time of the approval.'),
    received_at: DateTime.nullable().describe('The time at which the parcel was received.'),
    closed_at: DateTime.nullable().describe(
      'The time when the return was rejected, cancelled, refunded or closed.',
    ),
    created_at: DateTime.describe('The time of creation.'),
    updated_at: DateTime.describe('The time of the last change.'),
  })
  .meta({ id: 'Return', description: 'A return of items that a customer sends back.' })
export type Return = z.output<typeof Return>

/** A return number as it stands on a parcel, with or without its letters. */
const RMA = /^(?:rma-?)?\d{1,12}$/i

export const ReturnQuery = z.object({
  ...ListQuery,
  status: OneOrMoreOf(STATUSES).describe('One or several statuses.'),
  order_id: z.string().max(64).optional().describe('The id of the order.'),
  email: Email.optional().describe('The full email address of the customer.'),
  rma: z
    .string()
    .regex(RMA, 'Use a return number, such as RMA-000123.')
    .transform((text) => Number(text.replace(/\D/g, '')))
    .optional()
    .describe('The return number, such as `RMA-000123` or `123`.'),
  sort: z
    .enum(['-created_at', 'waiting'])
    .default('-created_at')
    .describe(
      '`-created_at` sorts the newest first. `waiting` sorts requested, then received, then approved returns first, each the oldest first, and then all other returns, the newest first.',
    ),
})
export type ReturnQuery = z.output<typeof ReturnQuery>

const OrderItemId = z.int('Use the id of an order item.').positive('Use the id of an order item.')
const Units = z.int('Use a whole number.').max(1_000_000_000, 'Use at most 1000000000.')

const Tracking = {
  tracking_number: Line(128).nullable().optional().describe('The tracking number of the parcel.'),
  carrier_code: Line(64).nullable().optional().describe('The code of the carrier, such as `dhl`.'),
}

export const NewReturn = z
  .strictObject({
    order_id: OrderPath.shape.id.describe('The id of a paid, completed or refunded order.'),
    items: list(
      z.strictObject({
        order_item_id: OrderItemId.describe('The id of a physical item of the order.'),
        quantity: Units.min(1, 'Use 1 or more.').describe('The number of units to send back.'),
        reason: Reason.default('other').describe('The reason of the customer.'),
        note: Text(NOTE_MAX).nullable().default(null).describe('The note of the customer.'),
      }),
      { max: ITEMS_MAX, error: `Send at most ${ITEMS_MAX} items.` },
    )
      .min(1, 'Send at least one item.')
      .describe('The items that are sent back, each item once.'),
    tracking_number: Tracking.tracking_number.meta({ default: null }),
    carrier_code: Tracking.carrier_code.meta({ default: null }),
  })
  .meta({ id: 'ReturnInput' })
export type NewReturn = z.output<typeof NewReturn>

export const Approval = z.strictObject(Tracking).meta({
  id: 'ReturnApproval',
  description: 'The tracking of the parcel. Fields that are left out keep their value.',
})
export type Approval = z.output<typeof Approval>

export const Rejection = z
  .strictObject({
    note: Text(NOTE_MAX).nullable().default(null).describe('The reason for the rejection.'),
  })
  .meta({ id: 'ReturnRejection' })

export const Receipt = z
  .strictObject({
    items: list(
      z.strictObject({
        order_item_id: OrderItemId.describe('The id of an order item of the return.'),
        received_quantity: Units.min(0, 'Use 0 or more.').describe(
          'The number of units that were received.',
        ),
        damaged_quantity: Units.min(0, 'Use 0 or more.')
          .default(0)
          .describe('The number of received units that are damaged and not returned to stock.'),
      }),
      { max: ITEMS_MAX, error: `Send at most ${ITEMS_MAX} items.` },
    )
      .min(1, 'Send at least one item.')
      .optional()
      .describe(
        'The received items, each item once. An item that is not listed was not received. Default: all units were received undamaged.',
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
        'The amount to refund in minor units; 0 closes the return without a refund. Default: the price paid for the received units that was not refunded before.',
      ),
  })
  .meta({ id: 'ReturnRefund' })
export type ReturnRefund = z.output<typeof ReturnRefund>

export const ReturnPath = z.object({ id: PathId.describe('The id of the return.') })
