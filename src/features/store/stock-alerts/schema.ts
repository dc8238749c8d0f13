import { z } from 'zod'
import { DateTime, Email, ListQuery, OneOrMoreOf } from '../../../kernel/shapes.ts'

/** The path of the page at which the recipient of a mail unsubscribes. */
export const STOP_PATH = '/stock-alerts/stop/'

export const STATUSES = ['pending', 'notified', 'unsubscribed'] as const

export const StockAlert = z
  .object({
    id: z.int().describe('The id of the sign-up.'),
    object: z.literal('stock_alert').describe('Always `stock_alert`.'),
    email: z.string().describe('The email address for the mail.'),
    variant_id: z.int().nullable().describe('The id of the variant; null for any variant.'),
    status: z.enum(STATUSES).describe('The status. It is `pending` until the mail is queued.'),
    notified_at: DateTime.nullable().describe('The time at which the mail was queued.'),
    created_at: DateTime.describe('The time of the sign-up.'),
  })
  .meta({
    id: 'StockAlert',
    description: 'The sign-up of a customer for a mail when a product is in stock again.',
  })
export type StockAlert = z.output<typeof StockAlert>

export const NewStockAlert = z
  .strictObject({
    email: Email.describe('The email address for the mail.'),
    variant_id: z
      .int()
      .positive()
      .optional()
      .describe('The id of the variant. Default: any variant of the product counts.'),
  })
  .meta({ id: 'StockAlertInput' })
export type NewStockAlert = z.output<typeof NewStockAlert>

export const StockAlertQuery = z.object({
  ...ListQuery,
  status: OneOrMoreOf(STATUSES).describe('Only sign-ups with one of these statuses.'),
})
export type StockAlertQuery = z.output<typeof StockAlertQuery>

export const Threshold = z.int().min(0).max(1_000_000).nullable()
