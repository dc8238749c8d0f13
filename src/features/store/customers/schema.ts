import { z } from 'zod'
import { DateTime, PageQuery, PathId } from '../../../kernel/shapes.ts'

export const BalanceEntry = z
  .object({
    id: z.int().describe('Of the entry.'),
    object: z.literal('balance_entry').describe('Always `balance_entry`.'),
    customer_id: z.int().describe('Whose balance.'),
    amount_cents: z.int().describe('What came to it, or below 0 went from it.'),
    balance_cents: z.int().describe('What it was then.'),
    reason: z.string().describe('Why; `refund` for money of an order.'),
    order_id: z.string().nullable().describe('The order that it is about.'),
    created_at: DateTime.describe('When.'),
  })
  .meta({ id: 'BalanceEntry', description: "A change of a customer's balance." })
export type BalanceEntry = z.output<typeof BalanceEntry>

export const BalanceQuery = z.object(PageQuery)

export const CustomerPath = z.object({ id: PathId.describe('The customer.') })

export const ErasedCustomer = z.object({
  id: z.int().describe('The customer.'),
  erased_at: DateTime.describe('When the person was removed.'),
})
