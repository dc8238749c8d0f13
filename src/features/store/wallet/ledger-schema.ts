import { z } from 'zod'
import { DateTime, PageQuery } from '../../../kernel/shapes.ts'

/** The end of a page of the ledger: the time, the source and the id of its last entry. */
export const LEDGER_CURSOR = /^(\d{1,14})-([1-5])-([1-9]\d{0,15})$/

export const LedgerEntry = z
  .object({
    id: z.string().describe('The id of the entry, such as `payment_42`.'),
    at: DateTime.describe('When.'),
    account: z
      .enum(['wallet', 'customer_balances'])
      .describe(
        '`wallet`: money of the store; its entries add up to `available_cents`. `customer_balances`: credit of customers; its entries add up to their balances.',
      ),
    amount_cents: z.int().describe('Below 0 for money that left the account.'),
    currency: z.string().describe('ISO 4217.'),
    order_id: z.string().nullable().describe('The order; null if there is none.'),
    reason: z
      .enum(['payment', 'refund', 'withdrawal', 'withdrawal_returned', 'adjustment'])
      .describe(
        '`withdrawal_returned`: a withdrawal that failed or was cancelled. `adjustment`: a change by the seller.',
      ),
  })
  .meta({ id: 'LedgerEntry', description: 'A change of an account.' })
export type LedgerEntry = z.output<typeof LedgerEntry>

export const LedgerQuery = z.object({
  limit: PageQuery.limit,
  cursor: z
    .string()
    .regex(LEDGER_CURSOR, 'Use next_cursor of the page before.')
    .optional()
    .describe('`next_cursor` of the page before.'),
})
export type LedgerQuery = z.output<typeof LedgerQuery>

export const Ledger = z.object({
  entries: z.array(LedgerEntry).describe('A page of entries.'),
  next_cursor: z.string().nullable().describe('The next page; null at the end.'),
})
