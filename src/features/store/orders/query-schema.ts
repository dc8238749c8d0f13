import { z } from 'zod'
import {
  CursorListQuery,
  Email,
  InputTime,
  OneOrMoreOf,
  PathId,
  ProductRef,
  QueryBoolean,
  TypedCode,
} from '../../../kernel/shapes.ts'
import {
  FULFILLMENT_STATUSES,
  PAYMENT_METHODS,
  REFUND_STATUSES,
  SOURCES,
  STATUSES,
} from './schema.ts'

const SORTS = ['created_at', 'paid_at', 'total_cents'] as const

export const OrderQuery = z.object({
  ...CursorListQuery,
  status: OneOrMoreOf(STATUSES).describe('Only orders with one of these statuses.'),
  refund_status: OneOrMoreOf(REFUND_STATUSES).describe(
    'Only orders with one of these refund statuses.',
  ),
  fulfillment_status: OneOrMoreOf(FULFILLMENT_STATUSES).describe(
    'Only orders with one of these fulfillment statuses.',
  ),
  email: Email.optional().describe("The customer's complete email address."),
  customer_id: PathId.optional().describe('The id of the customer.'),
  product_id: ProductRef.optional(),
  coupon_code: TypedCode(64).optional().describe('The code of the coupon; case is ignored.'),
  payment_method: OneOrMoreOf(PAYMENT_METHODS).describe(
    'Only orders with one of these payment methods.',
  ),
  source: OneOrMoreOf(SOURCES).describe('Only orders from one of these sources.'),
  overpaid: QueryBoolean.optional().describe(
    'Only orders for which more was paid and not refunded than they cost: than their total or, if they are `expired`, `cancelled` or `refunded`, than nothing. With `false`, only all others.',
  ),
  on_hold: QueryBoolean.optional().describe('Only orders on hold; with `false`, only all others.'),
  paid_from: InputTime.optional().describe('Only orders paid at this time or later.'),
  paid_to: InputTime.optional().describe('Only orders paid before this time.'),
  search: z
    .string()
    .max(200)
    .optional()
    .describe(
      'A part of the id, number or email in any case, or the complete text of a stock key.',
    ),
  sort: z
    .enum(SORTS.flatMap((name) => [name, `-${name}`] as const))
    .default('-created_at')
    .describe(
      'The field to sort by, with `-` for descending order. Equal values are sorted by id.',
    ),
})
export type OrderQuery = z.output<typeof OrderQuery>
