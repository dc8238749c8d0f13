import { z } from 'zod'
import { DateTime, Email, OneOrMoreOf, PageQuery } from '../../../kernel/shapes.ts'

/** The path at which the reader of a mail unsubscribes. */
export const STOP_PATH = '/stock-alerts/stop/'

export const STATUSES = ['pending', 'notified', 'unsubscribed'] as const

export const StockAlert = z
  .object({
    id: z.int().describe('The id of the sign-up.'),
    object: z.literal('stock_alert').describe('Always `stock_alert`.'),
    email: z.string().describe('The address that is notified.'),
    variant_id: z.int().nullable().describe('The id of the variant; null for any variant.'),
    status: z.enum(STATUSES).describe('`pending` until it can be bought again.'),
    notified_at: DateTime.nullable().describe('When the mail was written.'),
    created_at: DateTime.describe('When they signed up.'),
  })
  .meta({ id: 'StockAlert', description: 'The sign-up of a customer for a mail about new stock.' })
export type StockAlert = z.output<typeof StockAlert>

export const NewStockAlert = z
  .strictObject({
    email: Email.describe('The address that is notified.'),
    variant_id: z
      .int()
      .positive()
      .optional()
      .describe('The id of the variant; any variant if omitted.'),
  })
  .meta({ id: 'NewStockAlert' })
export type NewStockAlert = z.output<typeof NewStockAlert>

export const StockAlertQuery = z.object({
  ...PageQuery,
  status: OneOrMoreOf(STATUSES).describe('`pending`, `notified`, `unsubscribed`.'),
})
export type StockAlertQuery = z.output<typeof StockAlertQuery>

export const Threshold = z.int().min(0).max(1_000_000).nullable()
