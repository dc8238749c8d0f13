import { z } from 'zod'
import { DateTime, PageQuery } from '../../../kernel/shapes.ts'

/** A cursor consists of the time, the source and the id of the last entry of a page. */
export const LEDGER_CURSOR = /^(\d{1,14})-([1-5])-([1-9]\d{0,15})$/

export const LedgerEntry = z
  .object({
    id: z.string().describe('The id of the entry, such as `payment_42`.'),
    at: DateTime.describe('The time of the change.'),
    account: z
      .enum(['wallet', 'customer_balances'])
      .describe(
        'The account. `wallet` is the money of the store; its entries add up to `available_cents`. `customer_balances` is the store credit of customers; its entries add up to their balances.',
      ),
    amount_cents: z.int().describe('The change in minor units; below 0 if money left the account.'),
    currency: z.string().describe('The currency, an ISO 4217 code.'),
    order_id: z.string().nullable().describe('The id of the order; null if there is none.'),
    reason: z
      .enum(['payment', 'refund', 'order_ended', 'withdrawal', 'withdrawal_returned', 'adjustment'])
      .describe(
        'The reason for the change. `order_ended` is store credit that went back to a balance because its order was cancelled or expired. `withdrawal_returned` is a withdrawal that failed or was cancelled. `adjustment` is a change by the seller.',
      ),
  })
  .meta({ id: 'LedgerEntry', description: 'A change of an account.' })
export type LedgerEntry = z.output<typeof LedgerEntry>

export const LedgerQuery = z.object({
  limit: PageQuery.limit,
  cursor: z
    .string()
    .regex(LEDGER_CURSOR, 'Use next_cursor of the previous page.')
    .optional()
    .describe('`next_cursor` of the previous page.'),
})
export type LedgerQuery = z.output<typeof LedgerQuery>

export const Ledger = z.object({
  entries: z.array(LedgerEntry).describe('A page of entries.'),
  next_cursor: z
    .string()
    .nullable()
    .describe('The cursor of the next page; null on the last page.'),
})
