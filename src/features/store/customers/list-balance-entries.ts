import { notFound } from '../../../kernel/errors.ts'
import { type Page, type Pagination, pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as q from './queries/balance-entries.ts'
import type { BalanceEntry } from './schema.ts'

/** Returns a page of the changes of a customer's balance, the newest first (decision 44). */
export async function listBalanceEntries(
  { db, store }: StoreContext,
  customerId: number,
  page: Page,
): Promise<{ balance_entries: BalanceEntry[]; pagination: Pagination }> {
  if (!(await q.customerExists(db, store.id, customerId))) throw notFound('Customer')
  const { entries, total } = await q.selectBalanceEntries(db, store.id, customerId, page)
  return { balance_entries: entries, pagination: pagination(page, total) }
}
